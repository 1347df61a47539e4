//! How far a file reaches.

use circle_schema::{RawTable, emit, verify};
use circle_tables::circle;
use flatbuffers::{FlatBufferBuilder, WIPOffset};

use crate::common;

const MODELS: [&str; 3] = ["cnn_conv_bn_relu.circle", "external_buffers_cnn.circle", "while_loop.tflite"];

fn extent(bytes: &[u8]) -> u64 {
    verify(bytes).expect("a model").1.extent()
}

#[test]
fn real_files_reach_to_their_end_and_no_further() {
    for name in MODELS {
        let content = common::model(name);
        // The zeros at the end may be padding, which one of the models has 8 bytes of, or data.
        let zeros = content.iter().rev().take_while(|&&byte| byte == 0).count();
        let ends = (content.len() - zeros.min(8)) as u64..=content.len() as u64;
        for tail in [&b""[..], b"x", &[1; 100], &[0; 100]] {
            let longer = [&content, tail].concat();
            assert!(ends.contains(&extent(&longer)), "{name}: {} of {ends:?}", extent(&longer));
        }
    }
}

#[test]
fn data_outside_the_flatbuffer_counts() {
    let text = "{subgraphs=[{operators=[{large_custom_options_offset=5000, large_custom_options_size=77}]}],
                buffers=[{}, {offset=1, size=1}, {offset=3000, size=96}]}";
    let record = circle_tables::parse(&circle::MODEL, text).expect("a record");
    let mut builder = FlatBufferBuilder::new();
    let root = emit::emit(&mut builder, &record).expect("a small record");
    builder.finish(root, Some("CIR0"));
    let mut file = builder.finished_data().to_vec();
    file.resize(6000, 9);
    assert_eq!(extent(&file), 5077);
    // Places beyond the end are another one's finding.
    file.truncate(4000);
    assert_eq!(extent(&file), 4000);
}

/// What a newer field refers to could be anywhere.
#[test]
fn newer_fields_make_it_the_whole_file() {
    let metadata = circle_tables::parse(&circle::METADATA, "{name=\"x\", buffer=3}").expect("a record");
    let mut builder = FlatBufferBuilder::new();
    let root = emit::emit(&mut builder, &metadata).expect("a small record");
    builder.finish(root, None);
    let file = [builder.finished_data(), &[7; 50]].concat();
    let known = RawTable::root(&file, &circle::METADATA).expect("a table");
    let newer = RawTable::root(&file, &circle::RESHAPE_OPTIONS).expect("a table");
    assert!(known.extent() <= file.len() as u64 - 50);
    assert_eq!(newer.extent(), file.len() as u64);
}

/// Tables that refer to one another's parts without end would be walked for as long as they like.
#[test]
fn sharing_without_measure_makes_it_the_whole_file() {
    let mut builder = FlatBufferBuilder::new();
    let start = builder.start_table();
    let tensor = builder.end_table(start);
    let tensors = builder.create_vector(&vec![tensor; 2_000]);
    let start = builder.start_table();
    builder.push_slot_always(4, tensors);
    let subgraph = builder.end_table(start);
    let subgraphs = builder.create_vector(&vec![subgraph; 20_000]);
    let start = builder.start_table();
    builder.push_slot_always(8, WIPOffset::<u32>::new(subgraphs.value()));
    let root = builder.end_table(start);
    builder.finish(root, Some("CIR0"));
    let file = [builder.finished_data(), &[7; 50]].concat();
    // 40 million steps if each were taken.
    let root = RawTable::root(&file, &circle::MODEL).expect("a table");
    assert_eq!(root.extent(), file.len() as u64);
}

#[test]
fn damaged_files_have_some_extent() {
    for name in MODELS {
        let content = common::model(name);
        let mut random = crate::random::Random(23);
        for _ in 0..2000 {
            let mut damaged = [&content[..], &[1; 20]].concat();
            for _ in 0..1 + random.below(4) {
                let at = 4 + random.below(damaged.len() - 4);
                damaged[at] ^= 1 << random.below(8);
            }
            let Ok(root) = RawTable::root(&damaged, &circle::MODEL) else { continue };
            assert!(root.extent() <= damaged.len() as u64);
        }
    }
}
