//! Reads models and writes them again without passes, and says what it took.
//!
//! `rewrite IN OUT [keep|inline|extended]` rewrites a file. `rewrite --large FOLDER` rewrites an inline model of 1 GiB
//! that it makes there, to see that weights do not pass through the heap. `rewrite --many FOLDER` does so with a
//! model of 100,000 operators.
#![allow(clippy::print_stdout, reason = "an example speaks to its reader")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use circle_format::read::{ReadOptions, read};
use circle_format::write::{self, Layout, ReplaceError, WriteError, WriteOptions};
use circle_ir::import::ImportedLineage;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::{Model, text};
use circle_schema::{MappedFile, emit, verify};
use circle_tables::{CIRCLE, circle};
use flatbuffers::FlatBufferBuilder;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A failure of the file or of the model.
#[derive(Debug)]
enum Failure {
    Place(ReplaceError),
    Model(WriteError),
}

impl From<ReplaceError> for Failure {
    fn from(error: ReplaceError) -> Self {
        Self::Place(error)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Place(error) => write!(f, "{error}"),
            Self::Model(error) => write!(f, "{error}"),
        }
    }
}

impl Error for Failure {}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["--large", folder] => large(Path::new(folder)),
        ["--many", folder] => many(Path::new(folder)),
        [input, output] => rewrite(Path::new(input), Path::new(output), Layout::Keep),
        [input, output, layout] => {
            let layout = match layout {
                "keep" => Layout::Keep,
                "inline" => Layout::Inline,
                "extended" => Layout::Extended,
                other => return Err(format!("there is no layout {other}").into()),
            };
            rewrite(Path::new(input), Path::new(output), layout)
        }
        _ => Err("usage: rewrite IN OUT [keep|inline|extended] | --large FOLDER | --many FOLDER".into()),
    }
}

fn rewrite(input: &Path, output: &Path, layout: Layout) -> Result<()> {
    let mut clock = Instant::now();
    let mut lap = |what: &str| {
        println!("{what:<12}{:>9.2} ms", clock.elapsed().as_secs_f64() * 1e3);
        clock = Instant::now();
    };
    let file = MappedFile::open(input)?;
    let (_, root) = verify(file.bytes())?;
    lap("verify");
    let extent = root.extent();
    lap("extent");
    let draft = read(file.bytes(), ReadOptions::default())?.draft;
    lap("read");
    let name = OriginFile {
        name: Arc::from("in"),
        format: FileFormat::Other,
        bytes: file.metadata().len,
        md5: [0; 16],
        sha256: None,
    };
    let lineage = ImportedLineage::fresh(&draft, name);
    let model: Model = draft.adopt(lineage)?;
    lap("adopt");
    let numbering = write::number(&model);
    let options = WriteOptions { layout };
    let written = write::replace(output, |sink| {
        write::write(&model, file.bytes(), &numbering, &[], options, sink).map_err(Failure::Model)
    })?;
    lap("write");
    println!("{} operators, {extent} bytes; written {written:?}", model.operator_count());
    if let Some((peak, mapped)) = memory() {
        println!("peak of memory {peak} KiB, of it {mapped} KiB of files: {} KiB of our own", peak - mapped);
    }
    Ok(())
}

/// Peak of resident memory, and resident pages of mapped files, in KiB, where the system tells. The input is still
/// mapped and resident, so that the difference is what was allocated.
fn memory() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    Some((field("VmHWM:")?, field("RssFile:")?))
}

/// An inline model of which all but the head is a hole: the data of its one constant is the last thing in the file.
fn large(folder: &Path) -> Result<()> {
    const SIZE: u64 = 1 << 30;
    let model = text::parse(&format!(
        "subgraph sg0 \"main\" (%0) -> (%2)\n  %0: f32[1] \"x\"\n  %1: f32[{0}] \"w\" = [0.5]\n  %2: f32[{0}] \"y\"\n  op0 ADD (%0, %1) -> %2\n",
        4
    ))?;
    let mut bytes = Vec::new();
    write::write(&model, &[], &write::number(&model), &[], WriteOptions::default(), &mut bytes)?;
    // The shape of two tensors and the length of the vector say 4 floats; they shall say more.
    let data = bytes.len() - 16;
    bytes.truncate(data);
    let (elements, length) = ((SIZE / 4) as u32, SIZE as u32);
    let shape = [1u32.to_le_bytes(), 4u32.to_le_bytes()].concat();
    while let Some(at) = bytes.windows(8).position(|window| window == shape) {
        bytes[at + 4..at + 8].copy_from_slice(&elements.to_le_bytes());
    }
    bytes[data - 4..].copy_from_slice(&length.to_le_bytes());
    let input = folder.join("large.circle");
    std::fs::write(&input, &bytes)?;
    std::fs::OpenOptions::new().write(true).open(&input)?.set_len(data as u64 + SIZE)?;
    rewrite(&input, &folder.join("large.out.circle"), Layout::Keep)
}

/// A chain of operators, made by description.
fn many(folder: &Path) -> Result<()> {
    const COUNT: usize = 100_000;
    let mut tensors = String::from("{shape=[1, 8], name=\"x\"}");
    let mut operators = String::new();
    for index in 0..COUNT {
        tensors.push_str(&format!(", {{shape=[1, 8], name=\"tensor_{index}\"}}"));
        let comma = if index == 0 { "" } else { ", " };
        operators.push_str(&format!(
            "{comma}{{opcode_index=0, inputs=[{index}, {index}], outputs=[{}], builtin_options=AddOptions{{}}}}",
            index + 1
        ));
    }
    let text = format!(
        "{{operator_codes=[{{version=1}}], buffers=[{{}}],
          subgraphs=[{{tensors=[{tensors}], inputs=[0], outputs=[{COUNT}], operators=[{operators}]}}]}}"
    );
    let record = circle_tables::parse(&circle::MODEL, &text)?;
    let mut builder = FlatBufferBuilder::new();
    let root = emit::emit(&mut builder, &record)?;
    builder.finish(root, Some(CIRCLE.file_identifier));
    let input = folder.join("many.circle");
    std::fs::write(&input, builder.finished_data())?;
    drop((record, builder, text, tensors, operators));
    rewrite(&input, &folder.join("many.out.circle"), Layout::Keep)
}
