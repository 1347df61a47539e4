//! Tables read by description instead of by generated accessor.
//!
//! Every access is checked against the bytes, whether or not the verifier has run: an access that
//! leads out of the file is an error. What a newer schema has added is seen here, because a vtable
//! tells how many fields its writer knew.

mod bytes;
mod error;
mod extent;
mod finding;
mod record;
mod vector;

use std::ops::Range;

use circle_tables::{Datum, DefaultValue, FieldDef, Kind, Scalar, TableDef};

use bytes::{array, follow, integer, range};
pub use error::{RawError, RawProblem};
pub use finding::{Finding, Findings};
pub use vector::RawTables;

/// A table in a file, with its description.
#[derive(Clone, Copy)]
pub struct RawTable<'a> {
    bytes: &'a [u8],
    /// Where the table begins.
    at: usize,
    /// Where its vtable begins.
    vtable: usize,
    /// Size of the vtable in bytes, its two leading sizes included.
    vtable_len: usize,
    def: &'static TableDef,
}

/// What stands in a union.
#[derive(Clone, Copy, Debug)]
pub enum RawUnion<'a> {
    /// A table that the schema knows.
    Table(RawTable<'a>),
    /// A member that the schema does not know, or (tag 0) a value that says it is none.
    Unknown {
        /// Its tag.
        tag: u8,
    },
}

/// The two sizes at the start of a vtable: its own and that of its table.
const VTABLE_HEAD: usize = 4;

impl<'a> RawTable<'a> {
    /// The outermost table of a file.
    ///
    /// # Errors
    /// When the first offset of the file does not lead to a table.
    pub fn root(bytes: &'a [u8], def: &'static TableDef) -> Result<Self, RawError> {
        let locate = |problem| RawError { table: def.name, field: "", byte: 0, problem };
        let at = follow(bytes, 0).map_err(locate)?;
        Self::at(bytes, at, def)
    }

    /// The table at a place.
    fn at(bytes: &'a [u8], at: usize, def: &'static TableDef) -> Result<Self, RawError> {
        let locate = |problem| RawError { table: def.name, field: "", byte: at as u64, problem };
        let distance = i32::from_le_bytes(array(bytes, at).map_err(locate)?);
        // The distance to the vtable is subtracted, and may be negative.
        let vtable = (at as i64)
            .checked_sub(i64::from(distance))
            .and_then(|vtable| usize::try_from(vtable).ok())
            .ok_or(RawProblem::Vtable { distance })
            .map_err(locate)?;
        let vtable_len = usize::from(u16::from_le_bytes(array(bytes, vtable).map_err(locate)?));
        range(bytes, vtable, vtable_len).map_err(locate)?;
        Ok(RawTable { bytes, at, vtable, vtable_len, def })
    }

