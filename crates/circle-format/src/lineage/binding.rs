//! The binding digest: SHA-256 over the operators of all subgraphs and ONE's two tables. A tool that knows nothing of
//! our lineage and changes, moves or renumbers operators or tensors changes it.
//!
//! Hashed, all numbers little-endian: for each subgraph the number of operators (u64); for each operator its builtin
//! code (i32), the length (u64) and bytes of its custom name, the number of inputs (u64) and each as i64 (-1 for
//! none), the same for outputs; at the end for each table its length (u64) and bytes.

use circle_ir::OpCode;
use sha2::{Digest, Sha256};

/// Takes in operators and gives the digest.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    hasher: Sha256,
}

impl Binding {
    /// A subgraph of so many operators follows.
    pub fn subgraph(&mut self, operators: usize) {
        self.hasher.update((operators as u64).to_le_bytes());
    }
    /// The next operator, with tensor indices of the file.
    pub fn operator(&mut self, code: &OpCode, inputs: &[i64], outputs: &[i64]) {
        self.hasher.update(code.builtin.to_le_bytes());
        self.bytes(code.custom.as_deref().unwrap_or("").as_bytes());
        for list in [inputs, outputs] {
            self.hasher.update((list.len() as u64).to_le_bytes());
            list.iter().for_each(|i| self.hasher.update(i.to_le_bytes()));
        }
    }
    /// A table, after all operators.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.hasher.update((bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }
    /// The digest.
    pub fn finish(self) -> [u8; 32] {
        self.hasher.finalize().into()
    }
}

/// The digest of a model as read, with its two tables.
pub fn of_draft(draft: &circle_ir::import::Draft, source_table: &[u8], op_table: &[u8]) -> [u8; 32] {
    let mut binding = Binding::default();
    for sg in &draft.subgraphs {
        binding.subgraph(sg.operators.len());
        for op in &sg.operators {
            let inputs: Vec<i64> =
                op.inputs.iter().map(|v| v.map_or(-1, |v| i64::from(v.number()))).collect();
            let outputs: Vec<i64> = op.outputs.iter().map(|v| i64::from(v.number())).collect();
            binding.operator(&op.code, &inputs, &outputs);
        }
    }
    binding.bytes(source_table);
    binding.bytes(op_table);
    binding.finish()
}
