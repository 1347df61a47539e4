//! Command lines that would do harm, or that ask for what cannot be.

use super::super::support::{
    CIRCLE2CIRCLE, DUMP, PLAN, PROFILE, VISUALIZER, folder, listing, run, run_with, testdata,
};

const PROBLEM: &str = "id,lower,upper,size\na,0,2,10\nb,1,3,20\n";
const MEMORY: &str = r#"{"format": "memory-allocation", "schema_version": 1, "segments": [
  {"name": "sram", "blocks": [{"offset": 0, "size": 8, "alive_from": 0, "alive_till": 2}]},
  {"name": "dram", "blocks": [{"offset": 8, "size": 16, "alive_from": 1, "alive_till": 2}]}
]}
"#;

/// A folder with a model, a planning problem and a memory plan.
fn kitchen() -> tempfile::TempDir {
    let folder = folder();
    let model = testdata().join("models/cnn_conv_bn_relu.circle");
    std::fs::copy(model, folder.path().join("m.circle")).expect("a copy");
    std::fs::write(folder.path().join("p.csv"), PROBLEM).expect("a file");
    std::fs::write(folder.path().join("m.json"), MEMORY).expect("a file");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    folder
}

/// Refused as a matter of usage, for a reason that is told, and before anything is written or changed.
#[track_caller]
fn refused(folder: &std::path::Path, tool: &str, line: &str, reason: &str) {
    let contents = || {
        let read = |name: &String| std::fs::read(folder.join(name)).unwrap_or_default();
        listing(folder).iter().map(|name| (name.clone(), read(name))).collect::<Vec<_>>()
    };
    let before = contents();
    let args: Vec<&str> = line.split(' ').collect();
    let ran = run(folder, tool, &args).expect(2);
    assert!(ran.stderr.contains(reason), "{line}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{line}");
    assert!(contents() == before, "{line} changed a file");
}

#[test]
fn no_report_takes_the_place_of_what_is_read() {
    let folder = kitchen();
    let overwritten = |tool, line| refused(folder.path(), tool, line, "is read, and would be overwritten");
    overwritten(PLAN, "m.circle --report m.circle");
    overwritten(PLAN, "m.circle --save_allocations ./m.circle");
    overwritten(PLAN, "p.csv out.csv --report sub/../p.csv");
    overwritten(CIRCLE2CIRCLE, "m.circle out.circle --report m.circle");
    overwritten(CIRCLE2CIRCLE, "-p m.circle out.circle --sidecar ./m.circle");
    overwritten(CIRCLE2CIRCLE, "-p m.circle out.circle --origin p.csv --report p.csv");
    overwritten(PROFILE, "rebase m.circle --from p.csv -o out.circle --sidecar p.csv");
    overwritten(VISUALIZER, "m.json --check --format json -o ./m.json");
}

/// A result may take the place of the model that it is, changed; not that of anything else.
#[test]
fn no_result_takes_the_place_of_what_it_is_not() {
    let folder = kitchen();
    let overwritten = |tool, line| refused(folder.path(), tool, line, "is read, and would be overwritten");
    overwritten(VISUALIZER, "m.circle -o m.circle --format svg");
    overwritten(VISUALIZER, "m.circle -o ./m.circle --format json --view memory");
    overwritten(VISUALIZER, "p.csv -o p.csv --format svg");
    overwritten(VISUALIZER, "--compare m.circle m.json -o m.json --format html");
    overwritten(PROFILE, "attach m.circle p.csv -o p.csv");
    overwritten(PROFILE, "rebase m.circle --from p.csv -o p.csv");
    overwritten(PROFILE, "rebase m.circle --from p.csv --from_sidecar m.json -o m.json");
    overwritten(PROFILE, "rebase m.circle --from p.csv --from_sidecar m.json -o o.circle --sidecar m.json");
    overwritten(CIRCLE2CIRCLE, "m.circle p.csv --origin p.csv");
    overwritten(CIRCLE2CIRCLE, "m.circle m.json --input_sidecar m.json");
}

#[cfg(unix)]
#[test]
fn links_lead_to_what_is_read_too() {
    let folder = kitchen();
    std::os::unix::fs::symlink("m.circle", folder.path().join("link")).expect("a link");
    refused(folder.path(), PLAN, "link --report m.circle", "is read, and would be overwritten");
    refused(folder.path(), PLAN, "m.circle --report link", "is read, and would be overwritten");
    refused(folder.path(), VISUALIZER, "m.circle -o link --format svg", "is read, and would be overwritten");
}

#[test]
fn two_outputs_do_not_go_to_one_place() {
    let folder = kitchen();
    let twice = |tool, line| refused(folder.path(), tool, line, "two outputs cannot go to one place");
    twice(PLAN, "m.circle out --report ./out");
    twice(PLAN, "m.circle out --report sub/../out");
    twice(PLAN, "m.circle --report - --save_allocations -");
    twice(CIRCLE2CIRCLE, "-p m.circle out --sidecar ./out");
    twice(CIRCLE2CIRCLE, "-p m.circle out.circle --sidecar out --report sub/../out");
    twice(PROFILE, "rebase m.circle --from m.circle -o out --sidecar ./out");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("sub/../out", folder.path().join("link")).expect("a link");
        twice(PLAN, "m.circle out --report link");
    }
}

