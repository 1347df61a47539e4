//! Model files to the graph in memory and back, without copying weights.
