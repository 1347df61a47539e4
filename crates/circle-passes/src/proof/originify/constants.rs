//! The costs that are planted on constants.
//!
//! No pass moves them: each is on its constant, which stands for the original tensor that it was planted for whatever it
//! took over since, or in the ledger with that tensor. So each must be found once, as it was planted.

use std::collections::BTreeMap;

use circle_ir::lineage::Store;
use circle_ir::lineage::annotation::{Note, NoteValue};
use circle_ir::verify::Subject;
use circle_ir::{MetricId, Model, SubgraphId, TensorSetId, ValueId};

use super::is_in;

/// What the metrics of constants are called, before the number of the block.
pub(super) const PREFIX: &str = "planted on constants ";

/// A planted cost: what it is and what it was planted for.
type Costs = BTreeMap<(MetricId, i64), (SubgraphId, ValueId, TensorSetId)>;

fn planted<'n>(store: &'n Store, notes: &'n [Note]) -> impl Iterator<Item = (MetricId, i64)> + 'n {
    notes.iter().filter(|note| is_in(store, note, PREFIX)).map(|note| match note.value {
        NoteValue::Integer(value) => (note.metric, value),
        NoteValue::Decimal(_) | NoteValue::Text(_) => (note.metric, 0),
    })
}

/// Reports the costs of constants of `before` that are not where they belong in `after`.
pub(super) fn check(before: &Model, after: &Model, report: &mut dyn FnMut(Subject, String, String)) {
    let (store, mut due) = (before.store(), Costs::new());
    for (id, sg) in before.subgraphs() {
        for (v, notes) in sg.noted() {
            let Some(value) = sg.value(v) else { continue };
            due.extend(planted(store, notes).map(|cost| (cost, (id, v, value.lineage().tensors()))));
        }
    }
    let store = after.store();
    let mut found: BTreeMap<(MetricId, i64), u64> = BTreeMap::new();
    let mut place = |notes: &[Note], tensors: TensorSetId, place: &dyn Fn() -> String| {
        let own = store.tensor_sets.get(tensors);
        for cost in planted(store, notes) {
            *found.entry(cost).or_default() += 1;
            let Some((_, _, of)) = due.get(&cost) else {
                report(Subject::Other, place(), format!("has a cost of {} that no constant had", cost.1));
                continue;
            };
            // Sets that there were before keep their numbers; members ascend.
            let mut of = store.tensor_sets.get(*of).iter();
            if let Some(tensor) = of.find(|tensor| own.binary_search(tensor).is_err()) {
                let text = format!("has the cost of {tensor}, for which it does not stand");
                report(Subject::Other, place(), text);
            }
        }
    };
    for (id, sg) in after.subgraphs() {
        for (v, notes) in sg.noted() {
            let tensors = sg.value(v).map_or(store.tensor_sets.empty(), |value| value.lineage().tensors());
            place(notes, tensors, &|| format!("{id} {v}"));
        }
        for (op, operator) in sg.operators() {
            place(operator.notes(), store.tensor_sets.empty(), &|| format!("{id} {op}"));
        }
    }
    for departure in &store.ledger {
        place(&departure.notes, departure.tensors, &|| "the ledger".into());
    }
    for (cost, (id, v, _)) in &due {
        match found.get(cost).copied().unwrap_or(0) {
            1 => {}
            0 => report(Subject::Other, format!("{id} {v}"), "had a cost that is nowhere now".into()),
            count => {
                report(Subject::Other, format!("{id} {v}"), format!("had a cost that is there {count} times"))
            }
        }
    }
}