#[test]
fn standard_input_is_one_file() {
    let folder = kitchen();
    let twice = |tool, line| refused(folder.path(), tool, line, "standard input cannot be two files");
    twice(VISUALIZER, "- - -o out.svg");
    twice(VISUALIZER, "--check - -");
    twice(VISUALIZER, "--compare - -");
    twice(VISUALIZER, "- --block_names - -o out.svg");
    twice(CIRCLE2CIRCLE, "- out.circle --origin -");
    twice(PROFILE, "attach - - -o out.circle");
    twice(PROFILE, "attach m.circle - - -o out.circle");
    twice(PROFILE, "report - -");
    twice(PROFILE, "verify - --against -");
    twice(PROFILE, "rebase - --from - -o out.circle");
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = kitchen();
    let usage = |tool: &str, line: &str, reason: &str| refused(folder.path(), tool, line, reason);
    for option in [
        "--platform linux",
        "--use_dsp false",
        "--runtime luci-interpreter",
        "--allocating_mode split",
        "--allocate_const false",
        "--null_const false",
        "--allocate_input true",
        "--null_input true",
        "--stated_shapes",
        "--allow_loss",
        "--reorder",
        "--inplace",
        "--metadata one",
        "--save_allocations out.json",
    ] {
        usage(PLAN, &format!("p.csv out.csv {option}"), "is for models");
    }
    for option in
        ["--cycles 1..2", "--segment a", "--height 700", "--planner best", "--names all", "--inplace"]
    {
        usage(VISUALIZER, &format!("m.circle --view graph -o out.svg {option}"), "is for memory");
    }
    usage(VISUALIZER, "m.circle --view graph -o out.json", "is for memory");
    usage(VISUALIZER, "m.circle m.circle --view graph -o out.svg", "draws one model");
    usage(VISUALIZER, "m.json --block_names p.csv -o out.svg", "--block_names");
    usage(VISUALIZER, "m.circle --view memory --block_names p.csv -o out.svg", "--block_names");
    usage(VISUALIZER, "--compare m.json m.json -o out.csv", "one input is converted at a time");
}

#[test]
fn a_check_as_json_is_json_whatever_is_checked() {
    let folder = kitchen();
    for input in ["m.circle", "m.json", "p.csv"] {
        let report = run(folder.path(), VISUALIZER, &["--check", "--format", "json", input]).expect(0).json();
        assert!(report["findings"].is_array(), "{input}");
        run(folder.path(), VISUALIZER, &["--check", "--format", "json", input, "-o", "found.json"]).expect(0);
        let found = std::fs::read(folder.path().join("found.json")).expect("findings");
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&found).expect("JSON"), report, "{input}");
    }
}

#[test]
fn the_segment_asked_for_is_what_is_converted() {
    let folder = kitchen();
    let args = ["m.json", "--segment", "dram", "--format", "json", "-o", "-"];
    let memory = run(folder.path(), VISUALIZER, &args).expect(0).json();
    let names: Vec<_> = memory["segments"].as_array().expect("segments").iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["dram"]);
    let ran = run(folder.path(), VISUALIZER, &["m.json", "--segment", "rom", "-o", "out.json"]).expect(1);
    assert!(ran.stderr.starts_with("error: m.json: no segment is called \"rom\""), "{}", ran.stderr);
    assert_eq!(listing(folder.path()), ["m.circle", "m.json", "p.csv", "sub"]);
}

#[test]
fn a_bank_cannot_add_lines_to_a_message() {
    let folder = kitchen();
    let ran = run(folder.path(), PLAN, &["m.circle", "out.circle", "--bank", "a\nerror: b=1"]).expect(2);
    assert!(ran.stderr.contains("one line of text"), "{}", ran.stderr);
}

/// Headings as spreadsheets write them, and marks that editors leave.
#[test]
fn planning_problems_are_known_by_their_columns() {
    let folder = kitchen();
    let solved = |text: &str| {
        std::fs::write(folder.path().join("in.csv"), text).expect("a file");
        run(folder.path(), PLAN, &["-q", "in.csv", "-"]).expect(0).stdout
    };
    let expected = solved(PROBLEM);
    assert_eq!(solved(&format!("\u{feff}{PROBLEM}")), expected);
    assert_eq!(solved(&PROBLEM.replace('\n', "\r\n")), expected);
    let quoted: Vec<String> = PROBLEM
        .lines()
        .map(|line| line.split(',').map(|cell| format!("\"{cell}\"")).collect::<Vec<_>>().join(","))
        .collect();
    assert_eq!(solved(&(quoted.join("\n") + "\n")), expected);
}

/// Files may be called what they like.
#[test]
fn files_named_like_verbs_and_options_are_files() {
    let folder = kitchen();
    for name in ["schema", "best", "--report", "attach"] {
        std::fs::copy(folder.path().join("m.circle"), folder.path().join(name)).expect("a copy");
        run(folder.path(), PLAN, &["-q", "--", name, "out.circle"]).expect(0);
        run(folder.path(), DUMP, &["--", name]).expect(0);
    }
    run(folder.path(), VISUALIZER, &["./schema", "-o", "out.svg"]).expect(0);
}

/// Standard input holds one file, which every driver takes.
#[test]
fn a_problem_comes_in_and_goes_out_by_pipes() {
    let folder = kitchen();
    let file = || std::fs::File::open(folder.path().join("p.csv")).expect("the problem");
    let plan = run_with(folder.path(), PLAN, &["-", "-"], |command| {
        command.stdin(file());
    });
    assert!(plan.expect(0).stdout.starts_with("id,lower,upper,size,offset\na,0,2,10,"));
    let checked = run_with(folder.path(), VISUALIZER, &["--check", "-"], |command| {
        command.stdin(file());
    });
    assert_eq!(checked.expect(0).stdout, "");
}
