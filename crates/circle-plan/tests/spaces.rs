//! Spaces whose planes lie in place or around a ring: every plan valid, no plan below the bound.

#![allow(clippy::unwrap_used, reason = "a test may fail here")]
mod common;

use std::path::Path;
use std::time::Duration;

use circle_plan::search::Options;
use circle_plan::spaces::{
    Fault, Link, Plane, Rule, Space, SpaceError, SpacePlan, Spaces, best, check, csv, lower_bound,
};
use common::Numbers;

fn plane(id: &str, lower: u64, upper: u64, size: u64, start: u64) -> Plane {
    Plane { id: id.into(), lower, upper, size, start }
}

fn space(id: &str, size: u64, planes: &[(u64, u64, u64, u64)]) -> Space {
    let planes = planes.iter().enumerate();
    let planes = planes.map(|(n, p)| plane(&n.to_string(), p.0, p.1, p.2, p.3)).collect();
    Space { id: id.into(), size, alignment: 1, planes }
}

fn random(seed: u64, most: u64, largest: u64) -> Spaces {
    let mut numbers = Numbers::new(seed + 1);
    let spaces = (0..1 + numbers.below(most)).map(|id| {
        let size = numbers.below(largest + 1);
        let begin = numbers.below(12);
        let planes: Vec<(u64, u64, u64, u64)> = (0..1 + numbers.below(3))
            .map(|_| {
                let lower = begin + numbers.below(5);
                let upper = lower + 1 + numbers.below(4);
                (lower, upper, numbers.below(size + 1), numbers.below(size.max(1)))
            })
            .collect();
        let alignment = if seed.is_multiple_of(3) { 1 + numbers.below(4) } else { 1 };
        Space { alignment, ..space(&format!("s{id}"), size, &planes) }
    });
    Spaces::new(spaces.collect(), None).unwrap()
}

/// The bytes of a plan that a plane takes, one by one.
fn bytes(space: &Space, plane: &Plane, offset: u64) -> Vec<u64> {
    (0..plane.size).map(|k| offset + (plane.start + k) % space.size).collect()
}

/// Whether planes of different spaces share a byte at a tick.
fn collide(problem: &Spaces, offsets: &[u64]) -> bool {
    let all: Vec<(usize, &Plane, Vec<u64>)> = problem
        .spaces()
        .iter()
        .enumerate()
        .flat_map(|(n, s)| s.planes.iter().map(move |p| (n, p, bytes(s, p, offsets[n]))))
        .collect();
    all.iter().any(|(n, p, mine)| {
        let meet = |q: &Plane| p.lower < q.upper && q.lower < p.upper;
        all.iter().any(|(m, q, other)| m > n && meet(q) && mine.iter().any(|b| other.contains(b)))
    })
}

#[test]
fn every_plan_is_valid_and_none_below_the_bound() {
    let mut overlapping = 0;
    for seed in 0..300 {
        let problem = random(seed, 12, 20);
        let bound = lower_bound(&problem);
        let outcome =
            best(&problem, &Options { time_limit: Duration::from_millis(30), ..Options::default() });
        assert_eq!(check(&problem, &outcome.plan), [], "seed {seed}");
        assert!(outcome.lower_bound >= bound && outcome.plan.peak >= outcome.lower_bound, "seed {seed}");
        for rule in Rule::ALL {
            let plan = rule.plan(&problem);
            assert_eq!(check(&problem, &plan), [], "seed {seed}, {rule}");
            assert!(!collide(&problem, &plan.offsets), "seed {seed}, {rule}");
            assert!(plan.peak >= bound, "seed {seed}, {rule}");
            assert!(outcome.plan.peak <= plan.peak, "seed {seed}, {rule}");
        }
        // The checker and the look at every byte agree on plans that may be wrong, too.
        let mut numbers = Numbers::new(seed);
        let offsets = problem.spaces().iter().map(|s| numbers.below(40) * s.alignment).collect();
        let plan = SpacePlan::new(&problem, offsets);
        let wrong = collide(&problem, &plan.offsets);
        assert_eq!(!check(&problem, &plan).is_empty(), wrong, "seed {seed}");
        overlapping += usize::from(wrong);
    }
    assert!((50..250).contains(&overlapping), "{overlapping}");
}

