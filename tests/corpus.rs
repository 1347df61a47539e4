//! The main job on every model of the corpus that is not damaged on purpose.

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use support::{CIRCLE2CIRCLE, DUMP, PROFILE, VISUALIZER, corpus, folder, run};

/// Every operator of the optimised model has an original or a reason why not, and no original is lost.
fn attributed(folder: &Path, input: &str) {
    let dump = run(folder, DUMP, &["--format", "json", "out.circle"]).expect(0).json();
    let rows = |key: &str| dump[key].as_array().unwrap_or_else(|| panic!("{input}: no {key}"));
    let known: BTreeSet<u64> = rows("sources").iter().filter_map(|source| source["id"].as_u64()).collect();
    let mut seen: BTreeSet<u64> = rows("retired").iter().filter_map(|row| row["id"].as_u64()).collect();
    for row in rows("operators").iter().chain(rows("constants")) {
        let origins = row["origins"].as_array().unwrap_or_else(|| panic!("{input}: no origins in {row}"));
        let reason = row["unknown"].as_str().is_some_and(|reason| !reason.is_empty());
        assert!(reason || !origins.is_empty(), "{input}: {row}");
        seen.extend(origins.iter().filter_map(|origin| origin["id"].as_u64()));
    }
    assert_eq!(seen, known, "{input}");
    assert_eq!(dump["coverage"]["unknown"], 0, "{input}");
    assert_eq!(dump["problems"], serde_json::json!([]), "{input}");
}

/// The result is proven against the file it came from; so it is again through a sidecar when it has lost its lineage;
/// and what is inferred instead holds, too, and is nowhere taken for proven.
fn verified(folder: &Path, input: &str) {
    let verify = |args: &[&str]| {
        let args: Vec<&str> = ["verify", "--format", "json"].iter().chain(args).copied().collect();
        run(folder, PROFILE, &args).expect(0).json()
    };
    verify(&["out.circle", "--against", input, "--min_coverage", "100"]);
    let args = ["--strip_profiling_data", "--sidecar", "out.json", "out.circle", "bare.circle"];
    run(folder, CIRCLE2CIRCLE, &args).expect(0);
    // A circle model without names and without lineage is taken by index only on request.
    let by_index = ["--allow_loss", "--sidecar", "out.json", "--against", input, "--min_coverage", "100"];
    verify(&[&["bare.circle"], &by_index[..]].concat());
    let args = ["rebase", "--allow_loss", "bare.circle", "--from", input, "-o", "inferred.circle"];
    run(folder, PROFILE, &args).expect(0);
    let inferred = verify(&["inferred.circle", "--against", input]);
    assert_eq!(inferred["coverage"]["proven"], 0, "{input}");
}

#[test]
fn the_main_job_works_on_every_model() {
    let files = corpus(false);
    let half = files.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        for part in files.chunks(half) {
            scope.spawn(|| part.iter().for_each(|path| main_job(path)));
        }
    });
}

fn main_job(path: &Path) {
    let folder = folder();
    let folder = folder.path();
    let input = path.to_str().expect("a name in UTF-8");
    run(folder, CIRCLE2CIRCLE, &["--O1", "--profiling_data", input, "out.circle"]).expect(0);
    attributed(folder, input);
    verified(folder, input);
    for picture in ["out.html", "out.svg"] {
        run(folder, VISUALIZER, &["out.circle", "-o", picture]).expect(0);
        let drawn = std::fs::read_to_string(folder.join(picture)).expect("a picture in UTF-8");
        let end = if picture == "out.svg" { "</svg>" } else { "</html>" };
        assert!(drawn.trim_end().ends_with(end), "{input}: {picture}");
    }
}
