//! Problems for the tests, from seeds and from files.
#![allow(dead_code, clippy::unwrap_used, reason = "each test file uses some of this; a test may fail here")]

use std::path::{Path, PathBuf};

use circle_plan::{Block, Problem, csv};

/// Numbers from a seed (xorshift), not those of the library.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1)
    }

    /// From 0 to before `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// What a random problem may contain.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) blocks: u64,
    pub(crate) ticks: u64,
    pub(crate) longest: u64,
    pub(crate) largest: u64,
    pub(crate) aligned: bool,
    pub(crate) fixed: bool,
}

/// A random problem, with blocks of size 0 among the others.
pub(crate) fn random(seed: u64, shape: Shape) -> Problem {
    let mut numbers = Numbers::new(seed);
    let mut blocks = Vec::new();
    for id in 0..shape.blocks {
        let lower = numbers.below(shape.ticks);
        let mut block = Block::new(
            format!("b{id}"),
            lower,
            lower + 1 + numbers.below(shape.longest),
            numbers.below(shape.largest + 1),
        );
        if shape.aligned {
            block.alignment = [1, 2, 3, 4, 8][numbers.below(5) as usize];
        }
        if shape.fixed && numbers.below(5) == 0 {
            block.fixed = Some(numbers.below(shape.largest * 2) / block.alignment * block.alignment);
        }
        // A fixed block that overlaps one before becomes free.
        blocks.push(block);
        if Problem::new(blocks.clone(), None).is_err() {
            blocks.last_mut().unwrap().fixed = None;
        }
    }
    Problem::new(blocks, None).unwrap()
}

/// The problem of a file.
pub(crate) fn load(path: &Path) -> Problem {
    let table = csv::read(&std::fs::read(path).unwrap()).unwrap();
    Problem::new(table.blocks, None).unwrap()
}

/// The problems of a folder with the names of their files, sorted.
pub(crate) fn folder(path: &Path) -> Vec<(String, Problem)> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| {
        let name = p.to_string_lossy();
        name.ends_with(".csv") && !name.ends_with(".names.csv")
    });
    paths.sort();
    let name = |p: &Path| p.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|p| (name(p), load(p))).collect()
}

/// The problems kept with the sources.
pub(crate) fn kept() -> Vec<(String, Problem)> {
    folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/plans"))
}