#[test]
fn the_bound_counts_shared_bytes_once() {
    for seed in 0..200 {
        let problem = random(seed, 6, 12);
        let at = |tick: u64| {
            problem.spaces().iter().map(move |space| {
                let alive = space.planes.iter().filter(|p| p.lower <= tick && tick < p.upper);
                let mut taken: Vec<u64> = alive.flat_map(|p| bytes(space, p, 0)).collect();
                taken.sort_unstable();
                taken.dedup();
                taken.len() as u64
            })
        };
        let most = (0..30).map(|tick| at(tick).sum::<u64>()).max().unwrap();
        let largest = problem.spaces().iter().map(|s| s.size).max().unwrap();
        assert_eq!(lower_bound(&problem), most.max(largest), "seed {seed}");
    }
}

#[test]
fn what_is_called_optimal_is_optimal() {
    let mut proven = 0;
    for seed in 0..150 {
        let problem = random(seed, 3, 6);
        let outcome =
            best(&problem, &Options { time_limit: Duration::from_millis(40), ..Options::default() });
        // All offsets up to the sum of all sizes, but for the last space's end.
        let mut least = outcome.plan.peak;
        let count = problem.spaces().len() as u32;
        let limit = outcome.plan.peak;
        for number in 0..(limit + 1).pow(count) {
            let offsets: Vec<u64> = (0..count).map(|n| number / (limit + 1).pow(n) % (limit + 1)).collect();
            let aligned = problem.spaces().iter().zip(&offsets).all(|(s, o)| o % s.alignment == 0);
            let plan = SpacePlan::new(&problem, offsets);
            if aligned && plan.peak < least && !collide(&problem, &plan.offsets) {
                least = plan.peak;
            }
        }
        assert!(outcome.lower_bound <= least, "seed {seed}");
        if outcome.is_optimal() {
            assert_eq!(outcome.plan.peak, least, "seed {seed}");
            proven += 1;
        }
    }
    assert!(proven > 100, "{proven}");
}

#[test]
fn a_ring_is_as_large_as_its_links_demand() {
    let link = |id: &str, lower, size, margin| Link { id: id.into(), lower, upper: lower + 2, size, margin };
    let links = [link("a", 0, 100, 0), link("b", 1, 80, 32), link("c", 2, 90, 10), link("d", 3, 4, 0)];
    let ring = Space::ring("r", 8, &links).unwrap();
    assert_eq!(ring.size, 112);
    let starts: Vec<u64> = ring.planes.iter().map(|p| p.start).collect();
    assert_eq!(starts, [0, 100, 68, 46]);
    let pieces: Vec<_> = ring.planes.iter().map(|p| ring.pieces(p)).collect();
    assert_eq!(pieces, [(0..100, None), (100..112, Some(0..68)), (68..112, Some(0..46)), (46..50, None)]);
    assert!(Spaces::new(vec![ring], None).is_ok());
    let place = Space::in_place("p", 1, vec![plane("x", 0, 2, 5, 3), plane("y", 1, 3, 9, 1)]);
    assert_eq!((place.size, place.planes[0].start, place.planes[1].start), (9, 0, 0));
    assert!(matches!(Space::ring("r", 1, &[link("a", 0, u64::MAX, 1)]), Err(SpaceError::TooMany { .. })));
    assert_eq!(Space::ring("none", 1, &[link("a", 0, 0, 0)]).unwrap().size, 0);
}

