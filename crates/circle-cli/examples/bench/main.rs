//! Measures speed and size of the drivers beside the figures they are to reach, and prints a table.
//!
//! `bench FOLDER [PART]...`: models are made in FOLDER, which takes up to 5 GiB; parts are `corpus`, `many`, `runs`,
//! `heavy`, `beyond`; all by default. The drivers are taken from where this program lies.
//! `CIRCLE_LINEAGE_CORPUS` names a folder with `models/circle/tico_raw` for the part `corpus`.
#![allow(clippy::print_stdout, reason = "it prints what it measures")]

mod graphs;
mod measure;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use circle_format::write::Layout;
use graphs::Zeros;
use measure::{median, peak_memory, time};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Measures and prints one part of the table.
type Part = fn(&Bench) -> Result<()>;

const MIB: f64 = 1024.0 * 1024.0;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: bench FOLDER [PART]...")?);
    let parts: Vec<String> = arguments.collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|p| p == part);
    let program = std::env::current_exe()?;
    let drivers = program.parent().and_then(Path::parent).ok_or("the program lies nowhere")?;
    let bench = Bench { drivers: drivers.to_owned(), folder };
    println!("{:<58}{:>12}{:>12}{:>8}", "what", "measured", "target", "ratio");
    let all: [(&str, Part); 5] = [
        ("corpus", Bench::corpus),
        ("many", Bench::many),
        ("runs", Bench::runs),
        ("heavy", Bench::heavy),
        ("beyond", Bench::beyond),
    ];
    for (name, part) in all.into_iter().filter(|(name, _)| wanted(name)) {
        part(&bench).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Prints one line of the table. A ratio above 1 misses the target.
fn row(what: &str, measured: f64, target: Option<f64>, unit: &str) {
    let target_text = target.map_or(String::new(), |target| format!("{target:.1} {unit}"));
    let ratio = target.map_or(String::new(), |target| format!("{:.2}", measured / target));
    println!("{what:<58}{:>12}{target_text:>12}{ratio:>8}", format!("{measured:.1} {unit}"));
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

struct Bench {
    drivers: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn driver(&self, name: &str) -> PathBuf {
        self.drivers.join(name)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Operators that are left of real models, and the time that takes.
    fn corpus(&self) -> Result<()> {
        let Some(corpus) = std::env::var_os("CIRCLE_LINEAGE_CORPUS") else {
            println!("CIRCLE_LINEAGE_CORPUS is not set: nothing is measured on real models");
            return Ok(());
        };
        let folder = Path::new(&corpus).join("models/circle/tico_raw");
        let mut models: Vec<PathBuf> = std::fs::read_dir(&folder)?
            .map(|entry| entry.map(|e| e.path()))
            .collect::<std::io::Result<_>>()?;
        models.retain(|path| path.extension().is_some_and(|e| e == "circle"));
        models.sort_unstable();
        let (out, report) = (self.file("corpus.circle"), self.file("corpus.json"));
        let mut sum = 0;
        for model in &models {
            time(
                self.driver("circle2circle"),
                &["--O1".as_ref(), "--report".as_ref(), report.as_path(), model, &out],
            )?;
            let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&report)?)?;
            let operators =
                report["operators_after"].as_u64().ok_or("the report names no operators_after")?;
            sum += operators;
            if model.file_stem().is_some_and(|stem| stem == "mobilenet_v2") {
                row("mobilenet_v2 after --O1", operators as f64, Some(75.0), "ops");
                let arguments =
                    ["--O1".as_ref(), "--profiling_data".as_ref(), model.as_path(), out.as_path()];
                let time = median(9, &self.driver("circle2circle"), &arguments)?;
                row("mobilenet_v2 --O1 --profiling_data", milliseconds(time), Some(150.0), "ms");
            }
        }
        row(&format!("all {} models of tico_raw after --O1", models.len()), sum as f64, Some(560.0), "ops");
        Ok(())
    }

    /// Graphs of many operators.
    fn many(&self) -> Result<()> {
        let mut times = Vec::new();
        for count in [10_000, 100_000] {
            let (input, output) =
                (self.file(&format!("many_{count}.circle")), self.file(&format!("many_{count}.out.circle")));
            graphs::blocks(count, &input)?;
            let arguments = ["--O1".as_ref(), "--profiling_data".as_ref(), input.as_path(), output.as_path()];
            times.push(milliseconds(median(5, &self.driver("circle2circle"), &arguments)?));
        }
        let (small, large) = (times[0], times[1]);
        row("10,000 operators, --O1 --profiling_data", small, None, "ms");
        row("100,000 operators, --O1 --profiling_data", large, Some(2000.0), "ms");
        row("the same, times of 10,000", large / small, Some(12.0), "x");
        let (input, out) = (self.file("many_100000.circle"), self.file("many_100000.out.circle"));
        let verified = self.file("many_100000.verified.circle");
        let arguments = ["--O1", "--profiling_data", "--verify_each"]
            .map(Path::new)
            .into_iter()
            .chain([&*input, &*verified]);
        let arguments: Vec<&Path> = arguments.collect();
        let time_verified = milliseconds(median(3, &self.driver("circle2circle"), &arguments)?);
        row("100,000 operators, --verify_each, times of without", time_verified / large, Some(12.0), "x");
        row("its lineage", self.blob(&out)? as f64 / 1e6, Some(5.0), "MB");
        let annotated = self.file("many_100000.annotated.circle");
        let annotate = ["--profiling_data".as_ref(), input.as_path(), annotated.as_path()];
        row("annotated only", milliseconds(median(3, &self.driver("circle2circle"), &annotate)?), None, "ms");
        row("lineage of all 100,000 operators", self.blob(&annotated)? as f64 / 1e6, Some(5.0), "MB");
        let dump = self.driver("circle-profile-dump");
        for (what, model) in
            [("dump as JSON, after --O1", &out), ("dump as JSON, annotated only", &annotated)]
        {
            let time = median(3, &dump, &["--format".as_ref(), "json".as_ref(), model.as_path()])?;
            row(what, milliseconds(time), Some(1000.0), "ms");
        }
        let page = self.file("many.html");
        let draw = [out.as_path(), "-o".as_ref(), page.as_path()];
        row("its HTML page", milliseconds(time(self.driver("one-visualizer"), &draw)?), None, "ms");
        row("size of the page", std::fs::metadata(page)?.len() as f64 / 1e6, None, "MB");
        Ok(())
    }

    /// Bytes of the lineage in a model, as its dump lists it.
    fn blob(&self, model: &Path) -> Result<u64> {
        let dump = std::process::Command::new(self.driver("circle-profile-dump"))
            .args(["--format", "json"])
            .arg(model)
            .output()?;
        let dump: serde_json::Value = serde_json::from_slice(&dump.stdout)?;
        let entries = dump["metadata"].as_array().ok_or("the dump lists no metadata")?;
        let entry = entries.iter().find(|entry| entry["name"] == "circle_lineage");
        entry.and_then(|entry| entry["bytes"].as_u64()).ok_or_else(|| "the model holds no lineage".into())
    }

    /// Many runs one after the other on one model.
    fn runs(&self) -> Result<()> {
        let input = self.file("runs.0.circle");
        graphs::blocks(100, &input)?;
        let files = [self.file("runs.1.circle"), self.file("runs.2.circle")];
        let mut from = input;
        let mut sizes = Vec::new();
        let mut times = Vec::new();
        for run in 0..1000 {
            let to = &files[run % 2];
            let arguments = ["--O1".as_ref(), "--profiling_data".as_ref(), from.as_path(), to.as_path()];
            times.push(milliseconds(time(self.driver("circle2circle"), &arguments)?));
            sizes.push(std::fs::metadata(to)?.len() as f64);
            from = to.clone();
        }
        let median = |times: &[f64]| {
            let mut times = times.to_vec();
            times.sort_unstable_by(f64::total_cmp);
            times[times.len() / 2]
        };
        row("1,000 runs on one model: size after the first", sizes[0], None, "B");
        row("size after the last", sizes[999], Some(sizes[0] * 1.01), "B");
        let first = median(&times[..100]);
        row("one of the first 100 runs", first, None, "ms");
        row("one of the last 100 runs", median(&times[900..]), Some(first * 1.2), "ms");
        self.changing_runs()
    }

    /// A thousand runs, each of which applies one more patch: what the lineage grows by follows the patches.
    fn changing_runs(&self) -> Result<()> {
        let mut from = self.file("changes.0.circle");
        graphs::blocks(3000, &from)?;
        let files = [self.file("changes.1.circle"), self.file("changes.2.circle")];
        let mut sizes = Vec::new();
        for run in 0..1000 {
            let to = &files[run % 2];
            let options = ["--O1", "--stop_after_patch", "1", "--profiling_data"];
            let arguments: Vec<&Path> =
                options.iter().map(Path::new).chain([from.as_path(), to.as_path()]).collect();
            time(self.driver("circle2circle"), &arguments)?;
            sizes.push(self.blob(to)? as f64);
            from = to.clone();
        }
        let (early, late) = (sizes[499] - sizes[0], sizes[999] - sizes[499]);
        row("1,000 runs that change the model: lineage after the first", sizes[0], None, "B");
        row("what runs 2 to 500 add to it", early, None, "B");
        row("what runs 501 to 1000 add to it", late, Some(early * 1.05), "B");
        Ok(())
    }

    /// A model of 1 GiB, beside the machine's own tools.
    fn heavy(&self) -> Result<()> {
        let (input, output) = (self.file("heavy.circle"), self.file("heavy.out.circle"));
        graphs::heavy(16, Layout::Inline, Zeros::Written, &input)?;
        let copy = self.file("heavy.copy");
        let yard = |program: &str, arguments: &[&Path]| -> Result<f64> {
            Ok(milliseconds(time(program, arguments)?))
        };
        // Twice, so that the file is in memory for all alike.
        let mut cp = f64::MAX;
        let mut md5sum = f64::MAX;
        for _ in 0..2 {
            cp = cp.min(yard("cp", &[&input, &copy])?);
            std::fs::remove_file(&copy)?;
            md5sum = md5sum.min(yard("md5sum", &[&input])?);
        }
        row("cp of a 1 GiB model", cp, None, "ms");
        row("md5sum of it", md5sum, None, "ms");
        let arguments = ["--profiling_data".as_ref(), input.as_path(), output.as_path()];
        let mut own = f64::MAX;
        for _ in 0..2 {
            own = own.min(milliseconds(time(self.driver("circle2circle"), &arguments)?));
            std::fs::remove_file(&output)?;
        }
        row("annotate and rewrite it", own, Some(1.3 * cp.max(md5sum)), "ms");
        self.memory("its peak of memory", &input, &output)?;
        std::fs::remove_file(input)?;
        std::fs::remove_file(output)?;
        Ok(())
    }

    fn memory(&self, what: &str, input: &Path, output: &Path) -> Result<()> {
        let arguments = ["--profiling_data".as_ref(), input, output];
        match peak_memory(self.driver("circle2circle"), &arguments)? {
            Some(peak) => row(what, peak as f64 / MIB, Some(32.0), "MiB"),
            None => println!("{what}: this system does not tell"),
        }
        Ok(())
    }

    /// A model beyond the reach of a flatbuffer's offsets.
    fn beyond(&self) -> Result<()> {
        let (input, output) = (self.file("beyond.circle"), self.file("beyond.out.circle"));
        graphs::heavy(40, Layout::Extended, Zeros::Holes, &input)?;
        self.memory("2.5 GiB, extended: peak of memory", &input, &output)?;
        let dump = self.driver("circle-profile-dump");
        row("reading the result back", milliseconds(time(dump, &[&output])?), None, "ms");
        std::fs::remove_file(input)?;
        std::fs::remove_file(output)?;
        Ok(())
    }
}
