//! What a form cannot express, all of it found before anything is written.

use std::collections::BTreeMap;

use super::implied::Implied;
use super::{Loss, WriteError, WriteOptions};
use crate::form::Memory;
use crate::place::Place;
use crate::read::Form;

/// Keeps in mind what is lost, to refuse it or to tell of it.
pub(super) struct Losses<'a> {
    memory: &'a Memory,
    form: Form,
    allowed: bool,
    /// What is no loss.
    pub(super) implied: Implied,
    /// Position of each kind.
    kinds: BTreeMap<&'static str, usize>,
    list: Vec<Loss>,
}

impl<'a> Losses<'a> {
    pub(super) fn new(memory: &'a Memory, form: Form, options: &WriteOptions) -> Self {
        let WriteOptions { allow_loss: allowed, implied, .. } = *options;
        Self { memory, form, allowed, implied, kinds: BTreeMap::new(), list: Vec::new() }
    }

    /// Ends the search: refuses what was found if it may not be left out. Nothing may be written before it.
    pub(super) fn settle(&mut self) -> Result<(), WriteError> {
        if self.allowed || self.list.is_empty() {
            return Ok(());
        }
        let losses = std::mem::take(&mut self.list);
        Err(WriteError::CannotExpress { form: self.form, losses, optional: true })
    }

    /// What was lost, in the order in which it was found.
    pub(super) fn all(self) -> Vec<Loss> {
        self.list
    }

    fn lose(&mut self, lost: bool, what: &'static str, place: impl FnOnce(&Memory) -> Place) {
        if !lost {
            return;
        }
        if let Some(loss) = self.kinds.get(what).and_then(|at| self.list.get_mut(*at)) {
            loss.count += 1;
            return;
        }
        self.kinds.insert(what, self.list.len());
        self.list.push(Loss { what, place: place(self.memory), count: 1 });
    }

    /// Something of the file is lost where `lost` holds.
    pub(super) fn file(&mut self, lost: bool, what: &'static str) {
        self.lose(lost, what, |_| Place::default());
    }

    /// Something of a segment is lost where `lost` holds.
    pub(super) fn segment(&mut self, lost: bool, what: &'static str, segment: usize) {
        self.lose(lost, what, |memory| Place::segment(memory, segment));
    }

    /// Something of a block is lost where `lost` holds.
    pub(super) fn block(&mut self, lost: bool, what: &'static str, (segment, block): (usize, usize)) {
        self.lose(lost, what, |memory| Place::block(memory, segment, block));
    }

    /// Something without which the file would be wrong is lost where `lost` holds.
    pub(super) fn never(&self, lost: bool, what: &'static str, place: Place) -> Result<(), WriteError> {
        if !lost {
            return Ok(());
        }
        let losses = vec![Loss { what, place, count: 1 }];
        Err(WriteError::CannotExpress { form: self.form, losses, optional: false })
    }
}
