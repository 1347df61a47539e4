//! Which operators ran inside others, from when they ran.

use std::cmp::Reverse;

/// One run of an operator, in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) start: i64,
    pub(super) end: i64,
    /// The row it belongs to.
    pub(super) row: usize,
    pub(super) subgraph: u32,
    pub(super) operator: u32,
    /// Whether it is of a kind that runs other subgraphs.
    pub(super) calls: bool,
}

/// For each row the calling operator during whose run it ran, and the rows that had several.
///
/// Only operators that run subgraphs count, and only for operators of another subgraph: what else overlaps
/// runs in parallel. Clocks of whole microseconds make borders coincide, so borders belong to an interval.
pub(super) fn parents(mut intervals: Vec<Interval>, rows: usize) -> (Vec<Option<(u32, u32)>>, Vec<usize>) {
    let mut parents = vec![None; rows];
    let mut unsure = Vec::new();
    if !intervals.iter().any(|interval| interval.calls) {
        return (parents, unsure);
    }
    intervals.sort_by_key(|interval| (interval.start, Reverse(interval.end), !interval.calls, interval.row));
    let mut callers: Vec<Interval> = Vec::new();
    for interval in intervals {
        while callers.last().is_some_and(|caller| caller.end < interval.start) {
            callers.pop();
        }
        let around = callers
            .last()
            .filter(|caller| caller.end >= interval.end && caller.subgraph != interval.subgraph)
            .map(|caller| (caller.subgraph, caller.operator));
        if let (Some(around), Some(known)) = (around, parents.get_mut(interval.row)) {
            match known {
                None => *known = Some(around),
                Some(known) if *known != around => unsure.push(interval.row),
                Some(_) => {}
            }
        }
        if interval.calls {
            callers.push(interval);
        }
    }
    unsure.sort_unstable();
    unsure.dedup();
    (parents, unsure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(start: i64, end: i64, row: usize, subgraph: u32, calls: bool) -> Interval {
        Interval { start, end, row, subgraph, operator: row as u32, calls }
    }

    #[test]
    fn bodies_belong_to_the_innermost_caller() {
        let intervals = vec![
            run(12, 14, 2, 2, false),
            run(10, 20, 1, 1, true),
            run(0, 100, 0, 0, true),
            run(30, 40, 3, 1, false),
            run(0, 50, 4, 0, false),
            run(100, 120, 5, 1, false),
        ];
        let (parents, unsure) = parents(intervals, 6);
        assert_eq!(parents, [None, Some((0, 0)), Some((1, 1)), Some((0, 0)), None, None]);
        assert!(unsure.is_empty());
    }

    #[test]
    fn two_callers_of_one_body_are_noticed() {
        let intervals = vec![
            run(0, 10, 0, 0, true),
            run(20, 30, 1, 0, true),
            run(1, 2, 2, 1, false),
            run(21, 22, 2, 1, false),
        ];
        let (parents, unsure) = parents(intervals, 3);
        assert_eq!(parents[2], Some((0, 0)));
        assert_eq!(unsure, [2]);
    }
}
