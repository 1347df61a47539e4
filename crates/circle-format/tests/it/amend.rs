//! Files with a metadata entry added in front, and operators in another order.

use circle_format::amend::amend;
use circle_format::read::{Loaded, ReadOptions, read};
use circle_format::write::Extra;
use circle_ir::Buffer;

use crate::common::sound;

const NAME: &str = "OfflineMemoryAllocation";

fn load(bytes: &[u8]) -> Loaded {
    read(bytes, ReadOptions { allow_loss: true }).unwrap_or_else(|error| panic!("{error}"))
}

fn amended(bytes: &[u8], payload: &[u8], orders: &[Option<Vec<u32>>]) -> Vec<u8> {
    let archive = load(bytes).draft.frame.archive;
    let mut out = Vec::new();
    let entry = Extra { name: NAME, payload };
    let length = amend(bytes, archive, entry, orders, &mut out).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(length, out.len() as u64);
    out
}

/// The payloads of the entry in a file.
fn entries<'a>(bytes: &'a [u8], loaded: &Loaded) -> Vec<&'a [u8]> {
    let all = loaded.draft.frame.metadata.iter().flatten().filter(|entry| entry.name() == NAME);
    let range = |entry: &circle_ir::model::ForeignMetadata| match &loaded.draft.buffers
        [entry.buffer.number() as usize]
    {
        Buffer::Source { range, .. } => range.start as usize..range.end as usize,
        _ => 0..0,
    };
    all.map(|entry| &bytes[range(entry)]).collect()
}

/// What the buffers of a file hold.
fn contents<'a>(bytes: &'a [u8], loaded: &Loaded) -> Vec<&'a [u8]> {
    let all = loaded.draft.buffers.iter().map(|buffer| match buffer {
        Buffer::Source { range, .. } => &bytes[range.start as usize..range.end as usize],
        _ => &[][..],
    });
    all.collect()
}

#[test]
fn the_entry_is_added_and_everything_else_stays() {
    for path in sound() {
        let bytes = std::fs::read(&path).unwrap();
        let before = load(&bytes);
        let out = amended(&bytes, &[1, 2, 3, 4], &[]);
        let after = load(&out);
        assert_eq!(after.format, before.format, "{}", path.display());
        assert_eq!(entries(&out, &after), [[1, 2, 3, 4]]);
        assert_eq!(after.draft.subgraphs.len(), before.draft.subgraphs.len());
        for (new, old) in after.draft.subgraphs.iter().zip(&before.draft.subgraphs) {
            assert_eq!((&new.inputs, &new.outputs), (&old.inputs, &old.outputs));
            assert_eq!(new.operators.len(), old.operators.len());
            assert!(
                new.values.iter().zip(&old.values).all(|(a, b)| a.record == b.record && a.buffer == b.buffer)
            );
        }
        let (new, old) = (contents(&out, &after), contents(&bytes, &before));
        assert!(new.len() > old.len() && new[..old.len()] == old[..], "{}", path.display());
        // As long again: the bytes are overwritten. Longer: the old entry goes.
        let again = amended(&out, &[5, 6, 7, 8], &[]);
        assert_eq!(again.len(), out.len());
        assert_eq!(entries(&again, &load(&again)), [[5, 6, 7, 8]]);
        let longer = amended(&again, &[9; 40], &[]);
        assert_eq!(entries(&longer, &load(&longer)), [[9; 40]]);
    }
}

#[test]
fn operators_are_listed_in_another_order() {
    let mut reordered = 0;
    for path in sound() {
        let bytes = std::fs::read(&path).unwrap();
        let before = load(&bytes);
        // Neighbours that do not depend on one another change places.
        let orders: Vec<Option<Vec<u32>>> = before
            .draft
            .subgraphs
            .iter()
            .map(|sg| {
                let apart = |a: &circle_ir::OpSpec, b: &circle_ir::OpSpec| {
                    !b.inputs.iter().flatten().any(|v| a.outputs.contains(v))
                };
                let at = sg.operators.windows(2).position(|pair| apart(&pair[0], &pair[1]))?;
                let mut order: Vec<u32> = (0..sg.operators.len() as u32).collect();
                order.swap(at, at + 1);
                Some(order)
            })
            .collect();
        let out = amended(&bytes, &[0; 12], &orders);
        let after = load(&out);
        for ((new, old), order) in after.draft.subgraphs.iter().zip(&before.draft.subgraphs).zip(&orders) {
            let outputs = |op: &circle_ir::OpSpec| (op.code.clone(), op.outputs.clone());
            let expected: Vec<_> = match order {
                Some(order) => {
                    order.iter().map(|&position| outputs(&old.operators[position as usize])).collect()
                }
                None => old.operators.iter().map(outputs).collect(),
            };
            assert_eq!(new.operators.iter().map(outputs).collect::<Vec<_>>(), expected, "{}", path.display());
        }
        reordered += orders.iter().flatten().count();
    }
    // The models of the repository are chains; those of the corpus are not.
    assert!(reordered > 10 || std::env::var_os("CIRCLE_LINEAGE_CORPUS").is_none(), "{reordered}");
}

#[test]
fn what_is_no_order_is_refused() {
    let path = sound().into_iter().next().unwrap();
    let bytes = std::fs::read(path).unwrap();
    for order in [vec![], vec![0; load(&bytes).draft.subgraphs[0].operators.len()]] {
        let entry = Extra { name: NAME, payload: &[] };
        let error = amend(&bytes, None, entry, &[Some(order)], &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("the order is not one of"), "{error}");
    }
}

#[test]
fn an_archive_behind_the_model_is_moved() {
    let path =
        sound().into_iter().find(|path| load(&std::fs::read(path).unwrap()).draft.frame.archive.is_some());
    let Some(path) = path else { return };
    let bytes = std::fs::read(path).unwrap();
    let out = amended(&bytes, &[7; 16], &[]);
    let (before, after) =
        (load(&bytes).draft.frame.archive.unwrap(), load(&out).draft.frame.archive.unwrap());
    let shift = out.len() - bytes.len();
    assert_eq!(after.start, before.start + shift as u64);
    assert_eq!(after.end, out.len() as u64);
}
