//! Models in files.

use std::path::{Path, PathBuf};

use circle_format::lineage::identity::identify;
use circle_format::lineage::import::import;
use circle_format::read::{ReadOptions, read};
use circle_ir::Model;

/// Models of a folder and below, those damaged on purpose left out.
pub(crate) fn below(folder: PathBuf) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_owned();
            if path.is_dir() && path.file_name().is_none_or(|name| name != "hostile") {
                folders.push(path);
            } else if ["circle", "tflite"].contains(&extension.as_str()) {
                files.push(path);
            }
        }
    }
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Models of the corpus that `CIRCLE_LINEAGE_CORPUS` names; none without one.
pub(crate) fn corpus() -> Vec<PathBuf> {
    let corpus = std::env::var_os("CIRCLE_LINEAGE_CORPUS");
    corpus.map_or_else(Vec::new, |corpus| below(Path::new(&corpus).join("models")))
}

pub(crate) fn load(path: &Path) -> Model {
    let bytes = std::fs::read(path).expect("a file");
    let loaded =
        read(&bytes, ReadOptions { allow_loss: true }).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let file = identify("model", Some(loaded.format), &bytes);
    import(&bytes, loaded, file).expect("what was read").model
}
