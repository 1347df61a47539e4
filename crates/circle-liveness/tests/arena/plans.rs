//! Plans of all models and of random nets compute what the models do.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use circle_ir::Model;
use circle_liveness::banks::{Bank, assign, touches};
use circle_liveness::order::reorder;
use circle_liveness::{Arena, Choice, Liveness, Options, Platform, Settings, lifetimes, plan, to_memory};
use circle_memory::Memory;
use circle_memory::write::to_json;
use circle_plan::planners::Planner;

use crate::files::{below, corpus, load};
use crate::layout::Layout;
use crate::nets::{nested, net};
use crate::run::{Fault, Notes, alone, planned};

/// The permissions that plans are made with, each with the alignment of the plan in bytes. The last ones differ by turns.
fn permissions(turn: usize) -> Vec<(Options, u64)> {
    let plain = Options { stated: true, ..Options::default() };
    let inplace = Options { inplace: true, ..plain.clone() };
    let apart = Options { apart: true, platform: Some(Platform::Linux), ..inplace.clone() };
    let rings = Options { rings: Some(16), ..inplace.clone() };
    let alignment = [1, 64, 48, 4][turn % 4];
    let platform = Some(Platform::CmsisNn { dsp: true });
    let full = Options { constants: true, rings: Some(alignment), platform, ..inplace.clone() };
    let last = [(full, alignment), (rings, 16)];
    [plain, inplace, apart].into_iter().map(|options| (options, 16)).chain(last).collect()
}

/// What has run.
#[derive(Clone, Debug, Default)]
struct Ran {
    models: usize,
    plans: usize,
    /// Plans in which an operator writes over its input, and in which around a ring.
    in_place: usize,
    rings: usize,
    /// Plans with a tensor in two pieces.
    wrapped: usize,
    /// Plans in which an operator writes around a ring in one of several memories.
    several: usize,
    /// Models, or permissions with which they cannot be planned, that were left out, and why.
    left_out: Vec<String>,
}

impl std::ops::Add for Ran {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            models: self.models + other.models,
            plans: self.plans + other.plans,
            in_place: self.in_place + other.in_place,
            rings: self.rings + other.rings,
            wrapped: self.wrapped + other.wrapped,
            several: self.several + other.several,
            left_out: self.left_out.into_iter().chain(other.left_out).collect(),
        }
    }
}

/// The best plan, and by turns those of two who use what rings leave free and of two who move rings as a whole.
fn planners(turn: usize) -> Vec<Choice> {
    let (spaces, named): (Vec<_>, Vec<_>) =
        Choice::all().filter(|&p| p != Choice::Best).partition(|p| matches!(p, Choice::Spaces(_)));
    let by_turns = |list: Vec<Choice>| [0, 1].map(|next| list[(2 * turn + next) % list.len()]);
    [vec![Choice::Best], by_turns(spaces).into(), by_turns(named).into()].concat()
}

/// The plan as it is written and read back.
fn written(memory: &Memory) -> Memory {
    circle_memory::read::read(to_json(memory).as_bytes(), "plan").expect("what was written").memory
}

/// The memories of a plan: those that the permissions ask for, or some banks if all fits into them.
fn memories(model: &Model, liveness: &Liveness, options: &Options, settings: &Settings) -> Vec<Vec<Arena>> {
    let make = if options.apart { plan::split } else { plan::common };
    let whole = make(liveness, settings).expect("a plan");
    let mut all = vec![whole];
    if settings.planner == Choice::Best && options.rings.is_some() {
        let peak = all[0].iter().map(|arena| arena.peak).sum::<u64>();
        let bank = |name: &str, capacity| Bank { name: name.into(), capacity };
        let banks = [bank("fast", peak / 3), bank("near", peak / 2), bank("far", 2 * peak)];
        let found = assign(liveness, &banks, &touches(model, liveness), settings).expect("an assignment");
        if found.homeless.is_empty() {
            all.push(found.arenas);
        }
    }
    all
}

