//! How many rectangles each rectangle overlaps, without looking at the pairs.
//!
//! A rectangle of time and address misses those that end before it begins or begin after it ends, in time or in address.
//! Those that miss it in both are counted twice by that, and lie in one of four corners: each corner is a count of points
//! that are less in two numbers, found by a sweep over time with a Fenwick tree over addresses. So all takes n log n.

/// A rectangle that is not empty: first tick and end, first address and end.
pub(super) type Rectangle = ((u64, u64), (u128, u128));

/// For each rectangle the number of others that share a tick and an address with it.
pub(super) fn touching(rectangles: &[Rectangle]) -> Vec<u64> {
    let count = rectangles.len() as u64;
    let [from, till] = [sorted(rectangles, |r| r.0.0), sorted(rectangles, |r| r.0.1)];
    let [start, end] = [sorted(rectangles, |r| r.1.0), sorted(rectangles, |r| r.1.1)];
    let mirrored: Vec<Rectangle> = rectangles
        .iter()
        .map(|(ticks, addresses)| ((u64::MAX - ticks.1, u64::MAX - ticks.0), *addresses))
        .collect();
    let corners = [corners(rectangles, &start, &end), corners(&mirrored, &start, &end)];
    rectangles
        .iter()
        .enumerate()
        .map(|(at, (ticks, addresses))| {
            let in_time = ended(&till, &ticks.0) + count - begun(&from, &ticks.1);
            let in_address = ended(&end, &addresses.0) + count - begun(&start, &addresses.1);
            let both: u64 = corners.iter().filter_map(|corners| corners.get(at)).sum();
            // Itself is in none of them.
            (count + both).saturating_sub(in_time + in_address + 1)
        })
        .collect()
}

fn sorted<T: Ord>(rectangles: &[Rectangle], of: fn(&Rectangle) -> T) -> Vec<T> {
    let mut numbers: Vec<T> = rectangles.iter().map(of).collect();
    numbers.sort_unstable();
    numbers
}

/// How many end at or before `at`.
fn ended<T: Ord>(ends: &[T], at: &T) -> u64 {
    ends.partition_point(|end| end <= at) as u64
}

/// How many begin before `at`.
fn begun<T: Ord>(starts: &[T], at: &T) -> u64 {
    starts.partition_point(|start| start < at) as u64
}

/// For each rectangle the number of those that end before it begins in time, and miss it in address. `start` and `end`
/// are the first addresses and the ends of all, sorted.
fn corners(rectangles: &[Rectangle], start: &[u128], end: &[u128]) -> Vec<u64> {
    let order = |of: fn(&Rectangle) -> u64| {
        let mut order: Vec<(u64, usize)> = rectangles.iter().enumerate().map(|(at, r)| (of(r), at)).collect();
        order.sort_unstable();
        order
    };
    let (begins, ends) = (order(|r| r.0.0), order(|r| r.0.1));
    let (mut starts_before, mut ends_before) = (Counts::new(start.len()), Counts::new(end.len()));
    let (mut gone, mut counts) = (0, vec![0; rectangles.len()]);
    let mut ends = ends.iter().peekable();
    for (from, at) in begins {
        while let Some((_, other)) = ends.next_if(|(till, _)| *till <= from) {
            let Some((_, addresses)) = rectangles.get(*other) else { continue };
            starts_before.add(start.partition_point(|start| *start < addresses.0));
            ends_before.add(end.partition_point(|end| *end < addresses.1));
            gone += 1;
        }
        let (Some((_, addresses)), Some(count)) = (rectangles.get(at), counts.get_mut(at)) else { continue };
        let below = ends_before.sum(end.partition_point(|end| *end <= addresses.0));
        let not_above = starts_before.sum(start.partition_point(|start| *start < addresses.1));
        *count = below + (gone - not_above);
    }
    counts
}

/// A Fenwick tree of counts.
struct Counts(Vec<u64>);

impl Counts {
    fn new(length: usize) -> Self {
        Self(vec![0; length + 1])
    }

    /// Counts one more at a position.
    fn add(&mut self, position: usize) {
        let mut at = position + 1;
        while let Some(count) = self.0.get_mut(at) {
            *count += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many there are before a position.
    fn sum(&self, position: usize) -> u64 {
        let (mut at, mut sum) = (position, 0);
        while at > 0 {
            sum += self.0.get(at).copied().unwrap_or(0);
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_are_found_one_by_one() {
        let mut state = 7_u64;
        let mut random = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for (count, most) in [(0, 1), (1, 5), (2, 2), (40, 4), (60, 30), (200, 400)] {
            let mut span = || {
                let from = random(most);
                (from, from + 1 + random(most))
            };
            let mut rectangle = || {
                let (ticks, (start, end)) = (span(), span());
                (ticks, (u128::from(start), u128::from(end)))
            };
            let mut rectangles: Vec<Rectangle> = (0..count).map(|_| rectangle()).collect();
            let most = u128::from(u64::MAX);
            if count > 2 {
                rectangles[1] = ((0, u64::MAX), (most - 1, 2 * most));
                rectangles[2] = ((u64::MAX - 1, u64::MAX), (0, most));
            }
            let one_by_one: Vec<u64> = rectangles
                .iter()
                .enumerate()
                .map(|(at, a)| {
                    let others = rectangles.iter().enumerate().filter(|(other, _)| *other != at);
                    others
                        .filter(|(_, b)| a.0.0 < b.0.1 && b.0.0 < a.0.1 && a.1.0 < b.1.1 && b.1.0 < a.1.1)
                        .count() as u64
                })
                .collect();
            assert_eq!(touching(&rectangles), one_by_one);
        }
    }
}
