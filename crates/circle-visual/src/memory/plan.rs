//! What is drawn: plans with a title, and marks on blocks that something is wrong with.

use circle_memory::Memory;

/// A memory plan to draw.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// What the plan is called, usually its file.
    pub title: String,
    /// The plan.
    pub memory: Memory,
    /// What is wrong with its blocks. They are drawn all the same.
    pub marks: Vec<Mark>,
}

/// Something that is wrong with a block, or with a segment as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// Position in [`Memory::segments`].
    pub segment: usize,
    /// Position in [`Segment::blocks`](circle_memory::Segment::blocks), where it is a block.
    pub block: Option<usize>,
    /// What is wrong, in words.
    pub message: String,
}
