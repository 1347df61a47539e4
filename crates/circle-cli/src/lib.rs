//! The command-line drivers.
