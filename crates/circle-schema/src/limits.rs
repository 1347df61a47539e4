//! How much the generated verifier may do, derived from the size of the file.

use flatbuffers::VerifierOptions;

/// Tables nest no deeper in either schema than Model, SubGraph, Tensor, SparsityParameters,
/// DimensionMetadata and its indices: six. A newer schema may add some.
const MAX_DEPTH: usize = 16;

/// A file can refer to one table, vtable, vector or string from many places, and the verifier counts
/// it each time. Writers share vtables always, and small tables and strings often. Eight times the
/// file allows every byte to be shared by eight; files written by the common tools stay under two.
const SHARING: usize = 8;

/// What small files may share beyond that: a few equal shapes or scales among thousands of tensors.
const SLACK: usize = 16 << 20;

/// Limits for a file of `len` bytes: the verifier's work is linear in the size of the file, and no
/// honest file is refused, however large. The defaults of the `flatbuffers` crate refuse files with
/// more than a million tables or 2 GiB.
pub fn verifier_options(len: usize) -> VerifierOptions {
    VerifierOptions {
        max_depth: MAX_DEPTH,
        // Every visit of a table follows an offset of 4 bytes. That the same offset is followed twice
        // takes a shared parent, which the apparent size counts.
        max_tables: (len / 4).saturating_add(SLACK / 64),
        max_apparent_size: len.saturating_mul(SHARING).saturating_add(SLACK),
        ignore_missing_null_terminator: false,
    }
}