#[test]
fn holes_are_used_as_each_planner_does() {
    // A plane takes all of `big` at first, and only its lower half later.
    let big = space("big", 10, &[(0, 2, 10, 0), (2, 9, 5, 0)]);
    let small = space("small", 5, &[(3, 5, 5, 0)]);
    let problem = Spaces::new(vec![small.clone(), big.clone()], None).unwrap();
    assert_eq!(Rule::AidgeNone.plan(&problem).peak, 15);
    assert_eq!(Rule::AidgeMaxSize.plan(&problem).offsets, [5, 0]);
    assert_eq!(Rule::AidgeMaxHole.plan(&problem).peak, 10);
    assert_eq!(Rule::Size.plan(&problem).peak, 10);
    // The one with the hole in front of it goes around what is there already.
    let low = space("low", 5, &[(3, 20, 5, 0)]);
    let upper = space("upper", 10, &[(0, 2, 10, 0), (2, 9, 5, 5)]);
    let problem = Spaces::new(vec![low, upper], None).unwrap();
    assert_eq!(Rule::Lifetime.plan(&problem).offsets, [0, 0]);
    assert_eq!(Rule::AidgeMaxSize.plan(&problem).offsets, [0, 5]);
    assert_eq!(Rule::AidgeMaxHole.plan(&problem).offsets, [0, 0]);
}

#[test]
fn faults_are_found_and_named() {
    let one = Space { alignment: 4, ..space("one", 8, &[(0, 2, 6, 4)]) };
    let two = space("two", 4, &[(1, 3, 4, 0)]);
    let problem = Spaces::new(vec![one, two], Some(12)).unwrap();
    let of = |offsets: [u64; 2]| {
        let plan = SpacePlan::new(&problem, offsets.to_vec());
        check(&problem, &plan).iter().map(Fault::to_string).collect::<Vec<_>>()
    };
    // Bytes 2 and 3 of `one` are free, which is too little.
    assert_eq!(of([0, 8]), [""; 0]);
    let overlap = "plane `0` of space `one` and plane `0` of space `two` overlap in time and address";
    assert_eq!(of([0, 1]), [overlap]);
    assert_eq!(of([0, 9]), ["space `two`: ends at 13, beyond the capacity of 12"]);
    assert_eq!(of([2, 10])[0], "space `one`: offset 2 is no multiple of 4");
    assert_eq!(of([0, u64::MAX])[0], format!("space `two`: offset {} plus size 4 exceeds 64 bits", u64::MAX));
    let wrong = SpacePlan { offsets: vec![0], peak: 8 };
    assert_eq!(check(&problem, &wrong)[0].to_string(), "1 offsets for 2 spaces");
    let wrong = SpacePlan { offsets: vec![0, 8], peak: 8 };
    assert_eq!(check(&problem, &wrong)[0].to_string(), "peak stated as 8, is 12");
}

#[test]
fn spaces_that_cannot_be_planned_are_refused() {
    let refusal = |spaces: Vec<Space>| Spaces::new(spaces, None).unwrap_err().to_string();
    assert_eq!(refusal(vec![space("a", 1, &[])]), "space `a`: no plane, must have at least 1");
    assert_eq!(
        refusal(vec![space("a", 1, &[(3, 3, 1, 0)])]),
        "space `a`, plane `0`: lifetime 3..3 is empty or reversed"
    );
    for (size, start) in [(9, 0), (1, 8), (0, 8)] {
        assert_eq!(
            refusal(vec![space("a", 8, &[(0, 1, size, start)])]),
            format!("space `a`, plane `0`: {size} bytes from {start} are not in 8 bytes")
        );
    }
    let twice = Space { planes: vec![plane("p", 0, 1, 1, 0), plane("p", 0, 1, 1, 0)], ..space("a", 1, &[]) };
    assert_eq!(refusal(vec![twice]), "space `a`: two planes are called `p`");
    let same = space("a", 1, &[(0, 1, 1, 0)]);
    assert_eq!(
        refusal(vec![same.clone(), same.clone()]),
        "as a block of memory: block 1: id `a` is that of block 0"
    );
    let refused = refusal(vec![Space { alignment: 0, ..same }]);
    assert_eq!(refused, "as a block of memory: block 0 `a`: alignment 0, must be at least 1");
}

