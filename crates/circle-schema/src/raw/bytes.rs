//! Numbers and offsets at a place in the file, each checked against its end.

use circle_tables::Scalar;

use super::error::RawProblem;

/// `size` bytes from `at` on, if the file has them.
pub(super) fn range(bytes: &[u8], at: usize, size: usize) -> Result<&[u8], RawProblem> {
    at.checked_add(size).and_then(|end| bytes.get(at..end)).ok_or(RawProblem::OutOfBounds {
        at: at as u64,
        size: size as u64,
        len: bytes.len() as u64,
    })
}

pub(super) fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], RawProblem> {
    let found = range(bytes, at, N)?;
    found.try_into().map_err(|_| RawProblem::OutOfBounds {
        at: at as u64,
        size: N as u64,
        len: bytes.len() as u64,
    })
}

/// Where the offset at `at` leads: it is unsigned and counts from its own place.
pub(super) fn follow(bytes: &[u8], at: usize) -> Result<usize, RawProblem> {
    let offset = u32::from_le_bytes(array(bytes, at)?) as usize;
    let to = at.checked_add(offset).filter(|&to| to < bytes.len());
    to.ok_or(RawProblem::OutOfBounds {
        at: (at as u64).saturating_add(offset as u64),
        size: 1,
        len: bytes.len() as u64,
    })
}

/// The integer of a type at a place, sign-extended; unsigned 64-bit as its bits.
pub(super) fn integer(bytes: &[u8], at: usize, scalar: Scalar) -> Result<i64, RawProblem> {
    Ok(match scalar {
        Scalar::Bool | Scalar::U8 => i64::from(u8::from_le_bytes(array(bytes, at)?)),
        Scalar::I8 => i64::from(i8::from_le_bytes(array(bytes, at)?)),
        Scalar::I16 => i64::from(i16::from_le_bytes(array(bytes, at)?)),
        Scalar::U16 => i64::from(u16::from_le_bytes(array(bytes, at)?)),
        Scalar::I32 => i64::from(i32::from_le_bytes(array(bytes, at)?)),
        Scalar::U32 | Scalar::F32 => i64::from(u32::from_le_bytes(array(bytes, at)?)),
        Scalar::I64 | Scalar::U64 | Scalar::F64 => i64::from_le_bytes(array(bytes, at)?),
    })
}
