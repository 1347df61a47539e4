//! The ledger's last page for a lineage that is taken over: what nothing carries any more left in another tool, or is not
//! known to have left.

use std::collections::BTreeSet;

use super::Store;
use super::annotation::Note;
use super::claims::{Claim, Role};
use super::history::{Action, Event, Run};
use super::ledger::{Departure, Reason};
use crate::entity::{OriginId, TensorOriginId};

impl Store {
    /// Enters in the ledger, with `reason`, each origin that is neither among those carried nor there already, and `notes`,
    /// which belong to operators that are not known any more. `run` and `pass` are those in which that was noticed; they are
    /// entered only if something is missing.
    pub fn close(
        &mut self,
        operators: &BTreeSet<OriginId>,
        tensors: &BTreeSet<TensorOriginId>,
        run: impl FnOnce(&mut Self) -> crate::entity::RunId,
        pass: &str,
        reason: Reason,
        notes: Vec<Note>,
    ) {
        let listed: BTreeSet<OriginId> =
            self.ledger.iter().flat_map(|d| self.claim_sets.get(d.claims)).map(|c| c.origin).collect();
        let gone: Vec<Claim> = self
            .origins
            .operators
            .keys()
            .filter(|id| !operators.contains(id) && !listed.contains(id))
            .map(|&origin| Claim { origin, role: Role::Unknown, part: None })
            .collect();
        let listed: BTreeSet<TensorOriginId> =
            self.ledger.iter().flat_map(|d| self.tensor_sets.get(d.tensors)).copied().collect();
        let lost: Vec<TensorOriginId> = (0..self.origins.tensors.len() as u32)
            .map(TensorOriginId::from_number)
            .filter(|id| !tensors.contains(id) && !listed.contains(id))
            .collect();
        if gone.is_empty() && lost.is_empty() && notes.is_empty() {
            return;
        }
        let (claims, tensors) = (self.claim_sets.intern(&gone), self.tensor_sets.intern(&lost));
        let run = run(self);
        let pass = self.pass(pass);
        let event = self.history.push(Event { run, pass, action: Action::Import, took: claims }, []);
        self.ledger.push(Departure { claims, tensors, reason, event, notes });
    }

    /// The run of a tool of which nothing is known but `what` it left behind.
    pub fn unknown_run(&mut self, what: &str) -> crate::entity::RunId {
        self.run(Run { tool: "unknown".into(), version: "".into(), options: what.into() })
    }
}