#[test]
fn names_are_unique_and_found() {
    for rule in Rule::ALL {
        assert_eq!(rule.name().parse(), Ok(rule));
    }
    let error = "aidge".parse::<Rule>().unwrap_err().to_string();
    assert!(error.starts_with("unknown planner of spaces `aidge`, known are size, area,"), "{error}");
}

#[test]
fn text_is_read_back() {
    for seed in 0..20 {
        let problem = random(seed, 9, 30);
        assert_eq!(csv::read(csv::write(&problem).as_bytes()).unwrap(), problem.spaces());
    }
    let head = "space,bytes,id,lower,upper,size,start\n";
    let fault = |text: &str| csv::read(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        fault(&format!("{head}a,8,x,0,1,8,0\na,9,y,0,1,8,0\n")),
        "line 3, bytes: 9, but 8 before in the same space"
    );
    assert_eq!(fault("space,id\n"), "line 1: no column `bytes`");
    assert!(fault("offset\n").starts_with("line 1: unknown column `offset`, known are space, bytes,"));
    assert!(fault(&format!("{head}a,8,x,0,-1,8,0\n")).starts_with("line 2, upper: `-1` is no number"));
}

#[test]
fn a_transformer_around_rings_needs_less_than_aidge_plans() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/plans/spaces/aidge_vit_s_raw_wrap.csv");
    let problem = Spaces::new(csv::read(&std::fs::read(path).unwrap()).unwrap(), None).unwrap();
    let wrapped = |s: &&Space| s.planes.iter().any(|p| s.pieces(p).1.is_some());
    assert!(problem.spaces().iter().filter(wrapped).count() > 20);
    let outcome = best(&problem, &Options { time_limit: Duration::from_secs(60), ..Options::default() });
    assert_eq!(check(&problem, &outcome.plan), []);
    // Aidge with its best strategy.
    assert!(outcome.plan.peak < 3_947_520, "{}", outcome.plan.peak);
    assert_eq!((outcome.plan.peak, outcome.lower_bound), (3_552_768, 3_552_768));
    let again = best(&problem, &Options { time_limit: Duration::from_secs(60), ..Options::default() });
    assert_eq!(outcome, again);
    // Its log of this model was written with this strategy, and ours by that name does the same.
    assert_eq!(Rule::AidgeMaxSize.plan(&problem).peak, 3_947_520);
}

/// Blocks are spaces without holes, but may be fixed.
#[test]
fn rules_plan_blocks_as_they_plan_spaces() {
    let mut different = 0;
    for seed in 0..60 {
        let mut numbers = Numbers::new(seed);
        let mut one = |id: u64| {
            let (lower, size) = (numbers.below(20), 1 + numbers.below(30));
            space(&id.to_string(), size, &[(lower, lower + 1 + numbers.below(9), size, 0)])
        };
        let problem = Spaces::new((0..20).map(&mut one).collect(), None).unwrap();
        let mut blocks = problem.blocks();
        let solid = circle_plan::Problem::new(blocks.clone(), None).unwrap();
        let plans: Vec<_> = Rule::ALL.iter().map(|rule| rule.plan(&problem)).collect();
        for (rule, plan) in Rule::ALL.iter().zip(&plans) {
            assert_eq!(rule.plan_blocks(&solid, None).offsets, plan.offsets, "seed {seed}, {rule}");
        }
        different += usize::from(plans.iter().any(|plan| plan.offsets != plans[0].offsets));
        blocks[3].fixed = Some(7);
        let fixed = circle_plan::Problem::new(blocks, None).unwrap();
        for rule in Rule::ALL {
            let plan = rule.plan_blocks(&fixed, None);
            assert_eq!((plan.offsets[3], circle_plan::check::check(&fixed, &plan)), (7, vec![]), "{rule}");
        }
    }
    assert!(different > 50, "{different}");
}
