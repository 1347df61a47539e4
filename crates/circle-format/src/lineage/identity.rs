//! What a file is known by: base name, form, length and digests.

use std::io;
use std::sync::Arc;

use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_schema::Format;
use md5::{Digest, Md5};
use sha2::Sha256;

/// The identity of a file with these bytes. Both digests are computed at the same time.
pub fn identify(name: &str, format: Option<Format>, bytes: &[u8]) -> OriginFile {
    let (md5, sha256) = digests(bytes);
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
pub fn digests(bytes: &[u8]) -> ([u8; 16], [u8; 32]) {
    let md5 = || <[u8; 16]>::from(Md5::digest(bytes));
    let sha256 = || <[u8; 32]>::from(Sha256::digest(bytes));
    if bytes.len() < PARALLEL_FROM {
        return (md5(), sha256());
    }
    std::thread::scope(|scope| {
        let other = scope.spawn(sha256);
        let md5 = md5();
        // The thread does nothing that could panic; should it all the same, the work is done here.
        (md5, other.join().unwrap_or_else(|_| sha256()))
    })
}
