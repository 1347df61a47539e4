//! `circle_origin_id`: which file a lineage starts from, in one line that `md5sum -c` takes.
//!
//! ```text
//! <32 hex digits>  <file name>\n
//! ```
//!
//! A name with a backslash, line feed or carriage return is written as `md5sum` writes it: a `\` before
//! the digits, and `\\`, `\n`, `\r` inside the name. The name is a base name; folders are nobody's business.
//!
//! ```
//! use circle_metadata::origin_id::{OriginId, decode, encode};
//!
//! let id = OriginId { md5: [0xab; 16], name: "in.circle".into() };
//! let line = encode(&id).unwrap();
//! assert_eq!(line, *b"abababababababababababababababab  in.circle\n");
//! assert_eq!(decode(&line), (Some(id), vec![]));
//! ```

use std::fmt;

use crate::name::Name;
use crate::problem::{Problem, Problems};

/// Key of the entry in the model's metadata.
pub const KEY: &str = "circle_origin_id";

/// Hex digits of an md5 digest.
const DIGITS: usize = 32;

/// A file by digest and base name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginId {
    /// md5 of the whole file.
    pub md5: [u8; 16],
    /// Base name of the file.
    pub name: Name,
}

/// Why a name cannot stand in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// No name at all.
    Empty,
    /// A `/`: a path, which would give away folders.
    Folder {
        /// The name as given.
        name: Name,
    },
    /// A NUL, which no file name has.
    Nul {
        /// Where it stands, in bytes from the start of the name.
        at_byte: u64,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "{KEY}: the file name is empty"),
            Self::Folder { name } => write!(f, "{KEY}: the file name \"{name}\" has a folder in it"),
            Self::Nul { at_byte } => write!(f, "{KEY}: the file name has a NUL at byte {at_byte}"),
        }
    }
}

impl std::error::Error for NameError {}

/// Writes the line, with its line feed.
///
/// # Errors
/// A name that is empty, has a `/` or a NUL.
pub fn encode(id: &OriginId) -> Result<Vec<u8>, NameError> {
    let name = id.name.as_bytes();
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if name.contains(&b'/') {
        return Err(NameError::Folder { name: id.name.clone() });
    }
    if let Some(at) = name.iter().position(|&byte| byte == 0) {
        return Err(NameError::Nul { at_byte: at as u64 });
    }
    let mut line = Vec::with_capacity(DIGITS + 3 + name.len());
    if name.iter().any(|byte| matches!(byte, b'\\' | b'\n' | b'\r')) {
        line.push(b'\\');
    }
    line.extend(crate::hex::encode(&id.md5).bytes());
    line.extend(b"  ");
    for &byte in name {
        match byte {
            b'\\' => line.extend(b"\\\\"),
            b'\n' => line.extend(b"\\n"),
            b'\r' => line.extend(b"\\r"),
            _ => line.push(byte),
        }
    }
    line.push(b'\n');
    Ok(line)
}

/// Reads the line; `None` when there is no digest or no name to be had.
///
/// Tolerated with a warning: a missing line feed, further lines, upper-case digits, `md5sum --binary`'s
/// `*`, a path (only its base name is kept).
pub fn decode(payload: &[u8]) -> (Option<OriginId>, Vec<Problem>) {
    let mut problems = Problems::new(KEY);
    let id = line(payload, &mut problems);
    (id, problems.finish())
}

fn line(payload: &[u8], problems: &mut Problems) -> Option<OriginId> {
    let line = match payload.iter().position(|&byte| byte == b'\n') {
        None => {
            problems.warning(payload.len(), "the line has no line feed at its end".into());
            payload
        }
        Some(end) => {
            let rest = payload.len() - end - 1;
            if rest > 0 {
                problems.warning(end + 1, format!("{rest} bytes after the line"));
            }
            payload.get(..end)?
        }
    };
    let (escaped, unmarked) = match line.split_first() {
        Some((b'\\', rest)) => (true, rest),
        _ => (false, line),
    };
    let start = line.len() - unmarked.len();
    let digest = unmarked.get(..DIGITS).and_then(|digits| std::str::from_utf8(digits).ok());
    let Some(md5) = digest.and_then(crate::hex::decode).and_then(|bytes| <[u8; 16]>::try_from(bytes).ok())
    else {
        problems.error(start, format!("the line does not start with {DIGITS} hex digits"));
        return None;
    };
    if digest.is_some_and(|digits| digits.bytes().any(|digit| digit.is_ascii_uppercase())) {
        problems.warning(start, "the digest is in upper case".into());
    }
    let name_at = start + DIGITS + 2;
    match line.get(start + DIGITS..name_at) {
        Some(b"  ") => {}
        Some(b" *") => problems.warning(start + DIGITS + 1, "the name is marked as binary by a \"*\"".into()),
        _ => {
            problems.error(start + DIGITS, "two spaces are due between digest and name".into());
            return None;
        }
    }
    let written = line.get(name_at..)?;
    let name = if escaped { unescape(written, name_at, problems) } else { written.to_vec() };
    let base = match name.iter().rposition(|&byte| byte == b'/') {
        None => &name[..],
        Some(slash) => {
            problems.warning(name_at, "the name is a path; only its last part is kept".into());
            name.get(slash + 1..)?
        }
    };
    if base.is_empty() {
        problems.error(name_at, "the file name is empty".into());
        return None;
    }
    if base.contains(&0) {
        // It could not be written again, and no file can have it.
        problems.error(name_at, "the file name has a NUL".into());
        return None;
    }
    Some(OriginId { md5, name: base.into() })
}

