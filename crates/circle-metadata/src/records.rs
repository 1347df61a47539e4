//! What `ONE_op_table` and `ONE_execution_plan_table` are made of: records of a key and a counted list of words.
//!
//! All words are little-endian `u32`; nothing is aligned or padded:
//!
//! ```text
//! count  { key  length  word * length } * count
//! ```

use crate::cursor::Cursor;
use crate::problem::Problems;

/// Bytes of a record before its words: key and length.
const HEADER: usize = 8;

/// Visits the whole records with their offset, key and words; reports what is out of shape. `words` is what they are
/// called in reports.
pub(crate) fn scan(
    payload: &[u8],
    words: &str,
    problems: &mut Problems,
    mut visit: impl FnMut(&mut Problems, usize, u32, &[[u8; 4]]),
) {
    let mut cursor = Cursor::new(payload);
    let Some(count) = cursor.word() else {
        problems.error(0, format!("{} bytes are too few for the record count of 4", payload.len()));
        return;
    };
    for record in 0..count {
        let at = cursor.at();
        let (Some(key), Some(length)) = (cursor.word(), cursor.word()) else {
            let left = payload.len() - at;
            problems.error(
                at,
                format!("record {record} of {count}: {left} bytes left, the header takes {HEADER}"),
            );
            return;
        };
        let Some(stored) = cursor.take(u64::from(length) * 4) else {
            let left = cursor.remaining();
            problems.error(at, format!("record {record} of {count}: {length} {words}, {left} bytes left"));
            return;
        };
        visit(problems, at, key, stored.as_chunks::<4>().0);
    }
    if cursor.remaining() > 0 {
        problems
            .error(cursor.at(), format!("{} bytes after the last of {count} records", cursor.remaining()));
    }
}

/// What the tests of tables share.
#[cfg(test)]
pub(crate) mod testing {
    use crate::problem::{Problem, Severity};

    /// Words as they stand in a file.
    pub(crate) fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The one problem there is.
    pub(crate) fn only(problems: &[Problem]) -> (Severity, u64, &str) {
        assert_eq!(problems.len(), 1, "{problems:?}");
        (problems[0].severity, problems[0].at_byte, &problems[0].text)
    }
}
