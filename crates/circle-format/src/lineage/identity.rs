//! What a file is known by: base name, form, length and digests.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_schema::Format;
use md5::{Digest, Md5};
use sha2::Sha256;

/// MD5 and SHA-256 of a file.
pub type Digests = ([u8; 16], [u8; 32]);

/// The identity of a file with these bytes. Both digests are computed at the same time.
pub fn identify(name: &str, format: Option<Format>, bytes: &[u8]) -> OriginFile {
    identify_as(name, format, bytes, digests(bytes))
}

/// The identity of a file with these bytes, whose digests are known or will be filled in.
pub fn identify_as(name: &str, format: Option<Format>, bytes: &[u8], (md5, sha256): Digests) -> OriginFile {
    let format = match format {
        Some(Format::Circle) => FileFormat::Circle,
        Some(Format::Tflite) => FileFormat::Tflite,
        None if name.ends_with(".onnx") => FileFormat::Onnx,
        None => FileFormat::Other,
    };
    OriginFile {
        name: Arc::from(base_name(name)),
        format,
        bytes: bytes.len() as u64,
        md5,
        sha256: Some(sha256),
    }
}

/// Passes bytes on and takes in what the file they make is known by.
#[derive(Debug)]
pub struct Identifying<W> {
    sink: W,
    md5: Md5,
    sha256: Sha256,
    bytes: u64,
}

impl<W: io::Write> Identifying<W> {
    /// Bytes go to `sink`.
    pub fn new(sink: W) -> Self {
        Self { sink, md5: Md5::new(), sha256: Sha256::new(), bytes: 0 }
    }
    /// What the circle file of all bytes so far is known by, called `name`.
    pub fn finish(self, name: &str) -> OriginFile {
        OriginFile {
            name: Arc::from(base_name(name)),
            format: FileFormat::Circle,
            bytes: self.bytes,
            md5: self.md5.finalize().into(),
            sha256: Some(self.sha256.finalize().into()),
        }
    }
}

impl<W: io::Write> io::Write for Identifying<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.sink.write(bytes)?;
        let taken = bytes.get(..count).unwrap_or(bytes);
        self.md5.update(taken);
        self.sha256.update(taken);
        self.bytes += taken.len() as u64;
        Ok(count)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// The name without folders; a placeholder where there is none (standard input).
pub fn base_name(path: &str) -> &str {
    match path.rsplit('/').next() {
        Some(name) if !name.is_empty() => name,
        _ => "-",
    }
}

/// Short files are not worth a thread.
const PARALLEL_FROM: usize = 1 << 20;

/// MD5 and SHA-256 of `bytes`.
pub fn digests(bytes: &[u8]) -> Digests {
    if bytes.len() < PARALLEL_FROM {
        return (md5(bytes), sha256(bytes));
    }
    std::thread::scope(|scope| {
        let other = start(scope, move || sha256(bytes));
        (md5(bytes), joined(other).unwrap_or_else(|| sha256(bytes)))
    })
}

fn md5(bytes: &[u8]) -> [u8; 16] {
    Md5::digest(bytes).into()
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A thread that computes a digest; none where the system has no more threads to give.
type Thread<'scope, T> = Option<ScopedJoinHandle<'scope, T>>;

fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Thread<'scope, T> {
    Builder::new().spawn_scoped(scope, work).ok()
}

/// What a thread has computed; nothing if there was none, or if it could not do its work.
fn joined<T>(thread: Thread<'_, T>) -> Option<T> {
    thread?.join().ok()
}

/// Digests that are computed while other work goes on.
#[derive(Debug)]
pub struct Hashing<'scope, 'env> {
    bytes: &'env [u8],
    worker: Thread<'scope, ([u8; 16], Option<[u8; 32]>)>,
    /// Whether somebody computes the SHA-256.
    taken: Arc<AtomicBool>,
}

impl<'scope, 'env> Hashing<'scope, 'env> {
    /// Begins to compute the digests of `bytes` in a thread of `scope`: the MD5, which takes longest, and then the
    /// SHA-256 unless [`finish`](Self::finish) has come to that before. Two threads for them would take turns with the
    /// one that writes where there are two cores. Those of short files are computed by `finish`.
    pub fn start(scope: &'scope Scope<'scope, 'env>, bytes: &'env [u8]) -> Self {
        let taken = Arc::new(AtomicBool::new(false));
        let work = {
            let taken = Arc::clone(&taken);
            move || (md5(bytes), (!taken.swap(true, Ordering::Relaxed)).then(|| sha256(bytes)))
        };
        let worker = if bytes.len() < PARALLEL_FROM { None } else { start(scope, work) };
        Self { bytes, worker, taken }
    }

    /// Whether [`finish`](Self::finish) will return without waiting for long, or nothing goes on meanwhile.
    pub fn is_done(&self) -> bool {
        self.worker.as_ref().is_none_or(ScopedJoinHandle::is_finished)
    }

    /// The digests, as soon as they are known.
    pub fn finish(self) -> Digests {
        let Some(worker) = self.worker else { return digests(self.bytes) };
        let own = (!self.taken.swap(true, Ordering::Relaxed)).then(|| sha256(self.bytes));
        let (md5, other) = joined(Some(worker)).unwrap_or_else(|| (md5(self.bytes), None));
        (md5, own.or(other).unwrap_or_else(|| sha256(self.bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_that_md5sum_and_sha256sum_print() {
        let check = |(md5, sha256): Digests, want: [&str; 2]| {
            let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
            assert_eq!([hex(&md5), hex(&sha256)], want);
        };
        let long = vec![0; PARALLEL_FROM];
        let zeros = [
            "b6d81b360a5672d80c27430f39153e2c",
            "30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58",
        ];
        check(digests(&long), zeros);
        let none = [
            "d41d8cd98f00b204e9800998ecf8427e",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ];
        check(digests(&[]), none);
        std::thread::scope(|scope| {
            check(Hashing::start(scope, &long).finish(), zeros);
            let short = Hashing::start(scope, &[]);
            assert!(short.is_done());
            check(short.finish(), none);
        });
    }
}
