//! Hostile bytes: a bounded run of every fuzz target on the stable toolchain, and inputs made to do harm.
//!
//! The run replays the kept inputs in `corpus/` and then mutates seeds, always the same ones. `CIRCLE_LINEAGE_FUZZ`
//! gives the number of seconds for each target instead of the usual few, and `CIRCLE_LINEAGE_FUZZ_SEED` another
//! start. Longer runs, guided by coverage, are made by `long.sh`.

#[path = "../support/mod.rs"]
mod support;

mod chains;
mod directed;
mod guard;
mod large;
mod mutate;
mod reports;
mod seeds;
mod targets;

use std::time::{Duration, Instant};

use guard::{Bounds, alone, within};
use mutate::{Random, mutate};
use seeds::{Seeds, kept};
use targets::{Run1, TARGETS};

/// Nothing that is mutated gets longer than this, in bytes.
const LONGEST: usize = 128 << 10;

/// Mutations for each target in the usual run, and fewer of models, which take longer.
const MUTATIONS: u64 = 5000;
const MODELS: u64 = 1500;

/// The usual run of one target ends after so many seconds on slow machines.
const SECONDS: u64 = 10;

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|e| panic!("{variable} {text:?}: {e}")))
}

#[test]
fn kept_inputs_do_no_harm() {
    let _alone = alone();
    for (name, run) in TARGETS {
        for (file, bytes) in kept(name) {
            within(Bounds::FUZZED, bytes.len(), || run(&bytes))
                .unwrap_or_else(|text| panic!("{name}/{file}: {text}"));
        }
    }
}

#[test]
fn mutated_seeds_do_no_harm() {
    let _alone = alone();
    let seeds = Seeds::gather();
    // All targets are run, whatever the first of them finds.
    let found: Vec<String> =
        TARGETS.iter().filter_map(|(name, run)| fuzz(name, *run, &seeds.of(name)).err()).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Writes the seeds of each target into a folder of its name, where `long.sh` wants them (`CIRCLE_LINEAGE_FUZZ_SEEDS`),
/// else into a temporary one: every target starts from something, and nothing is written over.
#[test]
fn every_target_has_seeds() {
    let temporary = support::folder();
    let folder = std::env::var_os("CIRCLE_LINEAGE_FUZZ_SEEDS").map(std::path::PathBuf::from);
    let folder = folder.unwrap_or_else(|| temporary.path().to_owned());
    let seeds = Seeds::gather();
    for (name, _) in TARGETS {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let seeds = seeds.of(name);
        assert!(!seeds.is_empty(), "{name} starts from nothing");
        for (index, bytes) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{index:04}")), bytes).expect("a seed");
        }
        let written = std::fs::read_dir(&folder).expect("the folder");
        assert!(written.count() >= seeds.len(), "{name}: fewer files than seeds");
    }
}

#[allow(clippy::print_stderr, reason = "how far the run got is of interest")]
fn fuzz(name: &str, run: Run1, seeds: &[Vec<u8>]) -> Result<(), String> {
    for seed in seeds {
        attempt(name, run, seed)?;
    }
    let start = Instant::now();
    let given = number("CIRCLE_LINEAGE_FUZZ");
    let usual = if name.starts_with("model") { MODELS } else { MUTATIONS };
    let most = given.map_or(usual, |_| u64::MAX);
    let time = Duration::from_secs(given.unwrap_or(SECONDS));
    let first = number("CIRCLE_LINEAGE_FUZZ_SEED").unwrap_or(0);
    let mut count = 0;
    while count < most && start.elapsed() < time {
        let mut random = Random::new(first.wrapping_add(count));
        // Small seeds more often: a change hits more in them.
        let bound = 1 + random.below(seeds.len());
        let seed = &seeds[random.below(bound)];
        attempt(name, run, &mutate(&mut random, seed, seeds, LONGEST))?;
        count += 1;
    }
    eprintln!("{name}: {count} mutations of {} seeds in {:?}", seeds.len(), start.elapsed());
    Ok(())
}

/// Runs the target and, when it fails, keeps the input where it can be found.
fn attempt(name: &str, run: Run1, bytes: &[u8]) -> Result<(), String> {
    within(Bounds::FUZZED, bytes.len(), || run(bytes)).map_err(|text| {
        let place = std::env::temp_dir().join(format!("circle-lineage-{name}.input"));
        std::fs::write(&place, bytes).expect("the input is kept");
        format!("{name}: {text}\nthe input is kept in {}", place.display())
    })
}
