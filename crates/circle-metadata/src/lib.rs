//! Codecs of everything that travels beside the graph: ONE's tables, the lineage blob, measured profiles.
