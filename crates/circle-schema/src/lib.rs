//! Verified, memory-mapped flatbuffers: generated accessors, verifier limits, checked raw tables.
