//! How far a file reaches, seen from what its tables refer to.

use circle_tables::{Element, FieldDef, Kind, Scalar};

use super::bytes::{array, follow, integer};
use super::error::RawProblem;
use super::{RawTable, VTABLE_HEAD, vector};

/// Fields that point to bytes outside the flatbuffer: a place in the file, in bytes from its start. The size stands
/// in the next slot. Places 0 and 1 mean none.
const OUTSIDE: [&str; 2] = ["offset", "large_custom_options_offset"];

/// The slot of `Model.subgraphs`.
const SUBGRAPHS: u16 = 2;

impl RawTable<'_> {
    /// Where the last byte ends that this table or anything inside it refers to: tables, vtables, strings, vectors,
    /// and data outside the flatbuffer, in bytes from the start of the file. What lies beyond would be missed by
    /// nobody who reads by the schema. Up to 7 zero bytes at the end of the file, as alignment leaves them, count as
    /// referred to.
    ///
    /// It is the length of the file where that cannot be told: when a table has fields newer than our schema, when
    /// something leads out of the file, and when parts are referred to more often than the verifier allows.
    pub fn extent(&self) -> u64 {
        let len = self.bytes.len();
        let padding = self.bytes.iter().rev().take(7).take_while(|&&byte| byte == 0).count();
        let mut walk = Walk { bytes: self.bytes, end: 0, enough: len - padding, left: len / 4 + (1 << 18) };
        match walk.table(self) {
            Ok(()) if walk.end < walk.enough => walk.end as u64,
            Ok(()) | Err(Unbounded) => len as u64,
        }
    }
}

/// The extent cannot be told.
struct Unbounded;

impl From<RawProblem> for Unbounded {
    fn from(_: RawProblem) -> Self {
        Unbounded
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    end: usize,
    /// Where nothing but padding is left to reach.
    enough: usize,
    /// How many tables and strings may still be looked at: one for each offset that the file has room for.
    left: usize,
}

impl Walk<'_> {
    fn reach(&mut self, end: usize) {
        self.end = self.end.max(end);
    }

    fn spend(&mut self) -> Result<(), Unbounded> {
        self.left = self.left.checked_sub(1).ok_or(Unbounded)?;
        Ok(())
    }

    /// The depth of the recursion is that of the schema, in which no table contains itself.
    fn table(&mut self, table: &RawTable<'_>) -> Result<(), Unbounded> {
        self.spend()?;
        self.reach(table.vtable.saturating_add(table.vtable_len.max(VTABLE_HEAD)));
        let size = u16::from_le_bytes(array(self.bytes, table.vtable.saturating_add(2))?);
        self.reach(table.at.saturating_add(usize::from(size)));
        if (table.def.slots()..table.slots()).any(|slot| table.slot(slot).is_some()) {
            return Err(Unbounded);
        }
        // What is quickly looked through comes first. Writers begin with one field or another and so place it at the
        // end of the file, and once that is reached, mostly without a look at any operator, the walk is over.
        let last = table.def.field_at(SUBGRAPHS).filter(|field| field.name == "subgraphs");
        for field in table
            .def
            .fields
            .iter()
            .filter(|&field| last.is_none_or(|last| last.slot != field.slot))
            .chain(last)
        {
            let number = match field.kind {
                Kind::Scalar(scalar) => scalar != Scalar::U64,
                Kind::Enum(_) => true,
                _ => false,
            };
            if number || self.end >= self.enough {
                continue;
            }
            if let Some(at) = table.slot(field.slot) {
                self.field(table, field, at)?;
            }
        }
        Ok(())
    }

    fn field(&mut self, table: &RawTable<'_>, field: &FieldDef, at: usize) -> Result<(), Unbounded> {
        match field.kind {
            Kind::Scalar(_) if OUTSIDE.contains(&field.name) => self.outside(table, field, at),
            Kind::Scalar(_) | Kind::Enum(_) => Ok(()),
            Kind::String => self.string(at),
            Kind::Table(def) => {
                let inner = RawTable::at(self.bytes, follow(self.bytes, at)?, def).map_err(|_| Unbounded)?;
                self.table(&inner)
            }
            Kind::Union(def) => {
                let tag = field.slot.checked_sub(1).and_then(|slot| table.slot(slot)).ok_or(Unbounded)?;
                let [tag] = array(self.bytes, tag)?;
                let def = def.table(tag).ok_or(Unbounded)?;
                let inner = RawTable::at(self.bytes, follow(self.bytes, at)?, def).map_err(|_| Unbounded)?;
                self.table(&inner)
            }
            Kind::Vector(element) => self.vector(element, at),
        }
    }

    fn outside(&mut self, table: &RawTable<'_>, field: &FieldDef, at: usize) -> Result<(), Unbounded> {
        let number = |at| integer(self.bytes, at, Scalar::U64).map(|bits| bits as u64);
        let offset = number(at)?;
        let size = match field.slot.checked_add(1).and_then(|slot| table.slot(slot)) {
            Some(at) => number(at)?,
            None => 0,
        };
        if offset > 1 {
            let end = offset.checked_add(size).and_then(|end| usize::try_from(end).ok());
            self.reach(end.ok_or(Unbounded)?);
        }
        Ok(())
    }

    fn string(&mut self, at: usize) -> Result<(), Unbounded> {
        self.spend()?;
        let text = vector::elements(self.bytes, follow(self.bytes, at)?, 1)?;
        // A zero byte follows, which is no part of the length.
        self.reach(text.end.saturating_add(1));
        Ok(())
    }

    fn vector(&mut self, element: Element, at: usize) -> Result<(), Unbounded> {
        let start = follow(self.bytes, at)?;
        let size = match element {
            Element::Scalar(scalar) => scalar.size(),
            Element::Enum(def) => def.base.size(),
            Element::String | Element::Table(_) => vector::OFFSET,
        };
        let elements = vector::elements(self.bytes, start, size)?;
        self.reach(elements.end);
        match element {
            Element::Scalar(_) | Element::Enum(_) => Ok(()),
            Element::String => elements.step_by(vector::OFFSET).try_for_each(|at| self.string(at)),
            Element::Table(def) => {
                for table in vector::RawTables::at(self.bytes, start, def)? {
                    if self.end >= self.enough {
                        break;
                    }
                    self.table(&table.map_err(|_| Unbounded)?)?;
                }
                Ok(())
            }
        }
    }
}
