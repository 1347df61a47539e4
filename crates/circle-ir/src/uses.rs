//! Who reads a tensor.

use std::collections::{BTreeSet, btree_set};
use std::slice;

use crate::entity::OpId;

/// A place where a tensor is read: the operator and the number of its input.
pub type Use = (OpId, u32);

/// The places where a tensor is read, ascending. Most tensors are read once or not at all, so few places take no memory
/// of their own; many are found in logarithmic time.
#[derive(Clone, Debug, Default)]
pub struct Uses(Kind);

#[derive(Clone, Debug, Default)]
enum Kind {
    #[default]
    None,
    One([Use; 1]),
    Two([Use; 2]),
    Many(BTreeSet<Use>),
}

impl Uses {
    /// How many places there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Many(many) => many.len(),
            _ => self.few().len(),
        }
    }
    /// Whether nothing reads the tensor.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Whether it is read there.
    pub fn contains(&self, place: &Use) -> bool {
        match &self.0 {
            Kind::Many(many) => many.contains(place),
            _ => self.few().contains(place),
        }
    }
    /// The first place.
    pub fn first(&self) -> Option<&Use> {
        match &self.0 {
            Kind::Many(many) => many.first(),
            _ => self.few().first(),
        }
    }
    /// The last place.
    pub fn last(&self) -> Option<&Use> {
        match &self.0 {
            Kind::Many(many) => many.last(),
            _ => self.few().last(),
        }
    }
    /// All places, ascending.
    pub fn iter(&self) -> Iter<'_> {
        match &self.0 {
            Kind::Many(many) => Iter(Inner::Many(many.iter())),
            _ => Iter(Inner::Few(self.few().iter())),
        }
    }
    /// Adds a place.
    pub(crate) fn insert(&mut self, place: Use) {
        if self.contains(&place) {
            return;
        }
        self.0 = match std::mem::take(&mut self.0) {
            Kind::None => Kind::One([place]),
            Kind::One([other]) => Kind::Two([place.min(other), place.max(other)]),
            Kind::Two(two) => Kind::Many(two.into_iter().chain([place]).collect()),
            Kind::Many(mut many) => {
                many.insert(place);
                Kind::Many(many)
            }
        };
    }
    /// Takes a place out.
    pub(crate) fn remove(&mut self, place: &Use) {
        if !self.contains(place) {
            return;
        }
        self.0 = match std::mem::take(&mut self.0) {
            Kind::None | Kind::One(_) => Kind::None,
            Kind::Two([one, other]) => Kind::One([if one == *place { other } else { one }]),
            Kind::Many(mut many) => {
                many.remove(place);
                Kind::Many(many)
            }
        };
    }

    /// The places, where there is no tree of them.
    fn few(&self) -> &[Use] {
        match &self.0 {
            Kind::One(one) => one,
            Kind::Two(two) => two,
            Kind::None | Kind::Many(_) => &[],
        }
    }
}

impl Extend<Use> for Uses {
    fn extend<I: IntoIterator<Item = Use>>(&mut self, places: I) {
        places.into_iter().for_each(|place| self.insert(place));
    }
}

impl<'a> IntoIterator for &'a Uses {
    type Item = &'a Use;
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The places of a [`Uses`], ascending.
#[derive(Clone, Debug)]
pub struct Iter<'a>(Inner<'a>);

#[derive(Clone, Debug)]
enum Inner<'a> {
    Few(slice::Iter<'a, Use>),
    Many(btree_set::Iter<'a, Use>),
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Use;
    fn next(&mut self) -> Option<&'a Use> {
        match &mut self.0 {
            Inner::Few(few) => few.next(),
            Inner::Many(many) => many.next(),
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Inner::Few(few) => few.size_hint(),
            Inner::Many(many) => many.size_hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does the same to both, in a fixed order that adds and takes out again and again.
    #[test]
    fn they_are_a_set() {
        let (mut uses, mut set) = (Uses::default(), BTreeSet::new());
        let mut state = 1u32;
        for _ in 0..2000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let place = (OpId::from_number((state >> 16) % 3), (state >> 24) % 2);
            if state >> 31 == 0 {
                uses.insert(place);
                set.insert(place);
            } else {
                uses.remove(&place);
                set.remove(&place);
            }
            assert!(uses.iter().eq(set.iter()));
            assert_eq!((uses.len(), uses.is_empty()), (set.len(), set.is_empty()));
            assert_eq!((uses.first(), uses.last()), (set.first(), set.last()));
            assert_eq!(uses.contains(&place), set.contains(&place));
            assert_eq!((&uses).into_iter().size_hint(), (set.len(), Some(set.len())));
        }
    }
}