/// Plans a model with each permission by some planners, and runs each plan that differs from those before. False if a run
/// reads more than `most` elements.
fn try_all(
    name: &str,
    model: &Model,
    planners: &[Choice],
    permissions: &[(Options, u64)],
    most: u64,
    ran: &mut Ran,
) -> bool {
    // What a run by itself sees hangs only on whether it also sees constants.
    let mut dues: [Option<Notes>; 2] = [None, None];
    for (options, alignment) in permissions {
        let liveness = match lifetimes(model, options) {
            Ok(liveness) => liveness,
            Err(error) => {
                ran.left_out.push(format!("{name}: {error}"));
                continue;
            }
        };
        let mut seen = BTreeSet::new();
        for &planner in planners {
            let time_limit = Duration::from_millis(20);
            let settings = Settings { planner, alignment: *alignment, time_limit, ..Settings::default() };
            for arenas in memories(model, &liveness, options, &settings) {
                let offsets = arenas.iter().map(|arena| (arena.units.clone(), arena.offsets.clone()));
                if !seen.insert(offsets.collect::<Vec<_>>()) {
                    continue;
                }
                let layout = Layout::of(model, &written(&to_memory(model, &liveness, &arenas, None)));
                let due = &mut dues[usize::from(options.constants)];
                let due = match due {
                    Some(due) => due,
                    None => match alone(model, &layout, most) {
                        Ok(found) => due.insert(found),
                        Err(Fault::TooMuch) => return false,
                        Err(fault) => panic!("{name}: {fault:?}"),
                    },
                };
                let notes = planned(model, &layout, due)
                    .unwrap_or_else(|fault| panic!("{name}, {options:?}, {planner}: {fault:?}"));
                ran.plans += 1;
                ran.in_place += usize::from(notes.in_place > 0);
                ran.rings += usize::from(notes.rings > 0);
                ran.wrapped += usize::from(notes.wrapped > 0);
                ran.several += usize::from(notes.rings > 0 && arenas.len() > 1);
            }
        }
    }
    ran.models += usize::from(dues != [None, None]);
    true
}

/// Elements that a model may read in one run to be planned in all ways, and in some: what reads more takes seconds for each plan.
const MOST_READ: [u64; 2] = [300_000, 25_000_000];

#[test]
fn plans_of_models_compute_what_the_models_do() {
    let mut models = below(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/models"));
    models.extend(corpus());
    // Large and small ones by turns, for each of two threads.
    let of = |thread: usize| models.iter().skip(thread).step_by(2);
    let (one, other) = std::thread::scope(|scope| {
        let other = scope.spawn(|| try_files(of(1)));
        (try_files(of(0)), other.join())
    });
    let ran = one + other.expect("no plan with a fault");
    println!("{ran:#?}");
    assert!(ran.plans > 10 && ran.in_place > 0, "{ran:?}");
    // The few models at hand have no ring that is worth it.
    assert!(ran.rings > 10 || std::env::var_os("CIRCLE_LINEAGE_CORPUS").is_none(), "{ran:?}");
}

fn try_files<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Ran {
    let mut ran = Ran::default();
    for (turn, path) in files.enumerate() {
        let (some, permissions) = (planners(turn), permissions(turn));
        let mut model = load(path);
        let name = path.display().to_string();
        if try_all(&name, &model, &some, &permissions, MOST_READ[0], &mut ran) {
            let inplace = Options { stated: true, inplace: true, ..Options::default() };
            let new = reorder(&mut model, &inplace, Duration::from_millis(50));
            if new.is_ok_and(|new| new.after < new.before) {
                try_all(&format!("{name}, reordered"), &model, &some, &permissions, MOST_READ[0], &mut ran);
            }
        } else if !try_all(&name, &model, &[Choice::Best], &permissions[4..], MOST_READ[1], &mut ran) {
            ran.left_out.push(format!("{name}: reads too much"));
        }
    }
    ran
}

#[test]
fn plans_of_random_nets_compute_what_the_nets_do() {
    let ran = try_nets("net", 300, net);
    println!("{ran:?}");
    assert!(ran.several > 50, "{ran:?}");
    assert!(ran.plans > 600 && ran.in_place > 100 && ran.rings > 100 && ran.wrapped > 50, "{ran:?}");
    assert_eq!(ran.left_out, [""; 0]);
}

#[test]
fn plans_of_nets_in_bodies_compute_what_the_nets_do() {
    let ran = try_nets("nested", 100, nested);
    println!("{ran:?}");
    assert!(ran.plans > 300 && ran.in_place > 100 && ran.rings > 100 && ran.wrapped > 50, "{ran:?}");
    assert_eq!(ran.left_out, [""; 0]);
}

fn try_nets(kind: &str, count: u64, net: impl Fn(u64) -> Model) -> Ran {
    let mut ran = Ran::default();
    for seed in 0..count {
        let permissions = permissions(seed as usize);
        let (mut model, name) = (net(seed), format!("{kind} of seed {seed}"));
        try_all(&name, &model, &planners(seed as usize), &permissions, u64::MAX, &mut ran);
        let new = reorder(&mut model, &Options::default(), Duration::from_millis(50));
        if new.is_ok_and(|new| new.after < new.before) {
            let one = [Choice::Named(Planner::GreedyBySize)];
            try_all(&format!("{name}, reordered"), &model, &one, &permissions, u64::MAX, &mut ran);
        }
    }
    ran
}
