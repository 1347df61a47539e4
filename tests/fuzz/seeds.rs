//! What the mutator starts from: files of the repository and of the corpus, what they are made of, and kept findings.

use std::path::{Path, PathBuf};

use circle_format::lineage::export::export;
use circle_format::lineage::identity::identify;
use circle_format::lineage::import::import;
use circle_format::lineage::sidecar::make;
use circle_format::read::{ReadOptions, read};
use circle_format::write::number;
use circle_ir::text::{Show, print};
use circle_metadata::lineage;

use crate::support::model::words;
use crate::support::{corpus, testdata};
use crate::targets::written;

/// Larger models of the corpus are left to other tests: a mutation seldom hits what matters in them.
const LARGEST_MODEL: u64 = 64 << 10;

/// Planning problems.
const PLANS: [&str; 2] = [
    "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\n",
    "id,lower,upper,size,alignment,offset\na,0,10,100,64,0\n\"b, \"\"c\"\"\",5,12,33,16,112\n",
];

/// Members of segments of the three JSON forms, behind the number of the form.
const SEGMENTS: [&str; 3] = [
    "\u{0}\"size\":64,\"alignment\":8,\"spaces\":[{\"id\":0,\"offset\":0,\"size\":32,\"alive_from\":0,\"alive_till\":9}],\
     \"blocks\":[{\"id\":\"a\",\"offset\":24,\"size\":16,\"alive_from\":0,\"alive_till\":9,\"stays\":true,\"kind\":\"scratch\",\
     \"wrap\":{\"offset\":0,\"size\":8},\"space\":0,\"tensor\":{\"index\":4,\"shape\":[1,-1]},\"read_by\":[{\"index\":1}],\
     \"extra\":{\"n\":[1,2.5,null]}},{\"offset\":32,\"size\":8,\"alive_from\":0,\"alive_till\":9}]",
    "\u{1}\"size\":64,\"title\":\"t\",\"allocations\":[{\"offset\":0,\"size\":8,\"alive_from\":0,\"alive_till\":8,\"origin\":\"a\"},\
     {\"offset\":8,\"size\":8,\"alive_from\":8,\"alive_till\":12,\"origin\":null,\"dtype\":\"i8\"}]",
    "\u{2}\"memory_allocations\":[{\"front_addr\":0,\"back_addr\":256,\"alive_from\":5,\"alive_till\":120,\"origin\":\"conv1\"}],\
     \"more\":1",
];

