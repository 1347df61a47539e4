//! Models, and the short ways of reading and writing them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use circle_format::read::{ReadOptions, read};
use circle_format::write::{Extra, Layout, WriteError, WriteOptions, Written, number, write};
use circle_ir::import::{Draft, DraftSubgraph, DraftValue, ImportedLineage};
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::model::{self, Frame};
use circle_ir::{Buffer, BufferId, ElementType, Model, OpSpec, ValueId, ValueSpec};
use circle_tables::{Record, circle, opcode};

/// Where `testdata/models` is.
pub(crate) fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/models")
}

/// Model files, sorted: those of `testdata/models`, and those below the folder that `CIRCLE_LINEAGE_CORPUS` names
/// which are not damaged on purpose. Without the variable the test says that it does less than it could.
#[allow(clippy::print_stderr, reason = "a test that does less than it could should say so")]
pub(crate) fn sound() -> Vec<PathBuf> {
    let mut files = below(&models());
    assert!(files.len() >= 3, "{files:?}");
    match std::env::var_os("CIRCLE_LINEAGE_CORPUS") {
        Some(folder) => {
            let more = below(Path::new(&folder));
            assert!(!more.is_empty(), "the corpus holds no model");
            files.extend(more.into_iter().filter(|p| !p.components().any(|c| c.as_os_str() == "hostile")));
        }
        None => eprintln!("CIRCLE_LINEAGE_CORPUS names no folder of models: only testdata/models is used"),
    }
    files
}

/// Model files below a folder, sorted.
pub(crate) fn below(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of models") {
            let path = entry.expect("an entry").path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("circle" | "tflite") => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

fn origin() -> OriginFile {
    OriginFile { name: Arc::from("test"), format: FileFormat::Circle, bytes: 0, md5: [0; 16], sha256: None }
}

/// Makes the model of a draft.
pub(crate) fn adopt(draft: Draft) -> Model {
    let lineage = ImportedLineage::fresh(&draft, origin());
    draft.adopt(lineage).expect("a draft that fits its lineage")
}

/// Reads a model that loses nothing, also one whose operators no name tells apart.
pub(crate) fn load(bytes: &[u8]) -> Model {
    let loaded = read(bytes, ReadOptions { allow_loss: true }).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.lost, [""; 0]);
    adopt(loaded.draft)
}

/// Writes a model with everything as it comes.
pub(crate) fn written(model: &Model, input: &[u8], layout: Layout, extra: &[Extra<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    let told = write_to(model, input, layout, extra, &mut out).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(told.bytes, out.len() as u64);
    out
}

pub(crate) fn write_to(
    model: &Model,
    input: &[u8],
    layout: Layout,
    extra: &[Extra<'_>],
    sink: &mut dyn io::Write,
) -> Result<Written, WriteError> {
    write(model, input, &number(model), extra, WriteOptions { layout }, sink)
}

/// Reads a file and writes it as it is.
pub(crate) fn rewritten(bytes: &[u8]) -> Vec<u8> {
    written(&load(bytes), bytes, Layout::Keep, &[])
}

/// A model that adds a vector to each of some constants of bytes, which are the buffers given.
pub(crate) fn adding(constants: Vec<Buffer>) -> Draft {
    let value = |name: &str, len: u64, buffer: u32| DraftValue {
        // A dimension has 31 bits; larger lengths are asked for in whole kibibytes.
        record: match i32::try_from(len) {
            Ok(len) => ValueSpec::new(name, ElementType::UINT8, &[i64::from(len)]).record,
            Err(_) => ValueSpec::new(name, ElementType::UINT8, &[len as i64 >> 10, 1 << 10]).record,
        },
        buffer: BufferId::from_number(buffer),
    };
    let id = ValueId::from_number;
    let mut sg = DraftSubgraph {
        record: Record::new(&circle::SUB_GRAPH),
        values: vec![value("x", 1, 0)],
        operators: Vec::new(),
        inputs: vec![id(0)],
        outputs: Vec::new(),
    };
    for (index, constant) in constants.iter().enumerate() {
        let number = sg.values.len() as u32;
        sg.values.push(value(&format!("c{index}"), constant.len(), index as u32 + 1));
        sg.values.push(value(&format!("y{index}"), constant.len(), 0));
        sg.operators.push(OpSpec::builtin(opcode::ADD, &[id(0), id(number)], &[id(number + 1)]));
        sg.outputs.push(id(number + 1));
    }
    let frame = Frame {
        record: Record::new(&circle::MODEL),
        codes: Vec::new(),
        signatures: None,
        metadata: None,
        metadata_buffer: None,
        unused_buffers: Vec::new(),
        archive: None,
        layout: model::Layout::Inline,
    };
    let buffers = std::iter::once(Buffer::Empty { vector: false }).chain(constants).collect();
    Draft { frame, subgraphs: vec![sg], buffers }
}
