//! Model files made in tests.

use circle_format::read::{Loaded, ReadOptions, read};
use circle_format::write::{Extra, WriteOptions, number, write};
use circle_ir::Model;
use circle_ir::import::ImportedLineage;
use circle_ir::lineage::origin::{FileFormat, OriginFile};

/// A metadata entry: its name and its content.
pub(crate) type Entry = (String, Vec<u8>);

/// The file of a model in text form, with metadata entries besides.
pub(crate) fn assemble(text: &str, entries: &[Entry]) -> Result<Vec<u8>, String> {
    let model = circle_ir::text::parse(text).map_err(|error| error.to_string())?;
    Ok(file(&model, &[], entries))
}

/// The file of a model that was read from `input`.
pub(crate) fn file(model: &Model, input: &[u8], entries: &[Entry]) -> Vec<u8> {
    let extra: Vec<Extra<'_>> = entries.iter().map(|(name, payload)| Extra { name, payload }).collect();
    let mut out = Vec::new();
    write(model, input, &number(model), &extra, WriteOptions::default(), &mut out)
        .unwrap_or_else(|error| panic!("{error}"));
    out
}

/// A model as a tool reads it that knows nothing of lineage, and the metadata entries that ours are.
pub(crate) fn unaware(bytes: &[u8]) -> (Loaded, Vec<Entry>) {
    let loaded = read(bytes, ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let own = &loaded.own;
    let ranges = [
        ("ONE_source_table", &own.source_table),
        ("ONE_op_table", &own.op_table),
        ("circle_origin_id", &own.origin_id),
        ("circle_lineage", &own.lineage),
    ];
    let payload = |range: &std::ops::Range<u64>| bytes[range.start as usize..range.end as usize].to_vec();
    let entries = ranges
        .into_iter()
        .filter_map(|(name, range)| range.as_ref().map(|range| (name.to_owned(), payload(range))))
        .collect();
    (loaded, entries)
}

/// The model of what was read, as its own origin.
pub(crate) fn fresh(loaded: Loaded) -> Model {
    let file =
        OriginFile { name: "test".into(), format: FileFormat::Circle, bytes: 0, md5: [0; 16], sha256: None };
    let lineage = ImportedLineage::fresh(&loaded.draft, file);
    loaded.draft.adopt(lineage).unwrap_or_else(|error| panic!("{error}"))
}

/// Rewrites a file with other metadata entries in place of ours.
pub(crate) fn with_entries(bytes: &[u8], entries: &[Entry]) -> Vec<u8> {
    let (loaded, _) = unaware(bytes);
    file(&fresh(loaded), bytes, entries)
}

/// Little-endian words, as ONE's tables are made of.
pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}