fn unescape(written: &[u8], name_at: usize, problems: &mut Problems) -> Vec<u8> {
    let mut name = Vec::with_capacity(written.len());
    let mut bytes = written.iter().copied().enumerate();
    while let Some((at, byte)) = bytes.next() {
        if byte != b'\\' {
            name.push(byte);
            continue;
        }
        match bytes.next() {
            Some((_, b'\\')) => name.push(b'\\'),
            Some((_, b'n')) => name.push(b'\n'),
            Some((_, b'r')) => name.push(b'\r'),
            other => {
                problems.warning(name_at + at, "unknown escape in the name, kept as it is".into());
                name.push(b'\\');
                name.extend(other.map(|(_, byte)| byte));
            }
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "0cc175b9c0f1b6a831c399e269772661";
    const MD5: [u8; 16] =
        [0x0c, 0xc1, 0x75, 0xb9, 0xc0, 0xf1, 0xb6, 0xa8, 0x31, 0xc3, 0x99, 0xe2, 0x69, 0x77, 0x26, 0x61];

    fn id(name: impl Into<Name>) -> OriginId {
        OriginId { md5: MD5, name: name.into() }
    }

    fn texts(line: &[u8]) -> (Option<OriginId>, Vec<String>) {
        let (id, problems) = decode(line);
        (id, problems.iter().map(ToString::to_string).collect())
    }

    /// The second line is what `md5sum` of coreutils 9.1 printed for such a file holding the letter a.
    #[test]
    fn the_line_is_md5sums_line() {
        assert_eq!(encode(&id("a b.circle")).unwrap(), format!("{HEX}  a b.circle\n").into_bytes());
        assert_eq!(encode(&id("x\ry\\z\nq")).unwrap(), format!("\\{HEX}  x\\ry\\\\z\\nq\n").into_bytes());
    }

    #[test]
    fn every_name_comes_back() {
        for name in [&b"m.circle"[..], b"\\", b"\n\r\\n", b" *lead", b"\xff\xfe", b"\\x41", b"*"] {
            let id = id(name);
            assert_eq!(decode(&encode(&id).unwrap()), (Some(id), vec![]));
        }
    }

    #[test]
    fn names_that_are_no_base_names_are_refused() {
        assert_eq!(encode(&id("")), Err(NameError::Empty));
        assert_eq!(
            encode(&id("a/b")).unwrap_err().to_string(),
            "circle_origin_id: the file name \"a/b\" has a folder in it"
        );
        assert_eq!(encode(&id("a\0")), Err(NameError::Nul { at_byte: 1 }));
    }

    #[test]
    fn what_others_write_is_read_with_a_warning() {
        let warned = |line: String, at: u64, text: &str| {
            let expected = vec![format!("warning: circle_origin_id byte {at}: {text}")];
            assert_eq!(texts(line.as_bytes()), (Some(id("m")), expected));
        };
        warned(format!("{HEX}  m"), 35, "the line has no line feed at its end");
        warned(format!("{HEX}  m\nmore"), 36, "4 bytes after the line");
        warned(format!("{}  m\n", HEX.to_uppercase()), 0, "the digest is in upper case");
        warned(format!("{HEX} *m\n"), 33, "the name is marked as binary by a \"*\"");
        warned(format!("{HEX}  a/m\n"), 34, "the name is a path; only its last part is kept");
    }

    #[test]
    fn what_cannot_be_read_is_located() {
        let refused = |line: String, at: u64, text: &str| {
            let expected = vec![format!("error: circle_origin_id byte {at}: {text}")];
            assert_eq!(texts(line.as_bytes()), (None, expected));
        };
        refused("\n".into(), 0, "the line does not start with 32 hex digits");
        refused(format!("\\{}  m\n", &HEX[1..]), 1, "the line does not start with 32 hex digits");
        refused(format!("{HEX} m\n"), 32, "two spaces are due between digest and name");
        refused(format!("{HEX}  \n"), 34, "the file name is empty");
        refused(format!("{HEX}  a\0b\n"), 34, "the file name has a NUL");
        assert_eq!(
            texts(format!("\\{HEX}  a\\qb\n").as_bytes()),
            (
                Some(id("a\\qb")),
                vec!["warning: circle_origin_id byte 36: unknown escape in the name, kept as it is".into()]
            )
        );
    }

    #[test]
    fn cut_lines_never_panic() {
        let line = encode(&id("x\ry\\z")).unwrap();
        for cut in 0..line.len() {
            decode(&line[..cut]);
        }
    }
}
