//! The shape of a description: tables, their fields, enumerations and unions.

/// The type of a number in a flatbuffer, little-endian in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// One byte, 0 or 1.
    Bool,
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 64 bits.
    U64,
    /// IEEE 754, 32 bits.
    F32,
    /// IEEE 754, 64 bits.
    F64,
}

impl Scalar {
    /// Size in bytes, which is also the alignment.
    pub const fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// Whether this is one of the eight integer types.
    pub const fn is_integer(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::F32 | Scalar::F64)
    }

    /// Whether `value` fits this type. `U64` takes every value, as its bits; types that are not
    /// integers take none.
    pub const fn holds(self, value: i64) -> bool {
        match self {
            Scalar::I8 => value == value as i8 as i64,
            Scalar::U8 => value == value as u8 as i64,
            Scalar::I16 => value == value as i16 as i64,
            Scalar::U16 => value == value as u16 as i64,
            Scalar::I32 => value == value as i32 as i64,
            Scalar::U32 => value == value as u32 as i64,
            Scalar::I64 | Scalar::U64 => true,
            Scalar::Bool | Scalar::F32 | Scalar::F64 => false,
        }
    }
}

/// The type of a field.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number.
    Scalar(Scalar),
    /// A number with names for some of its values; others pass.
    Enum(&'static EnumDef),
    /// UTF-8 text.
    String,
    /// A table of one fixed type.
    Table(&'static TableDef),
    /// A table of one of several types. The field is the value; its tag is one slot below.
    Union(&'static UnionDef),
    /// A vector.
    Vector(Element),
}

/// The type of the elements of a vector.
#[derive(Clone, Copy, Debug)]
pub enum Element {
    /// Numbers.
    Scalar(Scalar),
    /// Numbers with names.
    Enum(&'static EnumDef),
    /// UTF-8 texts.
    String,
    /// Tables of one type.
    Table(&'static TableDef),
}

/// What a reader takes for a field that a file leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// Nothing: the field is a string, table, union or vector.
    Absent,
    /// A truth value.
    Bool(bool),
    /// An integer or the number of an enumeration; unsigned 64-bit ones as their bits.
    Int(i64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
}

/// A field of a table.
#[derive(Debug)]
pub struct FieldDef {
    /// Name in the schema.
    pub name: &'static str,
    /// Index in the vtable. For a union, that of the value; the tag's is `slot - 1`.
    pub slot: u16,
    /// Type.
    pub kind: Kind,
    /// Value when absent.
    pub default: DefaultValue,
    /// Whether the schema asks writers not to use the field. It is carried all the same.
    pub deprecated: bool,
}

impl FieldDef {
    pub(crate) const fn new(name: &'static str, slot: u16, kind: Kind, default: DefaultValue) -> Self {
        FieldDef { name, slot, kind, default, deprecated: false }
    }

    pub(crate) const fn deprecated(name: &'static str, slot: u16, kind: Kind, default: DefaultValue) -> Self {
        FieldDef { name, slot, kind, default, deprecated: true }
    }
}

/// A table. Each exists once, as a static, and is equal only to itself.
#[derive(Debug)]
pub struct TableDef {
    /// Name without namespace.
    pub name: &'static str,
    /// Fields, ascending by slot.
    pub fields: &'static [FieldDef],
}

impl TableDef {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&'static FieldDef> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The slot of the field of that name, for constants: the compiler finds it, and not each look at a record.
    ///
    /// # Panics
    /// When there is no such field, which in a constant is an error of compilation.
    pub const fn slot(&self, name: &str) -> u16 {
        let mut index = 0;
        while index < self.fields.len() {
            if same(self.fields[index].name.as_bytes(), name.as_bytes()) {
                return self.fields[index].slot;
            }
            index += 1;
        }
        panic!("the table has no such field")
    }

    /// The field whose value stands in `slot`; nothing for the slot of a union's tag.
    pub fn field_at(&self, slot: u16) -> Option<&'static FieldDef> {
        // Only a union takes two slots, so most fields stand where their slots say.
        if let Some(field) = self.fields.get(usize::from(slot)).filter(|field| field.slot == slot) {
            return Some(field);
        }
        let index = self.fields.binary_search_by_key(&slot, |field| field.slot).ok()?;
        self.fields.get(index)
    }

    /// How many vtable slots are known, tags of unions included. A file whose vtable uses a slot from
    /// here on was written with a newer schema.
    pub fn slots(&self) -> u16 {
        self.fields.last().map_or(0, |field| field.slot + 1)
    }
}

/// Equality of names where the compiler can compute it.
const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

impl PartialEq for TableDef {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for TableDef {}

/// An enumeration. Values without a name are legal in files: they are carried as numbers.
#[derive(Debug)]
pub struct EnumDef {
    /// Name without namespace.
    pub name: &'static str,
    /// Type in the file.
    pub base: Scalar,
    /// Names and numbers, ascending by number.
    pub values: &'static [(&'static str, i64)],
}

impl EnumDef {
    /// The name of a number.
    pub fn name_of(&self, value: i64) -> Option<&'static str> {
        let index = self.values.binary_search_by_key(&value, |&(_, number)| number).ok()?;
        self.values.get(index).map(|&(name, _)| name)
    }

    /// The number of a name.
    pub fn value_of(&self, name: &str) -> Option<i64> {
        self.values.iter().find(|&&(known, _)| known == name).map(|&(_, number)| number)
    }
}

/// A union: which table stands behind which tag. Tag 0 means that there is none.
#[derive(Debug)]
pub struct UnionDef {
    /// Name without namespace.
    pub name: &'static str,
    /// Tags and tables, ascending by tag.
    pub members: &'static [(u8, &'static TableDef)],
}

