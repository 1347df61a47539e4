//! Two files of a model held against each other by what their tables say, without the graph in between.

use circle_format::read::is_own;
use circle_schema::{Findings, Format, RawTable, verify};
use circle_tables::{CIRCLE, Datum, Record, opcode};

/// An operator code by meaning.
type Code = (i32, String, i64);

/// All that a file says, apart from where in the file it says it.
#[derive(Debug, PartialEq)]
pub(crate) struct Picture<'a> {
    /// Everything but what follows. Indices that are zero are absent, lists of tables are present.
    model: Record,
    /// By index; `None` for one without a `data` vector or place outside.
    pub(crate) buffers: Vec<Option<&'a [u8]>>,
    codes: Vec<Code>,
    /// By subgraph and operator.
    used: Vec<Vec<Code>>,
    /// Custom options outside the flatbuffer.
    custom: Vec<&'a [u8]>,
    /// The files of an archive behind the model, without its directory.
    archive: &'a [u8],
}

/// What a file says in circle's terms, without our own metadata.
pub(crate) fn picture(bytes: &[u8]) -> Picture<'_> {
    let (format, root) = verify(bytes).unwrap_or_else(|error| panic!("{error}"));
    let mut findings = Findings::new();
    let record = root.to_record_without(&["buffers", "operator_codes"], &mut findings).expect("a record");
    assert!(findings.is_empty(), "{findings:?}");
    let mut model = record.convert(&CIRCLE).expect("a record in circle's terms");
    if format == Format::Tflite {
        model.remove("version");
    }
    let mut buffers = buffers(bytes, &root);
    let mut own = Vec::new();
    each(&mut model, "metadata", |entry| {
        if is_own(entry.str("name").unwrap_or("")) {
            own.push(entry.int("buffer") as usize);
            return false;
        }
        drop_zero(entry, "buffer");
        true
    });
    own.sort_unstable();
    for &index in own.iter().rev() {
        if index + 1 == buffers.len() {
            buffers.pop();
        } else {
            buffers[index] = None;
        }
    }
    let codes = codes(format, &root);
    let (mut used, mut custom) = (Vec::new(), Vec::new());
    present(&mut model, "subgraphs");
    each(&mut model, "subgraphs", |sg| {
        let mut of_subgraph = Vec::new();
        for field in ["tensors", "operators"] {
            present(sg, field);
        }
        each(sg, "tensors", |tensor| drop_zero(tensor, "buffer"));
        each(sg, "operators", |op| {
            of_subgraph.push(codes[op.int("opcode_index") as usize].clone());
            op.remove("opcode_index");
            let (offset, size) =
                (op.uint("large_custom_options_offset"), op.uint("large_custom_options_size"));
            if offset > 1 {
                custom.push(&bytes[offset as usize..(offset + size) as usize]);
                op.remove("large_custom_options_offset");
            }
            true
        });
        used.push(of_subgraph);
        true
    });
    each(&mut model, "signature_defs", |signature| {
        for field in ["inputs", "outputs"] {
            each(signature, field, |map| drop_zero(map, "tensor_index"));
        }
        drop_zero(signature, "subgraph_index")
    });
    let rest = &bytes[root.extent() as usize..];
    let start = rest.iter().position(|&byte| byte != 0).unwrap_or(rest.len());
    let directory = rest
        .windows(4)
        .position(|window| window == b"PK\x01\x02" || window == b"PK\x05\x06")
        .unwrap_or(rest.len());
    Picture { model, buffers, codes, used, custom, archive: &rest[start..directory] }
}

fn buffers<'a>(bytes: &'a [u8], root: &RawTable<'a>) -> Vec<Option<&'a [u8]>> {
    let one = |table: RawTable<'_>| {
        let (offset, size) = (table.uint("offset").expect("offset"), table.uint("size").expect("size"));
        let range = match offset {
            0 | 1 => table.byte_range("data").expect("data"),
            _ => Some(offset..offset + size),
        };
        range.map(|range| &bytes[range.start as usize..range.end as usize])
    };
    root.tables("buffers").expect("buffers").map(|table| one(table.expect("a buffer"))).collect()
}

fn codes(format: Format, root: &RawTable<'_>) -> Vec<Code> {
    let one = |table: RawTable<'_>| {
        let short = table.int("deprecated_builtin_code").expect("a code") as i8;
        let full = table.int("builtin_code").expect("a code") as i32;
        let code = match format {
            Format::Circle => opcode::decode(short, full),
            Format::Tflite => opcode::decode_tflite(short, full),
        };
        let custom = table.str("custom_code").expect("a name").unwrap_or("-").to_owned();
        (code, custom, table.int("version").expect("a version"))
    };
    root.tables("operator_codes").expect("codes").map(|table| one(table.expect("a code"))).collect()
}

/// Changes the tables of a field; those for which `change` says no go.
fn each(record: &mut Record, field: &str, mut change: impl FnMut(&mut Record) -> bool) {
    if let Some(Datum::Records(mut list)) = record.remove(field) {
        list.retain_mut(|table| change(table));
        record.set(field, Datum::Records(list)).expect("the same field");
    }
}

fn present(record: &mut Record, field: &str) {
    if record.get(field).is_none() {
        record.set(field, Datum::Records(Vec::new())).expect("a list of tables");
    }
}

fn drop_zero(record: &mut Record, field: &str) -> bool {
    if record.int(field) == 0 {
        record.remove(field);
    }
    true
}

/// Fails with the first difference.
pub(crate) fn assert_same(name: &str, before: &[u8], after: &[u8]) {
    let (before, after) = (picture(before), picture(after));
    assert_eq!(before.codes, after.codes, "{name}");
    assert_eq!(before.buffers.len(), after.buffers.len(), "{name}: number of buffers");
    for (index, (a, b)) in before.buffers.iter().zip(&after.buffers).enumerate() {
        // Printing megabytes would help nobody.
        assert_eq!(a.map(<[u8]>::len), b.map(<[u8]>::len), "{name}: buffer {index}");
        assert!(a == b, "{name}: buffer {index} differs");
    }
    for (field, datum) in before.model.fields() {
        assert!(Some(datum) == after.model.get(field.name), "{name}: {} differs", field.name);
    }
    assert_eq!(before.used, after.used, "{name}");
    assert_eq!((before.custom, before.archive), (after.custom, after.archive), "{name}");
    assert!(before.model == after.model, "{name}: a field is there that was not");
}
