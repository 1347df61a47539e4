//! Real profiles against the models they were made with, where the environment says where they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use circle_format::lineage::{identity::identify, import::import};
use circle_format::read::{ReadOptions, read};
use circle_ir::Model;
use circle_metadata::profile::Profile;
use circle_profile::attach::attach;
use circle_profile::attribute::attribute;
use circle_profile::join::{Join, join};
use circle_profile::outside::outside;
use circle_profile::own::own_values;
use circle_profile::weights::Weights;

fn files(folder: &Path, keep: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = vec![];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if keep(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn model(path: &Path) -> Option<Model> {
    let bytes = std::fs::read(path).unwrap();
    let loaded = read(&bytes, ReadOptions::default()).ok()?;
    let file = identify(path.to_str()?, Some(loaded.format), &bytes);
    Some(import(&bytes, loaded, file).ok()?.model)
}

/// Name of the model in the name of a profile: `NAME.Linear/trace.chrome.json`, `NAME.builtin.txt`.
fn model_name(profile: &Path) -> &str {
    let own = profile.file_name().unwrap().to_str().unwrap();
    let name = if own == "trace.chrome.json" {
        profile.parent().unwrap().file_name().unwrap().to_str().unwrap()
    } else {
        own
    };
    name.split('.').next().unwrap()
}

fn is_whole(join: &Join) -> bool {
    !join.joined.is_empty() && join.uncovered.is_empty() && join.doubts() == 0
}

fn accounts_for_everything(mut model: Model, name: &str, profile: &Profile, join: &Join) {
    let attached = attach(&mut model, name, profile, join).unwrap();
    assert!(attached.own.overlaps.is_empty(), "{name}: {:?}", attached.own.overlaps);
    for table in attribute(&model, &Weights::Equal, &outside(name, profile, join, &attached.own)) {
        table.check().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(table.exact(), table.shared(), "{name}: nothing was fused");
        assert!(table.total > 0);
    }
}

#[test]
fn real_profiles_find_their_models() {
    let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else { return };
    let corpus = PathBuf::from(corpus);
    let models = files(&corpus.join("models"), |path| {
        let kind = path.extension().and_then(|extension| extension.to_str());
        matches!(kind, Some("circle" | "tflite")) && !path.to_string_lossy().contains("hostile")
    });
    let profiles = files(&corpus.join("profiles"), |path| {
        let path = path.to_string_lossy();
        path.ends_with("trace.chrome.json") || path.contains(".builtin.")
    });
    let mut found = BTreeMap::new();
    for path in &profiles {
        let name = path.strip_prefix(&corpus).unwrap().to_string_lossy();
        let profile = circle_metadata::profile::read(&name, &std::fs::read(path).unwrap()).unwrap();
        let wanted = model_name(path);
        for candidate in models.iter().filter(|model| model.to_string_lossy().contains(wanted)) {
            let Some(model) = model(candidate) else { continue };
            let join = join(&model, &profile);
            assert_eq!(
                join.joined.len() + join.unmatched.len(),
                profile.rows.len() + profile.other.len(),
                "{name}: every row is in the result"
            );
            if is_whole(&join) {
                *found.entry(wanted.to_owned()).or_insert(0) += 1;
                accounts_for_everything(model, &name, &profile, &join);
            } else {
                // Another state of the model of that name. Some rows fit by chance, but never all.
                assert!(join.doubts() > 0, "{name} {}", candidate.display());
            }
        }
    }
    // Five traces and tables of one model and three of the other; the others' models are not there in that state.
    let expected = [("cnn_conv_bn_relu", 5), ("llama_decoder_manual", 3)];
    for (wanted, count) in expected {
        assert!(found.get(wanted) >= Some(&count), "{wanted} in {found:?}");
    }
}

/// Loops of a real trace: the body's rounds are inside the loop, and its own part is what is left.
#[test]
fn a_real_loop_is_not_counted_twice() {
    let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else { return };
    let path = PathBuf::from(corpus).join("profiles/onert/while_000.Linear/trace.chrome.json");
    let profile = circle_metadata::profile::read("while", &std::fs::read(path).unwrap()).unwrap();
    let own = own_values(&profile).unwrap();
    assert_eq!((own.runs, own.overlaps.len(), own.uneven.len()), (2, 0, 0));
    let sum: i64 = own.values.iter().flatten().sum();
    let whole = profile.other.iter().find(|other| other.subgraph == Some(0)).unwrap();
    assert!(profile.rows.iter().any(|row| row.parent.is_some() && row.samples.len() > own.runs));
    assert!(sum > 0 && sum <= *whole.samples.iter().max().unwrap(), "{sum} {whole:?}");
}
