//! The main job on every model of the corpus that is not damaged on purpose.

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use support::{CIRCLE2CIRCLE, DUMP, PLAN, PROFILE, Ran, VISUALIZER, corpus, folder, run};

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
    bare(folder, input, &args);
    // A circle model without names and without lineage is taken by index only on request.
    let by_index = ["--allow_loss", "--sidecar", "out.json", "--against", input, "--min_coverage", "100"];
    verify(&[&["bare.circle"], &by_index[..]].concat());
    let args = ["rebase", "--allow_loss", "bare.circle", "--from", input, "-o", "inferred.circle"];
    run(folder, PROFILE, &args).expect(0);
    let inferred = verify(&["inferred.circle", "--against", input]);
    assert_eq!(inferred["coverage"]["proven"], 0, "{input}");
}

/// Writes a model without its lineage. One whose tensors no name tells apart is refused, unless losses are allowed. Gives
/// what must be given to those who read it.
fn bare(folder: &Path, input: &str, args: &[&str]) -> (Ran, &'static [&'static str]) {
    let ran = run(folder, CIRCLE2CIRCLE, args);
    if ran.code == 0 {
        return (ran, &[]);
    }
    let ran = ran.expect(1);
    assert!(ran.stderr.contains("no reader tells its operators apart"), "{input}: {}", ran.stderr);
    let ran = run(folder, CIRCLE2CIRCLE, &[&["--allow_loss"], args].concat()).expect(0);
    (ran, &["--allow_loss"])
}

/// What is written is read by every driver: as it came, with lineage and without, and by whoever writes it again.
fn read_back(folder: &Path, input: &str) {
    let (_, plain) = bare(folder, input, &[input, "plain.circle"]);
    run(folder, CIRCLE2CIRCLE, &["--profiling_data", input, "known.circle"]).expect(0);
    run(folder, PROFILE, &["verify", "known.circle", "--against", input, "--min_coverage", "100"]).expect(0);
    for (file, loss) in [("plain.circle", plain), ("known.circle", &[])] {
        run(folder, DUMP, &[loss, &[file]].concat()).expect(0);
        run(folder, CIRCLE2CIRCLE, &[loss, &[file, "again.circle"]].concat()).expect(0);
        let bytes = |name: &str| std::fs::read(folder.join(name)).expect("a model");
        assert!(
            bytes(file) == bytes("again.circle"),
            "{input}: {file} is written otherwise when it is read again"
        );
    }
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
    read_back(folder, input);
    verified(folder, input);
    for picture in ["out.html", "out.svg"] {
        run(folder, VISUALIZER, &["out.circle", "-o", picture]).expect(0);
        let drawn = std::fs::read_to_string(folder.join(picture)).expect("a picture in UTF-8");
        let end = if picture == "out.svg" { "</svg>" } else { "</html>" };
        assert!(drawn.trim_end().ends_with(end), "{input}: {picture}");
    }
}

/// Every model is planned, or refused with the tensor whose size is open; the plan is in the file, which otherwise holds
/// what it held, and circle2circle believes it. What cannot be written as one kind of metadata is said to be so.
#[test]
fn every_model_is_planned_or_refused_by_name() {
    let mut written = 0;
    for path in corpus(false) {
        let folder = folder();
        let folder = folder.path();
        let input = path.to_str().expect("a name in UTF-8");
        let kind = path.extension().and_then(|e| e.to_str()).expect("an extension");
        let output = format!("out.{kind}");
        let args = ["--inplace", "--planner", "wic", "--report", "report.json", input, &output];
        let ran = run(folder, PLAN, &args);
        if ran.code == 0 {
            let report = std::fs::read_to_string(folder.join("report.json")).expect("a report");
            let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
            let segment = &report["segments"][0];
            assert!(segment["size"].as_u64() >= segment["lower_bound"].as_u64(), "{input}: {segment}");
            let (kept, _) = bare(folder, input, &[&output, "kept.circle"]);
            assert!(!kept.stderr.contains("is dropped"), "{input}: {}", kept.stderr);
            let entries = |file: &str| {
                let dump = run(folder, DUMP, &["--format", "json", file]).expect(0).json();
                let rows = dump["metadata"].as_array().expect("a list").iter();
                rows.filter(|row| row["known"] == false)
                    .map(|row| row["name"].to_string())
                    .collect::<BTreeSet<_>>()
            };
            let added: Vec<String> = entries(&output).difference(&entries(input)).cloned().collect();
            let due = if kind == "circle" { "ONE_execution_plan_table" } else { "OfflineMemoryAllocation" };
            assert_eq!(added, [format!("{due:?}")], "{input}");
            written += 1;
        } else {
            let ran = ran.expect(1);
            let named = [
                "is open",
                "have no fixed size",
                "cannot be written as",
                "has no entry for what nothing reads",
            ];
            assert!(named.iter().any(|text| ran.stderr.contains(text)), "{input}: {}", ran.stderr);
        }
    }
    assert!(written > 60 || std::env::var_os("CIRCLE_LINEAGE_CORPUS").is_none(), "{written}");
}
