//! `--O1` on real models, found in the folder that `CIRCLE_LINEAGE_CORPUS` names.

#![allow(clippy::print_stdout, reason = "the numbers are what these tests are run for")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use circle_format::read::{ReadOptions, read};
use circle_ir::import::ImportedLineage;
use circle_ir::lineage::history::Run;
use circle_ir::lineage::origin::{FileFormat, OriginFile};
use circle_ir::text::{Show, print};
use circle_ir::{Model, SubgraphId};
use circle_passes::{Report, Settings, o1, run};

fn corpus() -> PathBuf {
    let folder = std::env::var_os("CIRCLE_LINEAGE_CORPUS").expect("CIRCLE_LINEAGE_CORPUS names no folder");
    PathBuf::from(folder).join("models")
}

/// The model in `bytes`, or nothing if that is none.
fn load(name: &str, bytes: &[u8]) -> Option<Model> {
    let loaded = read(bytes, ReadOptions { allow_loss: true }).ok()?;
    let file = OriginFile {
        name: Arc::from(name),
        format: FileFormat::Circle,
        bytes: bytes.len() as u64,
        md5: [0; 16],
        sha256: None,
    };
    let lineage = ImportedLineage::fresh(&loaded.draft, file);
    loaded.draft.adopt(lineage).ok()
}

/// The model and what `--O1` did to it.
fn optimised(path: &Path) -> Option<(Model, Report)> {
    let bytes = std::fs::read(path).ok()?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let mut model = load(&name, &bytes)?;
    let ends = ends(&model);
    let word = |w: &str| Arc::from(w);
    let entry = Run { tool: word("test"), version: word("0"), options: word("--O1") };
    let each = std::env::var_os("VERIFY_EACH").is_some();
    let settings =
        Settings { fixed_point: true, verify_each: each, stop_after_patch: None, log: false, run: entry };
    let report = run(&mut model, &bytes.as_slice(), &o1::passes(), &settings);
    let report = report.unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(report.refused, [""; 0], "{name}");
    assert_eq!(ends, self::ends(&model), "{name}: inputs or outputs have changed");
    if std::env::var_os("SHOW").is_some_and(|show| name.contains(&*show.to_string_lossy())) {
        println!("{}", print(&model, &bytes.as_slice(), Show::Lineage));
        for pass in &report.passes {
            println!("{:40} {:5} {:?}", pass.name, pass.fired, pass.time);
        }
    }
    Some((model, report))
}

/// Name, type, shape and signature of each input and output.
fn ends(model: &Model) -> Vec<String> {
    let describe = |(id, sg): (SubgraphId, &circle_ir::Subgraph)| {
        let values = sg.inputs().iter().chain(sg.outputs()).filter_map(|&v| sg.value(v));
        values
            .map(|v| {
                let signature = v.record().ints("shape_signature");
                format!("{id} {} {} {:?} {signature:?}", v.name(), v.ty(), v.shape())
            })
            .collect::<Vec<_>>()
    };
    model.subgraphs().flat_map(describe).collect()
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|e| e == "circle" || e == "tflite") {
            found.push(path);
        }
    }
}

#[test]
#[ignore = "reads the models in CIRCLE_LINEAGE_CORPUS"]
fn operators_become_as_few_as_they_should() {
    let folder = corpus().join("circle/tico_raw");
    let mut paths = Vec::new();
    models(&folder, &mut paths);
    let (mut sum, mut mobilenet) = (0, 0);
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (_, report) = optimised(&path).unwrap_or_else(|| panic!("{name} cannot be read"));
        println!("{name:28} {:4} -> {:4}", report.operators_before, report.operators_after);
        sum += report.operators_after;
        if name == "mobilenet_v2" {
            mobilenet = report.operators_after;
        }
    }
    println!("{sum} in all");
    assert!((1..=75).contains(&mobilenet), "{mobilenet} operators in mobilenet_v2");
    assert!((1..=560).contains(&sum), "{sum} operators");
}

#[test]
#[ignore = "reads the models in CIRCLE_LINEAGE_CORPUS"]
fn every_model_comes_through() {
    let mut paths = Vec::new();
    models(&corpus(), &mut paths);
    let done = paths.iter().filter(|path| optimised(path).is_some()).count();
    println!("{done} of {} files", paths.len());
    assert!(done > 50, "only {done} models could be read");
}
