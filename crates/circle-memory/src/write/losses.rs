//! What a form cannot express, found before anything is written.

use std::collections::BTreeMap;

use super::{Loss, WriteError};
use crate::form::Memory;
use crate::place::Place;
use crate::read::Form;

/// Refuses what is lost, or keeps it in mind.
pub(super) struct Losses<'a> {
    memory: &'a Memory,
    form: Form,
    allowed: bool,
    /// Position of each kind.
    kinds: BTreeMap<&'static str, usize>,
    list: Vec<Loss>,
}

impl<'a> Losses<'a> {
    pub(super) fn new(memory: &'a Memory, form: Form, allowed: bool) -> Self {
        Self { memory, form, allowed, kinds: BTreeMap::new(), list: Vec::new() }
    }

    /// What was lost, in the order in which it was found.
    pub(super) fn all(self) -> Vec<Loss> {
        self.list
    }

    fn lose(&mut self, what: &'static str, place: impl FnOnce(&Memory) -> Place) -> Result<(), WriteError> {
        if let Some(loss) = self.kinds.get(what).and_then(|at| self.list.get_mut(*at)) {
            loss.count += 1;
            return Ok(());
        }
        let loss = Loss { what, place: place(self.memory), count: 1 };
        if !self.allowed {
            return Err(WriteError::CannotExpress { form: self.form, loss, optional: true });
        }
        self.kinds.insert(what, self.list.len());
        self.list.push(loss);
        Ok(())
    }

    /// Something of the file is lost where `lost` holds.
    pub(super) fn file(&mut self, lost: bool, what: &'static str) -> Result<(), WriteError> {
        if lost { self.lose(what, |_| Place::default()) } else { Ok(()) }
    }

    /// Something of a segment is lost where `lost` holds.
    pub(super) fn segment(
        &mut self,
        lost: bool,
        what: &'static str,
        segment: usize,
    ) -> Result<(), WriteError> {
        if lost { self.lose(what, |memory| Place::segment(memory, segment)) } else { Ok(()) }
    }

    /// Something of a block is lost where `lost` holds.
    pub(super) fn block(
        &mut self,
        lost: bool,
        what: &'static str,
        (segment, block): (usize, usize),
    ) -> Result<(), WriteError> {
        if lost { self.lose(what, |memory| Place::block(memory, segment, block)) } else { Ok(()) }
    }

    /// Something without which the file would be wrong is lost where `lost` holds.
    pub(super) fn never(&self, lost: bool, what: &'static str, place: Place) -> Result<(), WriteError> {
        let loss = Loss { what, place, count: 1 };
        if lost { Err(WriteError::CannotExpress { form: self.form, loss, optional: false }) } else { Ok(()) }
    }
}
