//! The bytes of a file, mapped and not read.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memmap2::Mmap;

/// What the file system said of a file when it was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Size in bytes.
    pub len: u64,
    /// Time of the last change, where the file system has one.
    pub modified: Option<SystemTime>,
}

/// Files up to this many bytes are read and not mapped: it costs less than the mapping, and whatever happens to them
/// afterwards is no matter.
const COPIED: u64 = 1 << 20;

/// A whole file as bytes. Pages are loaded when they are looked at, so weights that nobody looks at
/// cost nothing.
pub struct MappedFile {
    bytes: Bytes,
    /// Held open to ask whether the file has changed, which its name could not tell after a renaming.
    file: Option<File>,
    path: Option<PathBuf>,
    metadata: Metadata,
}

enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl MappedFile {
    /// Maps a regular file, or reads it if it is small.
    ///
    /// A mapped file must not be truncated: whoever looks at what is gone is killed by the system (`SIGBUS`), and
    /// short of copying gigabytes nothing prevents that. So what replaces a model must be written beside it and
    /// renamed, as this project does; and whoever made something of a file asks [`check_unchanged`] before it lets
    /// others have it.
    ///
    /// [`check_unchanged`]: MappedFile::check_unchanged
    ///
    /// # Errors
    /// When the file cannot be opened, is empty, or is not a regular file: a directory, a pipe, a
    /// device. Pipes are refused before they are opened, which would wait for a writer.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let io = |source| OpenError::Io { path: path.to_owned(), source };
        let refuse_others = |metadata: &std::fs::Metadata| match metadata {
            found if found.is_dir() => Err(OpenError::Directory { path: path.to_owned() }),
            found if !found.is_file() => Err(OpenError::NotRegular { path: path.to_owned() }),
            found if found.len() == 0 => Err(OpenError::Empty { path: path.to_owned() }),
            _ => Ok(()),
        };
        refuse_others(&std::fs::metadata(path).map_err(io)?)?;
        let file = File::open(path).map_err(io)?;
        // Another file may have taken the name in between.
        let found = file.metadata().map_err(io)?;
        refuse_others(&found)?;
        let metadata = Metadata { len: found.len(), modified: found.modified().ok() };
        let bytes = match found.len() {
            len if len <= COPIED => {
                let mut bytes = Vec::with_capacity(len as usize);
                // No more than was there when it was opened, however fast it grows.
                (&file).take(len).read_to_end(&mut bytes).map_err(io)?;
                Bytes::Owned(bytes)
            }
            _ => Bytes::Mapped(map(&file).map_err(io)?),
        };
        let file = MappedFile { bytes, file: Some(file), path: Some(path.to_owned()), metadata };
        if file.bytes().len() as u64 != metadata.len {
            return Err(OpenError::Changed { path: path.to_owned() });
        }
        Ok(file)
    }

    /// Takes bytes that came another way, such as standard input.
    pub fn from_vec(bytes: Vec<u8>) -> Self {
        let metadata = Metadata { len: bytes.len() as u64, modified: None };
        MappedFile { bytes: Bytes::Owned(bytes), file: None, path: None, metadata }
    }

    /// Whether the file is still as it was when it was opened, by length and time of change. What was made of it is
    /// to be thrown away otherwise, for it may mix old bytes with new ones. File systems keep time in steps of some
    /// milliseconds, so a change in the very moment of opening can go unnoticed.
    ///
    /// # Errors
    /// When it has changed, or cannot be asked.
    pub fn check_unchanged(&self) -> Result<(), OpenError> {
        let (Some(file), Some(path)) = (&self.file, &self.path) else { return Ok(()) };
        let found = file.metadata().map_err(|source| OpenError::Io { path: path.clone(), source })?;
        let now = Metadata { len: found.len(), modified: found.modified().ok() };
        if now == self.metadata { Ok(()) } else { Err(OpenError::Changed { path: path.clone() }) }
    }

    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(mapped) => mapped,
            Bytes::Owned(owned) => owned,
        }
    }

    /// Where the file was opened; nothing if it did not come from a file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What was known of the file when it was opened.
    pub fn metadata(&self) -> Metadata {
        self.metadata
    }
}

#[allow(unsafe_code, reason = "mapping a file is unsafe by nature")]
fn map(file: &File) -> io::Result<Mmap> {
    // Safety: the mapping is shared with other processes, so its bytes may change while they are read,
    // and nothing can rule that out short of copying gigabytes. We never write to a file that is
    // mapped, no reference into the map is kept as anything but bytes and verified text, and every
    // reader checks each access against the length again instead of trusting an earlier check.
    unsafe { Mmap::map(file) }
}

impl fmt::Debug for MappedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedFile").field("path", &self.path).field("len", &self.metadata.len).finish()
    }
}

/// Why a file cannot be mapped.
#[derive(Debug)]
pub enum OpenError {
    /// The system refuses.
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: io::Error,
    },
    /// It is a directory.
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// It is a pipe, a socket or a device.
    NotRegular {
        /// The file.
        path: PathBuf,
    },
    /// It was written to by someone else while it was in use.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// It holds nothing.
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io { path, source } => write!(f, "{}: {source}", path.display()),
            OpenError::Directory { path } => write!(f, "{}: is a directory, not a model", path.display()),
            OpenError::NotRegular { path } => {
                write!(f, "{}: is a pipe or a device; a model must be a regular file", path.display())
            }
            OpenError::Changed { path } => {
                write!(f, "{}: the file was changed while it was read", path.display())
            }
            OpenError::Empty { path } => write!(f, "{}: the file is empty", path.display()),
        }
    }
}

impl Error for OpenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OpenError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
