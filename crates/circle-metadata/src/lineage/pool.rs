//! Strings that many records share, written once each in the order of first use.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::columns::{ColumnReader, ColumnWriter};
use super::error::{ColumnFault, DecodeError};
use crate::name::{Name, Text};

/// Hands out indices of shared strings. The map is only ever looked into, so its order does not show.
#[derive(Debug, Default)]
pub(super) struct PoolWriter<'a> {
    indices: HashMap<&'a [u8], u32, RandomState>,
    pub(super) rows: ColumnWriter,
}

impl<'a> PoolWriter<'a> {
    /// The index of `bytes`. Saturates beyond `u32`; the caller checks [`count`](Self::count) at the end.
    pub(super) fn index(&mut self, bytes: &'a [u8]) -> u32 {
        let next = u32::try_from(self.indices.len()).unwrap_or(u32::MAX);
        *self.indices.entry(bytes).or_insert_with(|| {
            self.rows.unsigned(bytes.len() as u64);
            self.rows.bytes.extend_from_slice(bytes);
            next
        })
    }

    pub(super) fn count(&self) -> usize {
        self.indices.len()
    }
}

/// The shared strings of a blob. Names and texts of one string share its memory.
#[derive(Debug)]
pub(super) struct PoolReader {
    names: Vec<Name>,
    texts: Vec<Option<Text>>,
    /// How many bytes the strings may still come to, each counted wherever it stands.
    left: u64,
}

/// Strings may come to this many times the blob when each is written out where it stands, and to so many bytes in
/// any case. Whoever shows or exports a lineage does write them out; names of operator codes come to about ten times.
const SHARING: u64 = 64;
const SLACK: u64 = 16 << 20;

impl PoolReader {
    /// The strings of a blob of `blob` bytes.
    pub(super) fn new(rows: ColumnReader<'_>, count: u32, blob: usize) -> Result<Self, DecodeError> {
        let names = rows.rows(count, 1, |row| {
            let length = row.unsigned()?;
            row.take(length).map(Name::from)
        })?;
        let left = (blob as u64).saturating_mul(SHARING).saturating_add(SLACK);
        Ok(Self { texts: vec![None; names.len()], names, left })
    }

    pub(super) fn name(&mut self, at: &ColumnReader<'_>, index: u32) -> Result<Name, DecodeError> {
        let Some(name) = self.names.get(index as usize) else {
            return at.fail(ColumnFault::Shared { index, count: self.names.len() as u64 });
        };
        match self.left.checked_sub(name.as_bytes().len() as u64) {
            Some(left) => self.left = left,
            None => return at.fail(ColumnFault::Sharing { index }),
        }
        Ok(name.clone())
    }

    pub(super) fn text(&mut self, at: &ColumnReader<'_>, index: u32) -> Result<Text, DecodeError> {
        let name = self.name(at, index)?;
        if let Some(Some(text)) = self.texts.get(index as usize) {
            return Ok(text.clone());
        }
        let Some(text) = name.as_str().map(Text::from) else {
            return at.fail(ColumnFault::NotText { index });
        };
        if let Some(place) = self.texts.get_mut(index as usize) {
            *place = Some(text.clone());
        }
        Ok(text)
    }
}
