//! Where bytes lie: alignment, both layouts, sizes around the limit.

use std::io::{self, Seek, SeekFrom, Write};

use circle_format::read::{ReadOptions, read};
use circle_format::write::{Extra, Layout, WriteError, number};
use circle_ir::model;
use circle_ir::{Buffer, Placement};
use circle_schema::{MappedFile, emit::MAX_SIZE, verify};

use crate::common::{adding, adopt, load, models, rewritten, sound, write_to, written};
use crate::compare::{assert_same, picture};
use crate::rewrite::circle_file;

fn model_file(name: &str) -> Vec<u8> {
    std::fs::read(models().join(name)).expect("a model")
}

/// Where the data of all buffers begins that have any, inside the flatbuffer and outside.
fn places(file: &[u8]) -> (Vec<u64>, Vec<u64>) {
    let (_, root) = verify(file).expect("a model");
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for table in root.tables("buffers").expect("buffers") {
        let table = table.expect("a buffer");
        let data = table.byte_range("data").expect("data").filter(|range| !range.is_empty());
        inside.extend(data.map(|range| range.start));
        outside.extend(Some(table.uint("offset").expect("offset")).filter(|&offset| offset > 1));
    }
    (inside, outside)
}

#[test]
fn data_is_aligned_to_16_bytes() {
    let mut seen = [0, 0];
    for path in sound() {
        let before = std::fs::read(&path).expect("a model");
        for layout in [Layout::Keep, Layout::Inline, Layout::Extended] {
            let (inside, outside) = places(&written(&load(&before), &before, layout, &[]));
            seen = [seen[0] + inside.len(), seen[1] + outside.len()];
            assert!(inside.iter().chain(&outside).all(|at| at % 16 == 0), "{}", path.display());
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

#[test]
fn layouts_turn_into_each_other() {
    for name in ["cnn_conv_bn_relu.circle", "external_buffers_cnn.circle", "while_loop.tflite"] {
        let before = model_file(name);
        let inline = written(&load(&before), &before, Layout::Inline, &[]);
        let extended = written(&load(&before), &before, Layout::Extended, &[]);
        assert_same(name, &before, &inline);
        assert_same(name, &before, &extended);
        assert_eq!(load(&inline).frame().layout, model::Layout::Inline);
        assert_eq!(load(&extended).frame().layout, model::Layout::Extended);
        assert!(places(&inline).1.is_empty());
        let back = written(&load(&extended), &extended, Layout::Inline, &[]);
        assert!(back == inline, "{name}");
        let forth = written(&load(&inline), &inline, Layout::Extended, &[]);
        assert!(forth == extended, "{name}");
    }
}

#[test]
fn metadata_stays_inside_when_weights_go_outside() {
    let before = model_file("while_loop.tflite");
    let extra = [Extra { name: "circle_lineage", payload: &[1; 40] }];
    let file = written(&load(&before), &before, Layout::Extended, &extra);
    let (_, root) = verify(&file).expect("a model");
    let buffers = root.tables("buffers").expect("buffers");
    let mut entries = 0;
    for entry in root.tables("metadata").expect("metadata") {
        let number = entry.expect("an entry").uint("buffer").expect("a buffer") as usize;
        let buffer = buffers.get(number).expect("it").expect("a buffer");
        assert!(buffer.byte_range("data").expect("data").is_some_and(|range| !range.is_empty()));
        assert!(!buffer.has("offset"));
        entries += 1;
    }
    assert!(entries >= 2 && !places(&file).1.is_empty());
}

/// An operator whose options lie behind the flatbuffer, shared with another one.
#[test]
fn custom_options_outside_the_flatbuffer_come_along() {
    let text = |at: usize| {
        format!(
            "{{operator_codes=[{{deprecated_builtin_code=32, builtin_code=32, custom_code=\"Blob\"}}],
              subgraphs=[{{tensors=[{{name=\"x\"}}, {{name=\"y\"}}, {{name=\"z\"}}], inputs=[0], outputs=[2], operators=[
                {{inputs=[0], outputs=[1], large_custom_options_offset={at}, large_custom_options_size=5}},
                {{inputs=[1], outputs=[2], large_custom_options_offset={at}, large_custom_options_size=5}}]}}],
              buffers=[{{}}]}}"
        )
    };
    let at = circle_file(&text(1000)).len();
    let mut before = circle_file(&text(at));
    before.extend_from_slice(b"hello");
    let after = rewritten(&before);
    assert_same("custom options", &before, &after);
    assert!(after == rewritten(&after));
    assert_eq!(after.windows(5).filter(|window| window == b"hello").count(), 1);
    let place = after.len() - 5;
    assert!(place.is_multiple_of(16));

    // One byte less, and they are not there.
    before.pop();
    let told = read(&before, ReadOptions::default()).expect_err("refused").to_string();
    assert!(told.contains("large_custom_options: 5 bytes at offset"), "{told}");
}

#[test]
fn what_was_shared_stays_shared() {
    let range = 16..4096;
    let shared = |placement| Buffer::Source { range: range.clone(), placement };
    let input = vec![3; 5000];
    let model = adopt(adding(vec![shared(Placement::Inline), shared(Placement::Inline)]));
    let file = written(&model, &input, Layout::Keep, &[]);
    assert!(file.len() < 4096 + 2000, "{}", file.len());
    assert_eq!(picture(&file).buffers, [None, Some(&input[16..4096]), Some(&input[16..4096])]);
    assert!(rewritten(&file) == file);
}

#[test]
fn ranges_that_overlap_without_measure_are_refused() {
    let input = vec![0; 1000];
    let many = |count: u64| {
        let one = |start| Buffer::Source { range: start..1000, placement: Placement::External };
        adopt(adding((0..count).map(one).collect()))
    };
    assert!(write_to(&many(8), &input, Layout::Keep, &[], &mut io::sink()).is_ok());
    let error = write_to(&many(100), &input, Layout::Keep, &[], &mut io::sink()).expect_err("refused");
    assert_eq!(
        error.to_string(),
        "buffers and custom options overlap: they hold 95050 bytes together, and the input has 1000"
    );
    let beyond = adopt(adding(vec![Buffer::Source { range: 10..1001, placement: Placement::Inline }]));
    let error = write_to(&beyond, &input, Layout::Keep, &[], &mut io::sink()).expect_err("refused");
    assert_eq!(error.to_string(), "buffer 1: bytes 10..1001 lie beyond the end of the input, which has 1000");
}

/// A file in which large runs, known to be zero, are holes.
struct Holes(std::fs::File);

impl Write for Holes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.len() {
            ..4096 => self.0.write_all(bytes)?,
            len => drop(self.0.seek(SeekFrom::Current(len as i64))?),
        }
        let at = self.0.stream_position()?;
        if self.0.metadata()?.len() < at {
            self.0.set_len(at)?;
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Sizes around the limit, with inputs and outputs that are holes and take no space on disk. Their bytes are never
/// looked at.
#[test]
fn files_over_two_gibibytes_are_extended() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let hole = folder.path().join("hole");
    std::fs::File::create(&hole).and_then(|file| file.set_len(5 << 30)).expect("a hole");
    let input = MappedFile::open(&hole).expect("a file");
    let input = input.bytes();
    let save = |name: &str, sizes: &[u64], layout, extra: &[Extra<'_>]| {
        let mut at = 0;
        let constants = sizes.iter().map(|size| {
            at += size;
            Buffer::Source { range: at - size..at, placement: Placement::Inline }
        });
        let model = adopt(adding(constants.collect()));
        let path = folder.path().join(name);
        let mut sink = Holes(std::fs::File::create(&path).expect("a file"));
        write_to(&model, input, layout, extra, &mut sink).map(|written| (written, path))
    };

    // As much as fits, to the byte.
    let (probe, _) = save("probe", &[4096], Layout::Keep, &[]).expect("a small model");
    let most = MAX_SIZE - probe.bytes + 4096;
    let (written, path) = save("most", &[most], Layout::Keep, &[]).expect("a model");
    assert_eq!((written.bytes, written.layout), (MAX_SIZE, model::Layout::Inline));
    let file = MappedFile::open(&path).expect("a file");
    assert_eq!(load(file.bytes()).frame().layout, model::Layout::Inline);

    // A byte more, be it of weights or of metadata.
    let extra = [Extra { name: "circle_lineage", payload: b"x" }];
    for (size, extra) in [(most + 1, &[][..]), (most, &extra[..])] {
        let (written, path) = save("more", &[size], Layout::Keep, extra).expect("a model");
        assert_eq!(written.layout, model::Layout::Extended);
        let file = MappedFile::open(&path).expect("a file");
        let model = load(file.bytes());
        assert_eq!(model.frame().layout, model::Layout::Extended);
        assert!(written.flatbuffer < 10_000 && written.bytes == file.metadata().len);
        assert!(model.buffers().any(|(_, buffer)| buffer.len() == size));
        let error = save("more", &[size], Layout::Inline, extra).expect_err("refused");
        assert!(matches!(error, WriteError::TooLarge { size } if size > MAX_SIZE), "{error}");
    }
    let error = save("more", &[most + 1], Layout::Inline, &[]).expect_err("refused");
    assert_eq!(
        error.to_string(),
        format!(
            "the flatbuffer would take {} bytes, and {MAX_SIZE} are the most that one can have",
            MAX_SIZE + 1
        )
    );

    // Several, beyond what 32 bits count, and the same again from the file.
    let (written, path) = save("large", &[3 << 30, 100, 1 << 30], Layout::Keep, &[]).expect("a model");
    assert!(written.bytes > 4 << 30);
    let file = MappedFile::open(&path).expect("a file");
    let model = load(file.bytes());
    assert_eq!(model.buffers().map(|(_, b)| b.len()).collect::<Vec<_>>(), [0, 3 << 30, 100, 1 << 30]);
    let again = folder.path().join("again");
    let mut sink = Holes(std::fs::File::create(&again).expect("a file"));
    let told = write_to(&model, file.bytes(), Layout::Keep, &[], &mut sink).expect("a model");
    assert_eq!(told, written);
    let head = written.flatbuffer as usize;
    let copy = MappedFile::open(&again).expect("a file");
    assert!(copy.bytes()[..head] == file.bytes()[..head]);
}

#[test]
fn a_numbering_that_leaves_something_out_is_refused() {
    let input = model_file("cnn_conv_bn_relu.circle");
    let model = load(&input);
    let told = |change: fn(&mut circle_format::write::Numbering)| {
        let mut numbering = number(&model);
        change(&mut numbering);
        let options = Default::default();
        let error = circle_format::write::write(&model, &input, &numbering, &[], options, &mut io::sink());
        error.expect_err("refused").to_string()
    };
    assert!(told(|n| n.operators.clear()).contains("lists 0 subgraphs with operators"));
    assert!(told(|n| n.operators[0].truncate(3)).contains("operators, and there are"));
    assert!(told(|n| n.values[0][1] = n.values[0][0]).contains("the numbering lists %0 twice"));
    assert!(told(|n| n.operators[0][1] = n.operators[0][0]).contains("different operators"));
}
