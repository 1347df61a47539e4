//! Vectors and strings.

use std::ops::Range;
use std::sync::Arc;

use circle_tables::{Datum, Element, Scalar, TableDef};

use super::RawTable;
use super::bytes::{array, follow, integer, range};
use super::error::{RawError, RawProblem};

/// A vector of tables. Getting one reads nothing of the others.
#[derive(Clone, Debug)]
pub struct RawTables<'a> {
    bytes: &'a [u8],
    /// Where the remaining elements, offsets of 4 bytes, lie.
    offsets: Range<usize>,
    def: Option<&'static TableDef>,
}

impl<'a> RawTables<'a> {
    pub(super) fn none() -> Self {
        RawTables { bytes: &[], offsets: 0..0, def: None }
    }

    pub(super) fn at(bytes: &'a [u8], at: usize, def: &'static TableDef) -> Result<Self, RawProblem> {
        Ok(RawTables { bytes, offsets: elements(bytes, at, OFFSET)?, def: Some(def) })
    }

    /// The element at `index` of those not yet taken.
    ///
    /// # Errors
    /// When it lies beyond the end of the file.
    pub fn get(&self, index: usize) -> Option<Result<RawTable<'a>, RawError>> {
        let def = self.def?;
        let at = index.checked_mul(OFFSET).and_then(|offset| self.offsets.start.checked_add(offset))?;
        if at >= self.offsets.end {
            return None;
        }
        let located = |problem| RawError { table: def.name, field: "", byte: at as u64, problem };
        Some(follow(self.bytes, at).map_err(located).and_then(|at| RawTable::at(self.bytes, at, def)))
    }
}

impl<'a> Iterator for RawTables<'a> {
    type Item = Result<RawTable<'a>, RawError>;

    fn next(&mut self) -> Option<Self::Item> {
        let table = self.get(0)?;
        self.offsets.start += OFFSET;
        Some(table)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.offsets.len() / OFFSET;
        (left, Some(left))
    }
}

impl ExactSizeIterator for RawTables<'_> {}

/// Size of an offset, and of the length of a vector, in bytes.
pub(super) const OFFSET: usize = 4;

/// Where the elements of the vector at `at` lie.
pub(super) fn elements(bytes: &[u8], at: usize, size: usize) -> Result<Range<usize>, RawProblem> {
    let count = u32::from_le_bytes(array(bytes, at)?) as usize;
    let total = count.saturating_mul(size);
    let start = at.saturating_add(OFFSET);
    range(bytes, start, total)?;
    Ok(start..start + total)
}

/// The string at a place.
pub(super) fn string(bytes: &[u8], at: usize) -> Result<&str, RawProblem> {
    let place = elements(bytes, at, 1)?;
    let found = range(bytes, place.start, place.len())?;
    std::str::from_utf8(found)
        .map_err(|error| RawProblem::NotUtf8 { valid: error.valid_up_to() as u64, len: found.len() as u64 })
}

/// The vector that the offset at `at` leads to; nothing for a vector of tables.
pub(super) fn datum(bytes: &[u8], at: usize, element: Element) -> Result<Option<Datum>, RawProblem> {
    let at = follow(bytes, at)?;
    let scalar = match element {
        Element::Scalar(scalar) => scalar,
        Element::Enum(def) => def.base,
        Element::String => {
            let places = elements(bytes, at, OFFSET)?;
            let texts = places.step_by(OFFSET).map(|at| string(bytes, follow(bytes, at)?).map(Arc::from));
            return texts.collect::<Result<_, _>>().map(Datum::Strs).map(Some);
        }
        Element::Table(_) => return Ok(None),
    };
    let size = scalar.size();
    let place = elements(bytes, at, size)?;
    let found = range(bytes, place.start, place.len())?;
    Ok(Some(match scalar {
        Scalar::Bool => Datum::Bools(found.iter().map(|&byte| byte != 0).collect()),
        Scalar::U8 if matches!(element, Element::Scalar(_)) => Datum::Bytes(Arc::from(found)),
        Scalar::F32 => Datum::F32s(numbers(bytes, place, size, |bits| f32::from_bits(bits as u32), scalar)?),
        Scalar::F64 => Datum::F64s(numbers(bytes, place, size, |bits| f64::from_bits(bits as u64), scalar)?),
        _ => Datum::Ints(numbers(bytes, place, size, |value| value, scalar)?),
    }))
}

/// The numbers at a place, of which the file is known to have that many.
fn numbers<T>(
    bytes: &[u8],
    place: Range<usize>,
    size: usize,
    convert: impl Fn(i64) -> T,
    scalar: Scalar,
) -> Result<Vec<T>, RawProblem> {
    place.step_by(size).map(|at| integer(bytes, at, scalar).map(&convert)).collect()
}
