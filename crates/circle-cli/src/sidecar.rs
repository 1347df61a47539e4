//! Sidecars on the command line: a file, or a folder in which the one that belongs to the model is looked for.

use std::path::{Path, PathBuf};

use circle_format::lineage::sidecar::{Fit, Sidecar, fit, is_of};
use circle_ir::import::Draft;
use circle_ir::lineage::origin::OriginFile;

use crate::args::Common;
use crate::failure::Failure;
use crate::model::Input;

/// The sidecar at `path` that belongs to `draft`, which was read from `input`, known as `file`, and by what it does.
///
/// # Errors
/// When there is none, or the one named is that of another model.
pub fn find(
    path: &str,
    draft: &Draft,
    file: &OriginFile,
    input: &Input,
    common: Common,
) -> Result<(Sidecar, Fit), Failure> {
    let (sidecar, place) = if Path::new(path).is_dir() {
        in_folder(path, draft, file, input)?
    } else {
        (open(path)?, path.to_owned())
    };
    let found = fit(&sidecar, draft, file, &input.bytes()).map_err(|error| Failure::at(&place, error))?;
    match found {
        Fit::File => {}
        Fit::Structure { same_constants } => {
            let constants = match same_constants {
                Some(true) => ", constants included",
                Some(false) => "; its constants hold other numbers now, which the lineage does not tell of",
                None => "; constants were not compared",
            };
            common.warn(&format!(
                "{place}: was written with another file, whose operators and tensors are those of this one{constants}"
            ));
        }
    }
    Ok((sidecar, found))
}

fn open(path: &str) -> Result<Sidecar, Failure> {
    let input = Input::open(path)?;
    Sidecar::from_json(input.bytes()).map_err(|error| Failure::at(path, error))
}

/// The sidecar in `folder` that was written with this file, or else the only one for a model of this structure. Names
/// do not count; what is no sidecar is passed over.
fn in_folder(
    folder: &str,
    draft: &Draft,
    file: &OriginFile,
    input: &Input,
) -> Result<(Sidecar, String), Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::at(folder, error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<PathBuf>, _>>();
    let mut paths = paths.map_err(|error| Failure::at(folder, error))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let mut alike: Vec<(Sidecar, String)> = Vec::new();
    for path in &paths {
        let Some(path) = path.to_str() else { continue };
        let Ok(sidecar) = open(path) else { continue };
        if is_of(&sidecar, file) {
            return Ok((sidecar, path.to_owned()));
        }
        if fit(&sidecar, draft, file, &input.bytes()).is_ok()
            && !alike.iter().any(|(s, _)| s.lineage == sidecar.lineage)
        {
            alike.push((sidecar, path.to_owned()));
        }
    }
    match (alike.len(), alike.pop()) {
        (1, Some(only)) => Ok(only),
        (0, _) => Err(Failure::at(folder, "none of the sidecars in it is of this model")),
        (count, _) => Err(Failure::at(
            folder,
            format!("{count} sidecars in it are of models with these operators; name one"),
        )),
    }
}
