//! Identities and what refers to them.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::collect::Collector;
use crate::finding::{Code, Severity};
use crate::form::{FORMAT, Memory, Segment, VERSIONS};
use crate::place::Place;

/// Checks what belongs to the file as a whole.
pub(super) fn file(memory: &Memory, found: &mut Collector<'_>) {
    if memory.format != FORMAT {
        let text = format!("{:?}, and it must be {FORMAT:?}", memory.format);
        found.file(Severity::Error, Code::Version, "format", text);
    }
    if !VERSIONS.contains(&memory.schema_version) {
        let known: Vec<String> = VERSIONS.iter().map(u32::to_string).collect();
        let text = format!("version {} is not known, known are: {}", memory.schema_version, known.join(", "));
        found.file(Severity::Error, Code::Version, "schema_version", text);
    }
    names_of_files(memory, found);
    digests(memory, found);
    let mut ids = HashSet::new();
    for (at, origin) in memory.origins.iter().enumerate() {
        if !ids.insert(origin.id) {
            let text = format!("id {} is given twice", origin.id);
            found.file(Severity::Error, Code::Duplicate, &format!("origins {at} id"), text);
        }
        let files = memory.files.len();
        if let Some(file) =
            origin.file.filter(|file| usize::try_from(*file).map_or(true, |file| file >= files))
        {
            let text = format!("file {file} does not exist ({files} there)");
            found.file(Severity::Error, Code::Reference, &format!("origins {at} file"), text);
        }
    }
    let mut names = HashMap::new();
    for (at, segment) in memory.segments.iter().enumerate() {
        if let Some(first) = names.insert(segment.name.as_str(), at) {
            let text = format!("the name is that of segment {first}");
            found.segment(Severity::Error, Code::Duplicate, at, "name", text);
        }
    }
    let mut blocks: HashMap<&str, (usize, usize)> = HashMap::new();
    for (at, segment) in memory.segments.iter().enumerate() {
        for (block, id) in
            segment.blocks.iter().enumerate().filter_map(|(at, b)| Some((at, b.id.as_deref()?)))
        {
            if let Some(&(segment, first)) = blocks.get(id) {
                let other = (segment == at).then_some(first);
                let text =
                    |memory: &Memory| format!("the id is that of {}", Place::block(memory, segment, first));
                found.block(Severity::Error, Code::Duplicate, (at, block), "id", other, text);
            } else {
                blocks.insert(id, (at, block));
            }
        }
    }
}

/// Names of files have no folders, or they name another file elsewhere.
fn names_of_files(memory: &Memory, found: &mut Collector<'_>) {
    let model =
        memory.model.iter().filter_map(|model| Some(("model name".to_owned(), model.name.as_deref()?)));
    let files = memory.files.iter().enumerate();
    let files = files.map(|(at, file)| (format!("files {at} name"), file.name.as_str()));
    for (field, name) in model.chain(files).filter(|(_, name)| name.contains(['/', '\\'])) {
        let text = format!("{:?} is not a name without folders", crate::place::shortened(name));
        found.file(Severity::Warning, Code::Text, &field, text);
    }
}

/// Digests must be what their fields say, or they will not be found equal to any.
fn digests(memory: &Memory, found: &mut Collector<'_>) {
    let model = memory.model.as_ref();
    let mut texts = vec![
        ("model md5".to_owned(), model.and_then(|m| m.md5.as_deref()), 32),
        ("model sha256".to_owned(), model.and_then(|m| m.sha256.as_deref()), 64),
    ];
    let files = memory.files.iter().enumerate();
    texts.extend(files.map(|(at, file)| (format!("files {at} md5"), file.md5.as_deref(), 32)));
    for (field, text, length) in texts {
        let Some(text) = text else { continue };
        let hexadecimal = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() != length || !hexadecimal {
            let text = format!(
                "{:?} is not {length} hexadecimal digits in lower case",
                crate::place::shortened(text)
            );
            found.file(Severity::Warning, Code::Text, &field, text);
        }
    }
}

/// Checks what the blocks of a segment refer to.
pub(super) fn segment(index: usize, segment: &Segment, found: &mut Collector<'_>) {
    let origins: HashSet<u32> = found.memory.origins.iter().map(|origin| origin.id).collect();
    let spaces: HashSet<u32> = segment.spaces.iter().map(|space| space.id).collect();
    for (at, block) in segment.blocks.iter().enumerate() {
        if let Some(space) = block.space.filter(|space| !spaces.contains(space)) {
            let text = |_: &_| format!("space {space} does not exist");
            found.block(Severity::Error, Code::Reference, (index, at), "space", None, text);
        }
        let mut seen = BTreeSet::new();
        for origin in &block.origins {
            if !origins.contains(origin) {
                let text = |_: &_| format!("origin {origin} does not exist");
                found.block(Severity::Error, Code::Reference, (index, at), "origins", None, text);
            }
            if block.origins.len() > 1 && !seen.insert(origin) {
                let text = |_: &_| format!("origin {origin} is named twice");
                found.block(Severity::Warning, Code::Duplicate, (index, at), "origins", None, text);
            }
        }
    }
}
