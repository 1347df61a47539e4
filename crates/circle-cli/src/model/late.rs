//! Writing a model before the digests of the file it came from are known.

use std::io::SeekFrom;

use circle_format::lineage::export::export;
use circle_format::lineage::identity::Hashing;
use circle_format::write::{self, WriteOptions};

use super::{Input, Lineage, Model, save};
use crate::failure::Failure;
use crate::progress;

/// Writes a model with its lineage while the digests of its file are still being computed: first with others in their
/// place, and when they are known, the entries that hold them once more. The bytes are those that [`save`] writes.
///
/// # Errors
/// As [`save`].
pub fn save_while_hashing(
    path: &str,
    input: &Input,
    model: &mut Model,
    lineage: Lineage<'_>,
    hashing: Hashing<'_, '_>,
    last: &dyn Fn(&Model) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let numbering = write::number(&model.imported.model);
    let entries = |model: &Model| {
        let entries = export(&model.imported.model, &numbering, lineage.origin);
        entries.map_err(|error| Failure::at(input.name(), error))
    };
    let early = entries(model)?;
    let fits = crate::output::write_file(path, |file| {
        let graph = &model.imported.model;
        let options = WriteOptions::default();
        let written = {
            let mut sink = progress::counted(&mut *file);
            write::write(graph, input.bytes(), &numbering, &early.extra(), options, &mut sink)
                .map_err(|error| Failure::at(path, error))?
        };
        model.identify(hashing.finish());
        // Weights and digests have been read by now, and both must be of one file.
        input.check_unchanged()?;
        let late = entries(model)?;
        let (early, late) = (early.extra(), late.extra());
        let fits = early.len() == late.len()
            && early.iter().zip(&late).all(|(a, b)| a.name == b.name && a.payload.len() == b.payload.len());
        if fits {
            for (entry, range) in late.iter().zip(&written.extra) {
                file.seek(SeekFrom::Start(range.start))
                    .and_then(|_| file.write_all(entry.payload))
                    .map_err(|error| Failure::at(path, error))?;
            }
        }
        if fits {
            last(model)?;
        }
        Ok(fits)
    })?;
    // Digests have one length, so this is for a form of the lineage that packs them differently.
    if fits { Ok(()) } else { save(path, input, &model.imported.model, Some(lineage), None, &|| last(model)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Common;
    use crate::model::{load, load_early};
    use circle_format::read::ReadOptions;

    /// A model of more than a mebibyte, whose digests are computed in threads.
    fn large(folder: &std::path::Path) -> String {
        let text = "subgraph sg0 \"\" (%0) -> (%2)\n  %0: f32[600,500] \"x\"\n\
                    %1: f32[600,500] \"w\" = [0.5]\n  %2: f32[600,500] \"y\"\n  op0 ADD (%0, %1) -> %2\n";
        let model = circle_ir::text::parse(text).unwrap();
        let mut bytes = Vec::new();
        let numbering = write::number(&model);
        write::write(&model, &[], &numbering, &[], WriteOptions::default(), &mut bytes).unwrap();
        let path = folder.join("large.circle");
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[test]
    fn the_file_is_the_same_as_with_digests_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = large(folder.path());
        let outputs = ["before.circle", "late.circle"].map(|name| folder.path().join(name));
        let [before, late] = outputs.each_ref().map(|path| path.to_str().unwrap());
        let input = Input::open(&path).unwrap();
        let lineage = Lineage { origin: None };

        let model = load(&input, ReadOptions::default(), Common::default()).unwrap();
        save(before, &input, &model.imported.model, Some(lineage), None, &|| Ok(())).unwrap();

        std::thread::scope(|scope| {
            let hashing = Hashing::start(scope, input.bytes());
            let unknown = |_: &[u8]| Default::default();
            let mut model =
                load_early(&input, ReadOptions::default(), Common::default(), None, unknown).unwrap();
            assert_eq!(model.file.md5, [0; 16]);
            save_while_hashing(late, &input, &mut model, lineage, hashing, &|_| Ok(())).unwrap();
            assert_ne!(model.file.md5, [0; 16]);
        });
        let [before, late] = outputs.map(|path| std::fs::read(path).unwrap());
        assert!(before == late, "{} and {} bytes", before.len(), late.len());
        let digest = circle_format::lineage::identity::digests(input.bytes()).0;
        assert!(late.windows(16).any(|window| window == digest));
    }
}
