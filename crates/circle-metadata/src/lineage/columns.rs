//! Packed rows of variable-length numbers, and their reader. The layouts stand in `schema/lineage.fbs`.

use super::error::{ColumnFault, DecodeError};

/// Appends numbers to the packed bytes of one list.
#[derive(Debug, Default)]
pub(super) struct ColumnWriter {
    pub(super) bytes: Vec<u8>,
}

impl ColumnWriter {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Unsigned LEB128: seven bits a byte, low bits first.
    pub(super) fn unsigned(&mut self, mut value: u64) {
        loop {
            // The mask leaves seven bits, which fit a byte.
            let low = (value & 0x7f) as u8;
            value >>= 7;
            if value == 0 {
                return self.bytes.push(low);
            }
            self.bytes.push(low | 0x80);
        }
    }

    /// Signed numbers zigzag: 0, -1, 1, -2 … become 0, 1, 2, 3 …
    pub(super) fn signed(&mut self, value: i64) {
        self.unsigned(((value << 1) ^ (value >> 63)).cast_unsigned());
    }

    /// The difference to the value before, which `value` then becomes.
    pub(super) fn step(&mut self, before: &mut u32, value: u32) {
        self.signed(i64::from(value) - i64::from(*before));
        *before = value;
    }

    /// Like [`step`](Self::step), of one more than the value, so that 0 is left for none.
    pub(super) fn maybe(&mut self, before: &mut i64, value: Option<u32>) {
        let value = value.map_or(0, |value| i64::from(value) + 1);
        self.signed(value - *before);
        *before = value;
    }

    /// An ascending set; `each` is called after every element, to add what belongs to it.
    pub(super) fn set(
        &mut self,
        before: &mut u32,
        elements: impl ExactSizeIterator<Item = u32>,
        mut each: impl FnMut(&mut Self, usize),
    ) {
        self.unsigned(elements.len() as u64);
        let mut last = None;
        for (index, element) in elements.enumerate() {
            match last {
                None => self.step(before, element),
                // Ascending sets leave at least 1; `check` has seen to that.
                Some(last) => self.unsigned(u64::from(element.saturating_sub(last).saturating_sub(1))),
            }
            last = Some(element);
            each(self, index);
        }
    }
}

/// Reads the packed bytes of one list. Every error says where.
#[derive(Debug)]
pub(super) struct ColumnReader<'a> {
    table: &'static str,
    bytes: &'a [u8],
    at: usize,
    row: u64,
}

impl<'a> ColumnReader<'a> {
    pub(super) fn new(table: &'static str, bytes: &'a [u8]) -> Self {
        Self { table, bytes, at: 0, row: 0 }
    }

    pub(super) fn fail<T>(&self, fault: ColumnFault) -> Result<T, DecodeError> {
        Err(DecodeError::Column { table: self.table, row: self.row, at_byte: self.at as u64, fault })
    }

    /// Reads `count` rows, each of at least `least` bytes, and demands that nothing is left.
    pub(super) fn rows<T>(
        mut self,
        count: u32,
        least: usize,
        mut row: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let (count, room) = (count as usize, self.bytes.len() / least);
        if count > room {
            return self.fail(ColumnFault::Count { rows: count as u64, bytes: self.bytes.len() as u64 });
        }
        let mut rows = Vec::with_capacity(count);
        for index in 0..count {
            self.row = index as u64;
            rows.push(row(&mut self)?);
        }
        match self.bytes.len() - self.at {
            0 => Ok(rows),
            left => self.fail(ColumnFault::Trailing { bytes: left as u64 }),
        }
    }

