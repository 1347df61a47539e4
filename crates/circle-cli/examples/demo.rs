//! The main job on a small real model with a real measurement: attach what onert measured, optimise, show where each
//! operator comes from and what each original costs, draw the result, and compare the memory before and after.
//!
//! `cargo run --release -p circle-cli --example demo`
#![allow(clippy::print_stdout, reason = "an example that shows what it does")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Driver = fn(Vec<OsString>) -> ExitCode;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let out =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from).join("demo");
    if let Err(error) = std::fs::create_dir_all(&out) {
        println!("{}: {error}", out.display());
        return ExitCode::FAILURE;
    }
    // Paths as short as possible, for the reader.
    let short = |path: PathBuf| {
        let here = std::env::current_dir().and_then(|d| d.canonicalize()).unwrap_or_default();
        let full = path.canonicalize().unwrap_or(path);
        full.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(full).display().to_string()
    };
    let model = short(root.join("testdata/models/cnn_conv_bn_relu.circle"));
    let trace = short(root.join("testdata/profiles/onert/cnn_conv_bn_relu_raw.trace.chrome.json"));
    let out = short(out);
    let measured = format!("{out}/measured.circle");
    let optimised = format!("{out}/optimised.circle");

    let profile: Driver = |args| circle_cli::circle_profile::main(args);
    let circle2circle: Driver = |args| circle_cli::circle2circle::main(args);
    let dump: Driver = |args| circle_cli::circle_profile_dump::main(args);
    let visualizer: Driver = |args| circle_cli::one_visualizer::main(args);
    let picture = |extension: &str| format!("{out}/optimised.{extension}");
    let memory = format!("{out}/memory.html");
    let steps: [(Driver, Vec<String>); 8] = [
        (profile, words(&["circle-profile", "attach", &model, &trace, "-o", &measured])),
        (circle2circle, words(&["circle2circle", "--O1", "--profiling_data", &measured, &optimised])),
        (dump, words(&["circle-profile-dump", &optimised])),
        (visualizer, words(&["one-visualizer", &optimised, "-o", &picture("html")])),
        (visualizer, words(&["one-visualizer", &optimised, "-o", &picture("svg")])),
        (visualizer, words(&["one-visualizer", &optimised, "-o", &picture("png")])),
        (profile, words(&["circle-profile", "report", &optimised])),
        (visualizer, words(&["one-visualizer", "--compare", &measured, &optimised, "-o", &memory])),
    ];
    for (driver, words) in steps {
        println!("\n$ {}", words.join(" "));
        if driver(words.into_iter().map(OsString::from).collect()) != ExitCode::SUCCESS {
            return ExitCode::FAILURE;
        }
    }
    println!("pictures: {0}/optimised.html, {0}/optimised.svg, {0}/optimised.png, {0}/memory.html", out);
    ExitCode::SUCCESS
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
