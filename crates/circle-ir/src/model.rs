//! The model: subgraphs, buffers, what lies around them, and the lineage store.

use circle_tables::Record;

use crate::buffer::Buffer;
use crate::entity::{BufferId, Entity, SubgraphId, Table, ValueId};
use crate::import::{Draft, DraftSubgraph, DraftValue};
use crate::lineage::Store;
use crate::subgraph::Subgraph;

/// How the weights are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In the flatbuffer; files up to 2 GiB.
    Inline,
    /// Behind the flatbuffer, found by offset and size.
    Extended,
}

/// A metadata entry that we carry without looking into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignMetadata {
    /// The entry's table as in the file, all fields but `buffer`.
    pub record: Record,
    /// Its payload.
    pub buffer: BufferId,
}

impl ForeignMetadata {
    /// Name of the entry.
    pub fn name(&self) -> &str {
        self.record.str("name").unwrap_or("")
    }
}

/// Names for the inputs and outputs of a subgraph, as callers know them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The signature's table as in the file, all fields but inputs and outputs.
    pub record: Record,
    /// The subgraph it is about.
    pub subgraph: SubgraphId,
    /// Name tables (without their tensor index) and tensors, in file order; `None` if the vector is absent.
    pub inputs: Option<Vec<(Record, ValueId)>>,
    /// The same for outputs.
    pub outputs: Option<Vec<(Record, ValueId)>>,
}

/// An operator code as the file lists it, kept so that an unchanged model is written with the same list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedCode {
    /// The table as in the file.
    pub record: Record,
    /// What it means.
    pub code: crate::operator::OpCode,
    /// Whether an operator of the file is of that code. One that is not is kept as it is; one that passes have made
    /// superfluous goes.
    pub used: bool,
}

/// Everything of a model that is neither graph nor lineage.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The model's table as in the file: version, description, and fields we do not interpret.
    pub record: Record,
    /// Operator codes as the file lists them.
    pub codes: Vec<ListedCode>,
    /// Signatures, `None` if the vector is absent.
    pub signatures: Option<Vec<Signature>>,
    /// Foreign metadata in file order, `None` if the vector is absent.
    pub metadata: Option<Vec<ForeignMetadata>>,
    /// The legacy list of metadata buffers, `None` if absent.
    pub metadata_buffer: Option<Vec<BufferId>>,
    /// Buffers, ascending, that nothing in the file refers to. They are kept; those whose last tensor passes have
    /// removed go.
    pub unused_buffers: Vec<BufferId>,
    /// Where in the input, in bytes, an archive lies that follows the model: files that belong to it, such as the
    /// names of its classes.
    pub archive: Option<std::ops::Range<u64>>,
    /// Where weights lie.
    pub layout: Layout,
}

/// A model in memory.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) frame: Frame,
    pub(crate) subgraphs: Vec<Subgraph>,
    pub(crate) buffers: Table<BufferId, Buffer>,
    pub(crate) store: Store,
}

impl Model {
    /// What is neither graph nor lineage.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// The subgraphs; number 0 is the main one.
    pub fn subgraphs(&self) -> impl Iterator<Item = (SubgraphId, &Subgraph)> {
        self.subgraphs.iter().enumerate().map(|(i, sg)| (SubgraphId::from_number(i as u32), sg))
    }
    /// The subgraph `id`.
    pub fn subgraph(&self, id: SubgraphId) -> Option<&Subgraph> {
        self.subgraphs.get(id.number() as usize)
    }
    /// The buffers by ascending number; number 0 is the empty one.
    pub fn buffers(&self) -> impl Iterator<Item = (BufferId, &Buffer)> {
        self.buffers.iter()
    }
    /// The buffer `id`.
    pub fn buffer(&self, id: BufferId) -> Option<&Buffer> {
        self.buffers.get(id)
    }
    /// Origins, sets, history, ledger and metrics.
    pub fn store(&self) -> &Store {
        &self.store
    }
    /// How many operators all subgraphs have together.
    pub fn operator_count(&self) -> usize {
        self.subgraphs.iter().map(Subgraph::operator_count).sum()
    }
}

impl Model {
    /// Enters a run in the history; patches are applied as part of one.
    pub fn enter_run(&mut self, run: crate::lineage::history::Run) -> crate::entity::RunId {
        self.store.run(run)
    }
    /// States the digests of an origin file, for a caller who computes them while the passes run. Nothing happens when
    /// there is no such file.
    pub fn identify(&mut self, file: crate::entity::FileId, md5: [u8; 16], sha256: [u8; 32]) {
        if let Some(file) = self.store.origins.files.get_mut(file.number() as usize) {
            file.md5 = md5;
            file.sha256 = Some(sha256);
        }
    }
    /// Ends a run. One in which nothing happened is forgotten again, so that running a tool that finds nothing to do
    /// adds nothing to a model however often; but the first, which tells what the lineage was begun with, stays.
    pub fn leave_run(&mut self, run: crate::entity::RunId) {
        let last = self.store.runs.len().checked_sub(1);
        let idle = self.store.history.last().is_none_or(|event| event.run != run);
        if idle && last.is_some_and(|last| last > 0 && last == run.number() as usize) {
            self.store.runs.pop();
        }
    }
    /// Drops the metadata entries of a name, with their payloads where nothing else refers to them; whether there were
    /// any. For entries that a change to the model has made untrue, or that are written anew.
    pub fn drop_metadata(&mut self, name: &str) -> bool {
        let Some(entries) = &mut self.frame.metadata else { return false };
        let before = entries.len();
        entries.retain(|entry| entry.name() != name);
        let dropped = entries.len() < before;
        if dropped && entries.is_empty() {
            self.frame.metadata = None;
        }
        dropped
    }
    /// Makes a file known to the lineage without any origin in it: one that stood between, or that the origin line is
    /// to name. A file that is known already is not entered again.
    pub fn know_file(&mut self, file: crate::lineage::origin::OriginFile) {
        let files = &mut self.store.origins.files;
        if !files.iter().any(|known| known.md5 == file.md5) {
            files.push(file);
        }
    }
}

impl Model {
    /// The model without its lineage, as a reader hands it in; `None` if a tensor has left it since it came in, so
    /// that the tensors of the draft could not keep their numbers.
    pub fn to_draft(&self) -> Option<Draft> {
        let subgraph = |sg: &Subgraph| {
            let dense = sg.value_count() == sg.next_value().index();
            dense.then(|| DraftSubgraph {
                record: sg.record().clone(),
                values: sg
                    .values()
                    .map(|(_, value)| DraftValue { record: value.record().clone(), buffer: value.buffer() })
                    .collect(),
                operators: sg.operators().map(|(_, op)| op.spec()).collect(),
                inputs: sg.inputs().to_vec(),
                outputs: sg.outputs().to_vec(),
            })
        };
        Some(Draft {
            frame: self.frame.clone(),
            subgraphs: self.subgraphs.iter().map(subgraph).collect::<Option<_>>()?,
            buffers: self.buffers.iter().map(|(_, buffer)| buffer.clone()).collect(),
        })
    }
}
