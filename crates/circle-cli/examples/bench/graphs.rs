//! Models to measure with: graphs of many operators, and few operators with large weights.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use circle_format::write::{self, Layout, WriteOptions};
use circle_ir::import::{Draft, DraftSubgraph, DraftValue, ImportedLineage};
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::model::Frame;
use circle_ir::value::{ElementType, ValueSpec};
use circle_ir::{Buffer, BufferId, Model, OpSpec, Placement, ValueId, text};
use circle_schema::MappedFile;
use circle_tables::{Record, circle, opcode};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Writes a model of at least `count` operators in blocks such as converters from channels-first frameworks write
/// them: convolutions between transposes, a scale and an offset, an activation, a sum with what came before, an
/// operator that changes nothing, and one whose result nobody reads.
pub(super) fn blocks(count: usize, path: &Path) -> Result<usize> {
    let mut graph = Graph::default();
    let input = graph.tensor(NCHW, "");
    let mut x = input;
    while graph.operators < count {
        x = graph.block(x);
    }
    let text = format!("subgraph sg0 \"\" (%{input}) -> (%{x})\n{}{}", graph.head, graph.body);
    let model = text::parse(&text)?;
    write::write(
        &model,
        &[],
        &write::number(&model),
        &[],
        WriteOptions::default(),
        &mut File::create(path)?,
    )?;
    Ok(model.operator_count())
}

const NCHW: &str = "f32[1,2,4,4]";
const NHWC: &str = "f32[1,4,4,2]";

/// The text of a model, with the numbers of what comes next.
#[derive(Default)]
struct Graph {
    head: String,
    body: String,
    tensors: usize,
    operators: usize,
}

impl Graph {
    fn tensor(&mut self, ty_and_shape: &str, content: &str) -> usize {
        let number = self.tensors;
        let _ = writeln!(self.head, "  %{number}: {ty_and_shape} \"block/tensor_{number}\"{content}");
        self.tensors += 1;
        number
    }

    fn op(&mut self, code: &str, inputs: &[usize], shape: &str) -> usize {
        let output = self.tensor(shape, "");
        let inputs: Vec<String> = inputs.iter().map(|i| format!("%{i}")).collect();
        let _ = writeln!(self.body, "  op{} {code} ({}) -> %{output}", self.operators, inputs.join(", "));
        self.operators += 1;
        output
    }

    /// Eleven operators, of which six are needed.
    fn block(&mut self, x: usize) -> usize {
        let to_nhwc = self.tensor("i32[4]", " = [0, 2, 3, 1]");
        let to_nchw = self.tensor("i32[4]", " = [0, 3, 1, 2]");
        // Differs from block to block, so that no two are the same constant.
        let weights = format!(" = [0.5, 0.25, -0.5, {}]", 1 + self.operators);
        let weights = self.tensor("f32[2,1,1,2]", &weights);
        let bias = self.tensor("f32[2]", " = [0.0]");
        let scale = self.tensor("f32[1,2,1,1]", " = [1.5, 0.5]");
        let offset = self.tensor("f32[1,2,1,1]", " = [0.1, -0.1]");
        let zero = self.tensor("f32[]", " = [0.0]");
        let last = self.op("TRANSPOSE", &[x, to_nhwc], NHWC);
        let conv = self.op("CONV_2D {stride_w=1, stride_h=1}", &[last, weights, bias], NHWC);
        let first = self.op("TRANSPOSE", &[conv, to_nchw], NCHW);
        let mul = self.op("MUL", &[first, scale], NCHW);
        let add = self.op("ADD", &[mul, offset], NCHW);
        let relu = self.op("RELU", &[add], NCHW);
        let same = self.op("ADD", &[relu, zero], NCHW);
        let gate = self.op("LOGISTIC", &[same], NCHW);
        let gated = self.op("MUL", &[same, gate], NCHW);
        self.op("NEG", &[gated], NCHW);
        self.op("ADD", &[gated, x], NCHW)
    }
}

/// Whether zeros of a file take room on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zeros {
    /// They are written.
    Written,
    /// They are holes.
    Holes,
}

/// Writes a model of `layers` FULLY_CONNECTED operators, each with 64 MiB of weights, all zero.
pub(super) fn heavy(layers: u32, layout: Layout, zeros: Zeros, path: &Path) -> Result<()> {
    const SIDE: i64 = 4096;
    const BYTES: u64 = (SIDE * SIDE * 4) as u64;
    // Where the weights come from: a file that is all hole.
    let source = path.with_extension("zeros");
    File::create(&source)?.set_len(u64::from(layers) * BYTES)?;
    let mapped = MappedFile::open(&source)?;

    let code = opcode::code("FULLY_CONNECTED").ok_or("no such operator")?;
    let value = |name: String, shape: &[i64], buffer| DraftValue {
        record: ValueSpec::new(&name, ElementType::FLOAT32, shape).record,
        buffer: BufferId::from_number(buffer),
    };
    let mut values = vec![value("x".into(), &[1, SIDE], 0)];
    let mut buffers = vec![Buffer::Empty { vector: false }];
    let mut operators = Vec::new();
    let mut last = ValueId::from_number(0);
    for layer in 0..layers {
        let start = u64::from(layer) * BYTES;
        buffers.push(Buffer::Source { range: start..start + BYTES, placement: Placement::Inline });
        values.push(value(format!("weights_{layer}"), &[SIDE, SIDE], layer + 1));
        values.push(value(format!("y_{layer}"), &[1, SIDE], 0));
        let (weights, y) = (ValueId::from_number(2 * layer + 1), ValueId::from_number(2 * layer + 2));
        operators.push(OpSpec::builtin(code, &[last, weights], &[y]));
        last = y;
    }
    let draft = Draft {
        frame: Frame {
            record: Record::new(&circle::MODEL),
            codes: Vec::new(),
            signatures: None,
            metadata: None,
            metadata_buffer: None,
            unused_buffers: Vec::new(),
            archive: None,
            layout: circle_ir::model::Layout::Inline,
        },
        subgraphs: vec![DraftSubgraph {
            record: Record::new(&circle::SUB_GRAPH),
            values,
            operators,
            inputs: vec![ValueId::from_number(0)],
            outputs: vec![last],
        }],
        buffers,
    };
    let file = OriginFile {
        name: Arc::from("zeros"),
        format: FileFormat::Other,
        bytes: 0,
        md5: [0; 16],
        sha256: None,
    };
    let lineage = ImportedLineage::fresh(&draft, file);
    let model: Model = draft.adopt(lineage)?;
    let mut sink = Sink { file: File::create(path)?, zeros, end: 0 };
    write::write(&model, mapped.bytes(), &write::number(&model), &[], WriteOptions { layout }, &mut sink)?;
    sink.file.set_len(sink.end)?;
    // What is measured shall not pay for what is still on its way to the disk.
    sink.file.sync_all()?;
    std::fs::remove_file(source)?;
    Ok(())
}

/// A file that may skip what is all zero.
struct Sink {
    file: File,
    zeros: Zeros,
    end: u64,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let part = &bytes[..bytes.len().min(1 << 20)];
        let written = if self.zeros == Zeros::Holes && part.len() == 1 << 20 && part.iter().all(|&b| b == 0) {
            self.file.seek(SeekFrom::Current(part.len() as i64))?;
            part.len()
        } else {
            self.file.write(part)?
        };
        self.end += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