impl UnionDef {
    /// The table behind a tag.
    pub fn table(&self, tag: u8) -> Option<&'static TableDef> {
        let index = self.members.binary_search_by_key(&tag, |&(known, _)| known).ok()?;
        self.members.get(index).map(|&(_, table)| table)
    }

    /// The table of that name.
    pub fn table_named(&self, name: &str) -> Option<&'static TableDef> {
        self.members.iter().find(|(_, table)| table.name == name).map(|&(_, table)| table)
    }

    /// The tag of a table.
    pub fn tag(&self, table: &TableDef) -> Option<u8> {
        self.members.iter().find(|(_, known)| *known == table).map(|&(tag, _)| tag)
    }
}

/// A whole schema.
#[derive(Debug)]
pub struct SchemaDef {
    /// `circle` or `tflite`.
    pub name: &'static str,
    /// The four characters at bytes 4 to 8 of a file.
    pub file_identifier: &'static str,
    /// The outermost table.
    pub root: &'static TableDef,
    /// All tables, ascending by name.
    pub tables: &'static [&'static TableDef],
    /// All enumerations, ascending by name.
    pub enums: &'static [&'static EnumDef],
    /// All unions, ascending by name.
    pub unions: &'static [&'static UnionDef],
}

impl SchemaDef {
    /// The table of that name.
    pub fn table(&self, name: &str) -> Option<&'static TableDef> {
        let index = self.tables.binary_search_by_key(&name, |table| table.name).ok()?;
        self.tables.get(index).copied()
    }

    /// The enumeration of that name.
    pub fn enumeration(&self, name: &str) -> Option<&'static EnumDef> {
        let index = self.enums.binary_search_by_key(&name, |def| def.name).ok()?;
        self.enums.get(index).copied()
    }

    /// The union of that name.
    pub fn union(&self, name: &str) -> Option<&'static UnionDef> {
        let index = self.unions.binary_search_by_key(&name, |def| def.name).ok()?;
        self.unions.get(index).copied()
    }
}
