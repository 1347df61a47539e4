//! Telling forms apart by content, whatever the name of the file.

use super::forms::{Foreign, Form};
use super::{aidge, onert, tflm, vela};

/// A mark that some editors put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The bytes without a byte order mark.
pub(super) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// Tells what a file is by its content. Damaged files are recognised, too, so that reading them says where the damage
/// is. Time is linear in the bytes, and nothing is allocated for them.
pub fn detect(bytes: &[u8]) -> Form {
    if let Some(foreign) = magic(bytes) {
        return Form::Foreign(foreign);
    }
    let bytes = unmarked(bytes);
    match bytes.trim_ascii_start().first() {
        None => Form::Foreign(Foreign::Empty),
        Some(b'{') => object(bytes),
        Some(b'[') if contains(bytes, b"\"ph\"") => Form::Foreign(Foreign::ChromeTrace),
        Some(b'[') if is_settings(bytes) && !is_log(bytes) => Form::Foreign(Foreign::Settings),
        Some(b'[') if !is_log(bytes) => Form::Foreign(Foreign::Json),
        Some(b'<') => Form::Foreign(Foreign::Markup),
        Some(_) => text(bytes),
    }
}

/// Files known by their first bytes.
fn magic(bytes: &[u8]) -> Option<Foreign> {
    match bytes.get(4..8) {
        Some(b"CIR0") => return Some(Foreign::Circle),
        Some(b"TFL3") => return Some(Foreign::Tflite),
        _ => {}
    }
    let starts: [(&[u8], Foreign); 6] = [
        (b"\x89PNG", Foreign::Png),
        (b"\xff\xd8\xff", Foreign::Jpeg),
        (b"\x1f\x8b", Foreign::Gzip),
        (b"PK\x03\x04", Foreign::Zip),
        (b"\xff\xfe", Foreign::Utf16),
        (b"\xfe\xff", Foreign::Utf16),
    ];
    starts.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, foreign)| *foreign)
}

/// A file that begins with a brace.
fn object(bytes: &[u8]) -> Form {
    let mut found = Form::Foreign(Foreign::Json);
    for (key, value) in members(bytes) {
        match key {
            // Of our own form, whatever version; the text of another format's name is not ours to judge.
            b"format" if value.starts_with(b"\"memory-allocation") => return Form::Own,
            b"memory_segments" => return Form::DraftV1,
            b"traceEvents" => return Form::Foreign(Foreign::ChromeTrace),
            b"Execution_Data" => return Form::Foreign(Foreign::OnertExecution),
            b"sidecar_version" => return Form::Foreign(Foreign::Lineage),
            b"segments" => found = Form::Tracealloc,
            _ => {}
        }
    }
    if found == Form::Foreign(Foreign::Json) && contains(bytes, b"\"node_type\"") {
        return Form::Foreign(Foreign::LitertProfile);
    }
    found
}

/// Whether a text that begins with a bracket is a log such as onert's rather than JSON.
fn is_log(bytes: &[u8]) -> bool {
    lines(bytes).any(onert::is_line)
}

/// Tables and logs.
fn text(bytes: &[u8]) -> Form {
    if let Some(form) = heading(bytes) {
        return form;
    }
    for line in lines(bytes) {
        let form = if aidge::is_line(line) {
            Form::Aidge
        } else if tflm::is_line(line) {
            Form::TflmPlan
        } else if vela::is_line(line) {
            Form::Vela
        } else if onert::is_line(line) {
            Form::OnertPlanner
        } else if contains(line, b"[times called]") {
            Form::Foreign(Foreign::LitertProfile)
        } else if line.starts_with(b"| $") && contains(line, b" subgraph @") {
            Form::Foreign(Foreign::OnertTable)
        } else {
            continue;
        };
        return form;
    }
    let is_text = std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
    Form::Foreign(match is_text {
        true if is_settings(bytes) => Foreign::Settings,
        true => Foreign::Text,
        false => Foreign::Binary,
    })
}

/// Whether the first line that is neither empty nor a comment is the heading of a table in TOML or INI: a bare name in
/// brackets, which as JSON would be a list.
fn is_settings(bytes: &[u8]) -> bool {
    let mut filled = lines(bytes).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let Some(line) = filled.find(|line| !line.starts_with(b"#") && !line.starts_with(b";")) else {
        return false;
    };
    let inside =
        |line: &[u8]| line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]")).map(<[u8]>::to_vec);
    let Some(name) = inside(line).map(|name| inside(&name).unwrap_or(name)) else { return false };
    let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
        && name.iter().all(is_bare)
        && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err()
}

/// The form of a table, by the columns of its heading, which is the first line that is neither empty nor a comment.
fn heading(bytes: &[u8]) -> Option<Form> {
    let line = lines(bytes).map(<[u8]>::trim_ascii).find(|l| !l.is_empty() && !l.starts_with(b"#"))?;
    let line = std::str::from_utf8(line).ok()?;
    let has = |name: &str| line.split(',').any(|column| column.trim().trim_matches('"') == name);
    let any = |names: &[&str]| names.iter().any(|name| has(name));
    if any(&["alive_from", "alive_till", "front_addr", "back_addr"]) {
        Some(Form::BackendCsv)
    } else if any(&["lower", "upper"]) && any(&["id", "size"]) {
        Some(Form::PlanCsv)
    } else if has("subgraph") && has("op_index") {
        Some(Form::Foreign(Foreign::ProfileCsv))
    } else if has("id") && has("name") {
        Some(Form::Foreign(Foreign::NamesCsv))
    } else {
        None
    }
}

/// Lines without their ends.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Whether `bytes` contain `part`.
pub(super) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

/// The members of the outermost JSON object: each key as it is written, and the text from its value on. Escapes in keys
/// are not resolved: no key that is asked for needs one. Text that is no JSON ends the walk or is skipped.
pub(super) fn members(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut at = 0usize;
    let mut depth = 0u64;
    let mut key: Option<&[u8]> = None;
    std::iter::from_fn(move || {
        loop {
            let found = at + memchr_structural(bytes.get(at..)?)?;
            at = found + 1;
            match bytes.get(found)? {
                b'"' => {
                    let end = at + string_end(bytes.get(at..)?)?;
                    if depth == 1 {
                        key = bytes.get(at..end);
                    }
                    at = end + 1;
                }
                b':' if depth == 1 => {
                    if let Some(key) = key.take() {
                        return Some((key, bytes.get(at..)?.trim_ascii_start()));
                    }
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return None;
                    }
                }
                _ => {}
            }
        }
    })
}

/// The next byte that has a meaning outside of strings.
fn memchr_structural(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| matches!(byte, b'"' | b':' | b'{' | b'}' | b'[' | b']'))
}

/// Where a string ends that began before `bytes`.
fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let found = at + memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes.get(found) == Some(&b'"') {
            return Some(found);
        }
        at = found + 2;
    }
}