    /// How many bytes are left: no count read from them can rightly be larger.
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => self.fail(ColumnFault::End),
        }
    }

    pub(super) fn take(&mut self, count: u64) -> Result<&'a [u8], DecodeError> {
        let taken = usize::try_from(count).ok().and_then(|count| self.bytes.get(self.at..)?.get(..count));
        match taken {
            Some(taken) => {
                self.at += taken.len();
                Ok(taken)
            }
            None => self.fail(ColumnFault::End),
        }
    }

    pub(super) fn unsigned(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0_u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let low = u64::from(byte & 0x7f);
            // The tenth byte has room for one bit; a last byte of 0 after the first adds nothing.
            if (shift == 63 && low > 1) || (byte == 0 && shift > 0) {
                return self.fail(ColumnFault::Number);
            }
            value |= low << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        self.fail(ColumnFault::Number)
    }

    pub(super) fn word(&mut self) -> Result<u32, DecodeError> {
        let value = self.unsigned()?;
        self.narrow(i128::from(value))
    }

    pub(super) fn signed(&mut self) -> Result<i64, DecodeError> {
        let value = self.unsigned()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    pub(super) fn step(&mut self, before: &mut u32) -> Result<u32, DecodeError> {
        let difference = self.signed()?;
        *before = self.narrow(i128::from(*before) + i128::from(difference))?;
        Ok(*before)
    }

    pub(super) fn maybe(&mut self, before: &mut i64) -> Result<Option<u32>, DecodeError> {
        let value = i128::from(*before) + i128::from(self.signed()?);
        if value == 0 {
            *before = 0;
            return Ok(None);
        }
        let index = self.narrow(value - 1)?;
        *before = i64::from(index) + 1;
        Ok(Some(index))
    }

    /// An ascending set of values made by `each`, which gets every element.
    pub(super) fn set<T>(
        &mut self,
        before: &mut u32,
        mut each: impl FnMut(&mut Self, u32) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let count = self.count()?;
        let mut values = Vec::with_capacity(count);
        let mut last = None;
        for _ in 0..count {
            let element = match last {
                None => self.step(before)?,
                Some(last) => {
                    let gap = self.unsigned()?;
                    self.narrow(i128::from(last) + 1 + i128::from(gap))?
                }
            };
            last = Some(element);
            values.push(each(self, element)?);
        }
        Ok(values)
    }

    /// A number of things that each take at least a byte.
    pub(super) fn count(&mut self) -> Result<usize, DecodeError> {
        let count = self.unsigned()?;
        match usize::try_from(count) {
            Ok(fits) if fits <= self.left() => Ok(fits),
            _ => self.fail(ColumnFault::End),
        }
    }

    pub(super) fn narrow(&self, value: i128) -> Result<u32, DecodeError> {
        u32::try_from(value).or_else(|_| self.fail(ColumnFault::Range { value }))
    }

    /// The member of a vocabulary, or the code that has none.
    pub(super) fn member<T>(
        &self,
        what: &'static str,
        code: u8,
        from_code: impl Fn(u8) -> Option<T>,
    ) -> Result<T, DecodeError> {
        match from_code(code) {
            Some(member) => Ok(member),
            None => self.fail(ColumnFault::Code { what, code }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_as_few_bytes_as_they_need() {
        let cases = [0_i64, -1, 1, 63, -64, 64, -65, i64::MAX, i64::MIN];
        let mut writer = ColumnWriter::default();
        for value in cases {
            writer.signed(value);
            writer.unsigned(value.unsigned_abs());
        }
        let reader = ColumnReader::new("t", &writer.bytes);
        let read = reader.rows(9, 2, |r| Ok((r.signed()?, r.unsigned()?))).unwrap();
        assert_eq!(read, cases.map(|value| (value, value.unsigned_abs())));
        let mut short = ColumnWriter::default();
        short.signed(-64);
        assert_eq!(short.bytes, [127]);
    }

    #[test]
    fn absent_values_come_back_and_have_no_room_below_them() {
        let cases = [None, Some(0), Some(7), None, Some(u32::MAX), None, None];
        let (mut writer, mut before) = (ColumnWriter::default(), 0);
        for value in cases {
            writer.maybe(&mut before, value);
        }
        let read = |bytes: &[u8], rows| {
            let mut before = 0;
            ColumnReader::new("t", bytes).rows(rows, 1, |r| r.maybe(&mut before))
        };
        assert_eq!(read(&writer.bytes, 7).unwrap(), cases);
        let mut below = ColumnWriter::default();
        below.signed(-1);
        let refused = read(&below.bytes, 1).unwrap_err();
        assert!(matches!(refused, DecodeError::Column { fault: ColumnFault::Range { value: -2 }, .. }));
    }

    #[test]
    fn there_is_one_way_to_write_a_number() {
        let number = |bytes: &[u8]| ColumnReader::new("t", bytes).rows(1, 1, ColumnReader::unsigned);
        assert_eq!(number(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]), Ok(vec![u64::MAX]));
        for bad in [&[0x80, 0][..], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], &[0xff; 11]] {
            assert!(
                matches!(number(bad), Err(DecodeError::Column { fault: ColumnFault::Number, .. })),
                "{bad:?}"
            );
        }
        assert!(matches!(
            number(&[0x80]),
            Err(DecodeError::Column { fault: ColumnFault::End, at_byte: 1, .. })
        ));
    }

    #[test]
    fn sets_come_back_and_counts_are_bounded_by_the_bytes() {
        let sets: [&[u32]; 4] = [&[], &[5], &[4, 5, 9], &[0, u32::MAX]];
        let (mut writer, mut before) = (ColumnWriter::default(), 0);
        for set in sets {
            writer.set(&mut before, set.iter().copied(), |_, _| {});
        }
        let mut before = 0;
        let read = ColumnReader::new("t", &writer.bytes)
            .rows(4, 1, |r| r.set(&mut before, |_, element| Ok(element)))
            .unwrap();
        assert_eq!(read, sets);
        let huge =
            ColumnReader::new("t", &[0xff, 0xff, 0xff, 0x7f]).rows(1, 1, |r| r.set(&mut 0, |_, e| Ok(e)));
        assert!(matches!(huge, Err(DecodeError::Column { fault: ColumnFault::End, .. })));
    }
}
