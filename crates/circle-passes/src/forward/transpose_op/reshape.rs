//! RESHAPE after TRANSPOSE as RESHAPE before TRANSPOSE.

/// A reshape of the tensor before a transpose, and the transpose that then leads to the same result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Regrouped {
    /// The shape to give to the tensor before the transpose.
    pub shape: Vec<i64>,
    /// The permutation of the transpose after that.
    pub perm: Vec<usize>,
}

/// What becomes of a reshape from `before` to `after` when the transpose by `perm` that made `before` moves behind
/// it. Nothing if the reshape joins dimensions that the transpose has brought together from different places or in
/// another order.
pub(super) fn regroup(before: &[i64], perm: &[usize], after: &[i64]) -> Option<Regrouped> {
    if before.len() != perm.len() || before.iter().chain(after).any(|&d| d < 1) {
        return None;
    }
    let wide = |shape: &[i64]| -> Vec<usize> { (0..shape.len()).filter(|&d| shape[d] > 1).collect() };
    let (from, to) = (wide(before), wide(after));
    // Where each dimension of the tensor before the transpose stands among those wider than one.
    let mut sources: Vec<usize> = from.iter().filter_map(|&d| perm.get(d).copied()).collect();
    sources.sort_unstable();
    let place = |dim: usize| perm.get(dim).and_then(|source| sources.binary_search(source).ok());
    let mut groups: Vec<(usize, &[usize])> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < from.len() && j < to.len() {
        let (first_i, first_j) = (i, j);
        let (mut a, mut b) = (before[from[i]], after[to[j]]);
        while a != b {
            if a < b {
                i += 1;
                a = a.checked_mul(before[*from.get(i)?])?;
            } else {
                j += 1;
                b = b.checked_mul(after[*to.get(j)?])?;
            }
        }
        (i, j) = (i + 1, j + 1);
        let places: Option<Vec<usize>> = from[first_i..i].iter().map(|&dim| place(dim)).collect();
        let places = places?;
        if places.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
            return None;
        }
        groups.push((*places.first()?, &to[first_j..j]));
    }
    if i != from.len() || j != to.len() {
        return None;
    }
    groups.sort_unstable();
    // Dimensions of one go with the dimension they follow.
    let mut order: Vec<usize> = (0..after.len()).take_while(|&d| after[d] == 1).collect();
    for &dim in groups.iter().flat_map(|group| group.1) {
        order.push(dim);
        order.extend((dim + 1..after.len()).take_while(|&d| after[d] == 1));
    }
    let mut perm = vec![0; after.len()];
    for (place, &dim) in order.iter().enumerate() {
        perm[dim] = place;
    }
    Some(Regrouped { shape: order.iter().map(|&dim| after[dim]).collect(), perm })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NCHW: [usize; 4] = [0, 3, 1, 2];

    #[track_caller]
    fn check(before: &[i64], perm: &[usize], after: &[i64], want: Option<(&[i64], &[usize])>) {
        let got = regroup(before, perm, after);
        let want = want.map(|(shape, perm)| Regrouped { shape: shape.to_vec(), perm: perm.to_vec() });
        assert_eq!(got, want);
    }

    #[test]
    fn channels_split_and_join() {
        check(&[1, 8, 5, 7], &NCHW, &[1, 2, 4, 5, 7], Some((&[1, 5, 7, 2, 4], &[0, 3, 4, 1, 2])));
        check(&[1, 2, 4, 5, 7], &[0, 3, 4, 1, 2], &[1, 8, 5, 7], Some((&[1, 5, 7, 8], &NCHW)));
        check(&[1, 8, 5, 7], &NCHW, &[1, 8, 35], Some((&[1, 35, 8], &[0, 2, 1])));
        check(&[1, 4, 6, 5], &[0, 2, 1, 3], &[4, 6, 5], Some((&[6, 4, 5], &[1, 0, 2])));
    }

    #[test]
    fn what_was_brought_together_cannot_be_joined() {
        check(&[1, 8, 5, 7], &NCHW, &[1, 40, 7], None);
        check(&[1, 5, 4, 7], &[0, 2, 1, 3], &[1, 20, 7], None);
        check(&[2, 3], &[1, 0], &[6], None);
    }

    #[test]
    fn dimensions_of_one_do_not_count() {
        check(&[1, 8, 1, 1], &NCHW, &[1, 8], Some((&[1, 8], &[0, 1])));
        check(&[1, 8, 1, 1], &NCHW, &[8], Some((&[8], &[0])));
        check(&[1, 1, 1, 1], &NCHW, &[], Some((&[], &[])));
        check(&[2, 3], &[1, 0], &[2, 1, 3], Some((&[3, 2, 1], &[1, 2, 0])));
    }

    #[test]
    fn nonsense_is_refused() {
        check(&[0, 3], &[1, 0], &[0], None);
        check(&[2, 3], &[1, 0], &[5], None);
        check(&[2, 3], &[1], &[6], None);
        check(&[i64::MAX, i64::MAX], &[1, 0], &[3, 5], None);
    }
}
