//! Builders and comparisons shared by tests.
