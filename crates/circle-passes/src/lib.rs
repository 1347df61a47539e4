//! Graph rewrites that carry lineage, one rule a file, and the driver that applies them.