    /// The description.
    pub fn def(&self) -> &'static TableDef {
        self.def
    }

    /// Where the table begins, in bytes from the start of the file.
    pub fn position(&self) -> u64 {
        self.at as u64
    }

    /// How many fields the writer of the table knew of, at least: the slots of its vtable.
    pub fn slots(&self) -> u16 {
        // A vtable is at most 65535 bytes.
        (self.vtable_len.saturating_sub(VTABLE_HEAD) / 2) as u16
    }

    /// Whether a field is present.
    pub fn has(&self, name: &str) -> bool {
        self.def.field(name).is_some_and(|field| self.slot(field.slot).is_some())
    }

    /// Where the bytes of a field stand, if present, from the start of the file: a number itself, or the offset of
    /// 4 bytes that leads to anything else. For those who overwrite them.
    pub fn position_of(&self, name: &str) -> Option<u64> {
        let field = self.def.field(name)?;
        self.slot(field.slot).map(|at| at as u64)
    }

    /// Where the field at a slot stands, if present.
    fn slot(&self, slot: u16) -> Option<usize> {
        let entry = VTABLE_HEAD + 2 * usize::from(slot);
        if entry + 2 > self.vtable_len {
            return None;
        }
        let offset = u16::from_le_bytes(array(self.bytes, self.vtable.checked_add(entry)?).ok()?);
        if offset == 0 { None } else { self.at.checked_add(usize::from(offset)) }
    }

    /// Where a field stands, if present, and its description if it is of the expected kind. That the
    /// table has such a field is the caller's knowledge of the schema, not a property of any file: a
    /// mistake stops a debug build and reads as absent in a release.
    fn find(
        &self,
        name: &str,
        expected: impl Fn(Kind) -> bool,
    ) -> Option<(&'static FieldDef, Option<usize>)> {
        let field = self.def.field(name).filter(|field| expected(field.kind));
        debug_assert!(field.is_some(), "{}.{name} is asked for as something it is not", self.def.name);
        field.map(|field| (field, self.slot(field.slot)))
    }

    fn locate(&self, field: &'static FieldDef, at: usize) -> impl Fn(RawProblem) -> RawError + use<> {
        let table = self.def.name;
        move |problem| RawError { table, field: field.name, byte: at as u64, problem }
    }

    /// An integer or the number of an enumeration, its default if absent. An unsigned 64-bit one comes
    /// as its bits.
    ///
    /// # Errors
    /// When it lies beyond the end of the file.
    pub fn int(&self, name: &str) -> Result<i64, RawError> {
        let expected = |kind| match kind {
            Kind::Scalar(scalar) => scalar.is_integer(),
            kind => matches!(kind, Kind::Enum(_)),
        };
        match self.find(name, expected) {
            Some((field, Some(at))) => integer(self.bytes, at, base(field)).map_err(self.locate(field, at)),
            Some((FieldDef { default: DefaultValue::Int(value), .. }, None)) => Ok(*value),
            _ => Ok(0),
        }
    }

    /// An unsigned 64-bit integer, its default if absent.
    ///
    /// # Errors
    /// As [`RawTable::int`].
    pub fn uint(&self, name: &str) -> Result<u64, RawError> {
        self.int(name).map(|bits| bits as u64)
    }

    /// A truth value, its default if absent.
    ///
    /// # Errors
    /// As [`RawTable::int`].
    pub fn bool(&self, name: &str) -> Result<bool, RawError> {
        match self.find(name, |kind| matches!(kind, Kind::Scalar(Scalar::Bool))) {
            Some((field, Some(at))) => {
                let [byte] = array(self.bytes, at).map_err(self.locate(field, at))?;
                Ok(byte != 0)
            }
            Some((FieldDef { default: DefaultValue::Bool(value), .. }, None)) => Ok(*value),
            _ => Ok(false),
        }
    }

    /// Text.
    ///
    /// # Errors
    /// When it lies beyond the end of the file or is not UTF-8.
    pub fn str(&self, name: &str) -> Result<Option<&'a str>, RawError> {
        match self.find(name, |kind| matches!(kind, Kind::String)) {
            Some((field, Some(at))) => follow(self.bytes, at)
                .and_then(|at| vector::string(self.bytes, at))
                .map(Some)
                .map_err(self.locate(field, at)),
            _ => Ok(None),
        }
    }

    /// Where the elements of a vector of unsigned bytes lie in the file. They are not looked at.
    ///
    /// # Errors
    /// When they lie beyond the end of the file.
    pub fn byte_range(&self, name: &str) -> Result<Option<Range<u64>>, RawError> {
        use circle_tables::Element;
        match self.find(name, |kind| matches!(kind, Kind::Vector(Element::Scalar(Scalar::U8)))) {
            Some((field, Some(at))) => {
                let elements = follow(self.bytes, at)
                    .and_then(|at| vector::elements(self.bytes, at, 1))
                    .map_err(self.locate(field, at))?;
                Ok(Some(elements.start as u64..elements.end as u64))
            }
            _ => Ok(None),
        }
    }

    /// A table.
    ///
    /// # Errors
    /// When it lies beyond the end of the file.
    pub fn table(&self, name: &str) -> Result<Option<RawTable<'a>>, RawError> {
        match self.find(name, |kind| matches!(kind, Kind::Table(_))) {
            Some((field @ FieldDef { kind: Kind::Table(def), .. }, Some(at))) => {
                let to = follow(self.bytes, at).map_err(self.locate(field, at))?;
                RawTable::at(self.bytes, to, def).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What stands in a union.
    ///
    /// # Errors
    /// When it lies beyond the end of the file.
    pub fn union(&self, name: &str) -> Result<Option<RawUnion<'a>>, RawError> {
        let Some((field @ FieldDef { kind: Kind::Union(def), slot, .. }, at)) =
            self.find(name, |kind| matches!(kind, Kind::Union(_)))
        else {
            return Ok(None);
        };
        let tag = match slot.checked_sub(1).and_then(|slot| self.slot(slot)) {
            Some(at) => {
                let [tag] = array(self.bytes, at).map_err(self.locate(field, at))?;
                tag
            }
            None => 0,
        };
        match (at, def.table(tag)) {
            (Some(at), Some(table)) => {
                let to = follow(self.bytes, at).map_err(self.locate(field, at))?;
                RawTable::at(self.bytes, to, table).map(RawUnion::Table).map(Some)
            }
            (None, _) if tag == 0 => Ok(None),
            _ => Ok(Some(RawUnion::Unknown { tag })),
        }
    }

    /// Tables, read one by one as they are asked for; none if the field is absent.
    ///
    /// # Errors
    /// When the vector lies beyond the end of the file.
    pub fn tables(&self, name: &str) -> Result<RawTables<'a>, RawError> {
        use circle_tables::Element;
        match self.find(name, |kind| matches!(kind, Kind::Vector(Element::Table(_)))) {
            Some((field @ FieldDef { kind: Kind::Vector(Element::Table(def)), .. }, Some(at))) => {
                follow(self.bytes, at)
                    .and_then(|at| RawTables::at(self.bytes, at, def))
                    .map_err(self.locate(field, at))
            }
            _ => Ok(RawTables::none()),
        }
    }

    /// Integers or enumerations of any width but unsigned bytes; nothing if the field is absent.
    ///
    /// # Errors
    /// When they lie beyond the end of the file.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>, RawError> {
        use circle_tables::Element;
        let expected = |kind| match kind {
            Kind::Vector(Element::Scalar(scalar)) => scalar.is_integer() && scalar != Scalar::U8,
            kind => matches!(kind, Kind::Vector(Element::Enum(_))),
        };
        match self.find(name, expected) {
            Some((field @ FieldDef { kind: Kind::Vector(element), .. }, Some(at))) => {
                match vector::datum(self.bytes, at, *element).map_err(self.locate(field, at))? {
                    Some(Datum::Ints(values)) => Ok(Some(values)),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }
}

impl std::fmt::Debug for RawTable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}@{}", self.def.name, self.at)
    }
}

/// The type in the file of a number.
fn base(field: &FieldDef) -> Scalar {
    match field.kind {
        Kind::Scalar(scalar) => scalar,
        Kind::Enum(def) => def.base,
        _ => Scalar::U8,
    }
}
