//! Files that appear whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{ReplaceError, ReplaceProblem};

/// What a file is written to. What was written can be written over while the file is not yet in its place.
pub trait Seekable: Write + Seek {}

impl<T: Write + Seek> Seekable for T {}

/// Up to this many bytes a file is on disk before it takes its place, so that a loss of power cannot leave the place
/// with less than a whole file. Waiting for the disk takes many times longer than writing a larger file, so of those
/// this is left to the system, as `cp` does.
const SYNCED: u64 = 64 << 20;

/// Writes a file through `write`: beside its place under a temporary name, and then into its place. A file
/// that was there keeps its permissions; whoever has it open or mapped, perhaps as the very input of `write`, keeps
/// the old content. A symbolic link is followed.
///
/// When anything fails, the place is as it was and the temporary file is gone.
///
/// # Errors
/// When the place cannot be written, and whatever `write` returns.
pub fn replace<T, E: From<ReplaceError>>(
    path: &Path,
    write: impl FnOnce(&mut dyn Seekable) -> Result<T, E>,
) -> Result<T, E> {
    let place = |problem| ReplaceError { path: path.to_owned(), problem };
    let io = |action| move |source| place(ReplaceProblem::Io { action, source });
    let (target, permissions) = target(path).map_err(place)?;
    let folder = match target.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => return Err(place(ReplaceProblem::Directory).into()),
    };
    let mut file = temporary(folder).map_err(|source| match source.kind() {
        ErrorKind::NotFound => place(ReplaceProblem::NoFolder { folder: folder.to_owned() }),
        _ => place(ReplaceProblem::Io { action: "create a file in its folder", source }),
    })?;
    let result = {
        let mut sink = BufWriter::new(file.as_file_mut());
        let result = write(&mut sink)?;
        sink.flush().map_err(io("write"))?;
        result
    };
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions).map_err(io("set the permissions"))?;
    }
    let synced = file.as_file().metadata().map_err(io("write"))?.len() <= SYNCED;
    if synced {
        file.as_file().sync_all().map_err(io("write"))?;
    }
    file.persist(&target).map_err(|error| io("put the new file in place")(error.error))?;
    // The renaming itself; systems that cannot sync a folder have no need for it.
    if synced {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(result)
}

/// The file that is really meant, and its permissions if it is there.
fn target(path: &Path) -> Result<(PathBuf, Option<Permissions>), ReplaceProblem> {
    let io = |source| ReplaceProblem::Io { action: "look at it", source };
    if path.file_name().is_none() {
        return Err(if path.is_dir() { ReplaceProblem::Directory } else { ReplaceProblem::NoName });
    }
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((led_to(path).map_err(io)?, None)),
        Err(source) => return Err(io(source)),
    };
    match found {
        found if found.is_dir() => Err(ReplaceProblem::Directory),
        found if !found.is_file() => Err(ReplaceProblem::NotRegular),
        found if found.permissions().readonly() => Err(ReplaceProblem::ReadOnly),
        found => Ok((path.canonicalize().map_err(io)?, Some(found.permissions()))),
    }
}

/// Where symbolic links lead from `path`, under which there is no file: that of the last link, which dangles, or `path`.
///
/// # Errors
/// When a link cannot be read, or links lead to no end.
pub fn led_to(path: &Path) -> io::Result<PathBuf> {
    /// What Linux follows before it takes links for a circle.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let next = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(next);
            }
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(path),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("symbolic links lead in a circle"))
}

/// A file of a new name in `folder`, with the permissions that any new file gets.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // Short, so that it fits where the name of the file fits.
    builder.prefix(".circle-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