/// The folder of kept inputs: findings, each with a name that says what it is.
pub(crate) fn kept(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus").join(target);
    let Ok(entries) = std::fs::read_dir(&folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let name = |path: &Path| path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    paths.iter().map(|path| (name(path), std::fs::read(path).expect("a kept input"))).collect()
}

/// Seeds of all targets.
#[derive(Debug, Default)]
pub(crate) struct Seeds {
    circle: Vec<Vec<u8>>,
    tflite: Vec<Vec<u8>>,
    source_tables: Vec<Vec<u8>>,
    op_tables: Vec<Vec<u8>>,
    lines: Vec<Vec<u8>>,
    blobs: Vec<Vec<u8>>,
    json: Vec<Vec<u8>>,
    profiles: Vec<Vec<u8>>,
    texts: Vec<Vec<u8>>,
    memories: Vec<Vec<u8>>,
}

impl Seeds {
    /// From the repository's test data and, where there is one, the corpus.
    pub(crate) fn gather() -> Self {
        let mut seeds = Self::default();
        let mut models = files(&testdata().join("models"), &["circle", "tflite"]);
        models.extend(corpus(false));
        models.extend(corpus(true));
        for path in models {
            let size = path.metadata().map_or(u64::MAX, |found| found.len());
            if size <= LARGEST_MODEL {
                seeds.model(std::fs::read(&path).expect("a model"));
            }
        }
        let profiles = files(&testdata().join("profiles"), &["csv", "json", "txt"]);
        seeds.profiles.extend(profiles.iter().map(|path| std::fs::read(path).expect("a profile")));
        seeds.memories();
        for pass in circle_passes::registry::PASSES {
            let info = pass.info();
            seeds.texts.extend([info.before, info.after].map(|text| text.as_bytes().to_vec()));
        }
        seeds
    }

    /// Samples of each form, long ones by their beginnings, and all of them in our own form.
    fn memories(&mut self) {
        const LONGEST: usize = 6 << 10;
        for folder in ["memory", "plans"] {
            for path in files(&testdata().join(folder), &["json", "csv", "txt", "log"]) {
                let bytes = std::fs::read(path).expect("memory data");
                let from = if bytes.starts_with(b"[") { bytes.len().saturating_sub(LONGEST) } else { 0 };
                let part = bytes.get(from..).unwrap_or_default();
                let part = part.get(..part.len().min(LONGEST)).unwrap_or_default().to_vec();
                if let Ok(read) = circle_memory::read::read(&bytes, "seed") {
                    let mut memory = read.memory;
                    memory.segments.iter_mut().for_each(|segment| segment.blocks.truncate(8));
                    self.memories.push(circle_memory::write::to_json(&memory).into_bytes());
                }
                self.memories.push(part);
            }
        }
    }

    fn model(&mut self, bytes: Vec<u8>) {
        if let Ok(loaded) = read(&bytes, ReadOptions { allow_loss: true }) {
            let file = identify("seed.circle", Some(loaded.format), &bytes);
            let model = import(&bytes, loaded, file).expect("a model that was read").model;
            let entries = export(&model, &number(&model), None).expect("a lineage that can be written");
            if let Ok(lineage::Decoded::Known(known)) = lineage::decode(&entries.lineage) {
                self.json.push(lineage::to_json(&known).into_bytes());
            }
            let file = identify("seed.circle", None, &bytes);
            let sidecar = make(&model, &number(&model), &file, &bytes.as_slice())
                .expect("a lineage that can be written");
            self.json.push(sidecar.to_json().into_bytes());
            // The model with its lineage in it.
            self.circle.push(written(&model, &bytes).expect("a seed can be written"));
            self.source_tables.push(entries.source_table);
            self.op_tables.push(entries.op_table);
            self.blobs.push(entries.lineage);
            self.lines.extend(entries.origin_id);
            let all: &[u8] = &bytes;
            self.texts.push(print(&model, &all, Show::Graph).into_bytes());
            for (_, op) in model.subgraphs().flat_map(|(_, sg)| sg.operators()).take(8) {
                if let Some(options) = op.options() {
                    self.texts.push(format!("{}\n{options}", options.def().name).into_bytes());
                }
            }
        }
        match bytes.get(4..8) {
            Some(b"TFL3") => self.tflite.push(bytes),
            _ => self.circle.push(bytes),
        }
    }

    /// Those of one target, smallest first; never none.
    pub(crate) fn of(&self, target: &str) -> Vec<Vec<u8>> {
        let mut seeds = match target {
            "model_circle" => self.circle.clone(),
            "model_tflite" => self.tflite.clone(),
            "source_table" => self.source_tables.clone(),
            "op_table" => self.op_tables.clone(),
            "plan_table" => vec![
                words(&[2, 0, 2, 0, 16, 3, 4, 1, 32, 64, 80]),
                words(&[3, 0, 2, 0, 0, 1, 2, 2, 32, 2, 2, 1, 64]),
            ],
            "offline_memory" => vec![words(&[1, 0, 3, u32::MAX, 0, 64]), words(&[1, 0, 3, 0, 32, 64])],
            "one_tables" => self.source_tables.iter().zip(&self.op_tables).map(|(s, o)| pair(s, o)).collect(),
            "origin_line" => self.lines.clone(),
            "lineage_blob" => self.blobs.clone(),
            "lineage_json" => self.json.clone(),
            "profile" => self.profiles.clone(),
            "plan_problem" => PLANS.map(|text| text.as_bytes().to_vec()).to_vec(),
            "memory" => self.memories.clone(),
            "memory_own" => SEGMENTS.iter().map(|text| text.as_bytes().to_vec()).collect(),
            "text" => self.texts.clone(),
            other => panic!("no seeds for {other}"),
        };
        seeds.extend(kept(target).into_iter().map(|(_, bytes)| bytes));
        seeds.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        seeds.dedup();
        assert!(!seeds.is_empty(), "{target} has no seed");
        seeds
    }
}

/// Both tables as the target wants them.
fn pair(sources: &[u8], ops: &[u8]) -> Vec<u8> {
    let end = u16::try_from(sources.len()).unwrap_or(u16::MAX).to_le_bytes();
    [&end[..], &[8], sources, ops].concat()
}

/// Files in `folder` and below with one of these extensions, sorted.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.contains(&extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
