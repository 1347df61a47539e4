//! The graph in memory: operators, tensors, lineage, annotations, and the patches that change them.
