//! Claims: which origins a thing stands for, and in which role. The role sits on the edge between the two.

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::entity::{ClaimSetId, Entity, OriginId, TensorOriginId, TensorSetId};

/// How an operator or constant stands to an origin. The order is the strength: of two roles for one origin the
/// first named here wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// It is that operator, or the fusion in which that operator's result survives.
    Primary,
    /// It does that operator's work in another form.
    Replaced,
    /// It is a part or a copy of that operator.
    Cloned,
    /// It computes that operator's value once more.
    Recomputed,
    /// It does that operator's work in another number format.
    Quantised,
    /// It does that operator's work beside its own.
    Absorbed,
    /// It computes the same value as that operator did, which is gone.
    Duplicate,
    /// It is a constant that holds that operator's result.
    FoldedConst,
    /// It has no counterpart in the origin file and serves what came of that operator.
    Helper,
    /// The claim was recovered by comparison, not carried through.
    Inferred,
    /// A table of another tool says that there is a relation; in which role it does not say, and nothing confirms it.
    Unknown,
}

impl Role {
    /// All roles, strongest first.
    pub const ALL: [Self; 11] = [
        Self::Primary,
        Self::Replaced,
        Self::Cloned,
        Self::Recomputed,
        Self::Quantised,
        Self::Absorbed,
        Self::Duplicate,
        Self::FoldedConst,
        Self::Helper,
        Self::Inferred,
        Self::Unknown,
    ];
    /// The name that users and files see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::Replaced => "replaced",
            Self::Cloned => "cloned",
            Self::Recomputed => "recomputed",
            Self::Quantised => "quantised",
            Self::Absorbed => "absorbed",
            Self::Duplicate => "duplicate",
            Self::FoldedConst => "folded-const",
            Self::Helper => "helper",
            Self::Inferred => "inferred",
            Self::Unknown => "unknown",
        }
    }
    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
    /// Whether the thing itself does (part of) the origin's work, as opposed to being derived from its result.
    pub const fn is_own_work(self) -> bool {
        matches!(self, Self::Primary | Self::Replaced | Self::Cloned | Self::Quantised)
    }
    /// Whether the relation is one that passes have carried on from the original, as opposed to one that a comparison
    /// found or that a table alone says. What is not stays so through every change.
    pub const fn is_carried(self) -> bool {
        !matches!(self, Self::Inferred | Self::Unknown)
    }
    /// The role after the carrier was taken up by another operator whose result survives.
    #[must_use]
    pub const fn absorbed(self) -> Self {
        if self.is_own_work() || matches!(self, Self::Recomputed) { Self::Absorbed } else { self }
    }
    /// The role after the carrier was rewritten one to one.
    #[must_use]
    pub const fn replaced(self) -> Self {
        if matches!(self, Self::Primary) { Self::Replaced } else { self }
    }
    /// The role after the carrier was split or copied.
    #[must_use]
    pub const fn cloned(self) -> Self {
        if matches!(self, Self::Primary | Self::Replaced | Self::Quantised) { Self::Cloned } else { self }
    }
    /// The role after the carrier was dropped in favour of an equal operator.
    #[must_use]
    pub const fn duplicate(self) -> Self {
        if self.is_own_work() || matches!(self, Self::Recomputed) { Self::Duplicate } else { self }
    }
    /// The role of a constant that holds what the carrier computed.
    #[must_use]
    pub const fn folded(self) -> Self {
        if self.is_carried() { Self::FoldedConst } else { self }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which part of a split or copied operator a claim is about: number `index` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// From 1 to `count`.
    pub index: u32,
    /// How many parts there are.
    pub count: u32,
}

/// One edge from a thing to an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Claim {
    /// The original operator.
    pub origin: OriginId,
    /// The relation.
    pub role: Role,
    /// For clones, which one of how many, when that is still one number.
    pub part: Option<Part>,
}

/// The union of several claim lists, sorted by origin. For an origin named twice the stronger role stays; a part
/// number stays only if both agree, since a part together with anything else of that origin is more than the part.
pub fn union(claims: impl IntoIterator<Item = Claim>) -> Vec<Claim> {
    let mut all: Vec<Claim> = claims.into_iter().collect();
    all.sort();
    let mut out: Vec<Claim> = Vec::with_capacity(all.len());
    for claim in all {
        match out.last_mut() {
            Some(last) if last.origin == claim.origin => {
                if last.part != claim.part {
                    last.part = None;
                }
            }
            _ => out.push(claim),
        }
    }
    out
}

/// An interner of sets: equal sets are stored once and compared by number. Set 0 is the empty set.
///
/// The members of all sets lie one after the other in one list, so that a set costs what its members do and little more.
#[derive(Clone, Debug)]
pub struct Sets<K, T> {
    members: Vec<T>,
    /// By set: where its members end; they begin where those of the set before end.
    ends: Vec<usize>,
    /// Numbers of sets by what they hold. Only looked into, never listed.
    numbers: HashTable<u32>,
    hasher: RandomState,
    keys: PhantomData<K>,
}

impl<K: Entity, T: Copy + Ord + Hash> Default for Sets<K, T> {
    fn default() -> Self {
        let mut sets = Self {
            members: Vec::new(),
            ends: Vec::new(),
            numbers: HashTable::new(),
            hasher: RandomState::default(),
            keys: PhantomData,
        };
        sets.intern(&[]);
        sets
    }
}

/// The members of set `number`.
fn members_of<'a, T>(members: &'a [T], ends: &[usize], number: usize) -> &'a [T] {
    let start = number.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.get(number).and_then(|&end| members.get(start..end)).unwrap_or(&[])
}

impl<K: Entity, T: Copy + Ord + Hash> Sets<K, T> {
    /// The number of the empty set.
    pub fn empty(&self) -> K {
        K::new(0)
    }
    /// The members, sorted.
    pub fn get(&self, id: K) -> &[T] {
        members_of(&self.members, &self.ends, id.index())
    }
    /// The number of a set whose members are sorted and unique.
    pub fn intern(&mut self, members: &[T]) -> K {
        debug_assert!(members.windows(2).all(|w| w[0] < w[1]), "set members must be sorted and unique");
        let Self { members: all, ends, numbers, hasher, .. } = self;
        let hash = hasher.hash_one(members);
        let is_it = |&number: &u32| members_of(all, ends, number as usize) == members;
        if let Some(&number) = numbers.find(hash, is_it) {
            return K::new(number);
        }
        let number = ends.len() as u32;
        all.extend_from_slice(members);
        ends.push(all.len());
        numbers
            .insert_unique(hash, number, |&number| hasher.hash_one(members_of(all, ends, number as usize)));
        K::new(number)
    }
    /// Makes room for so many more sets of one member.
    pub(crate) fn reserve(&mut self, more: usize) {
        let Self { members, ends, numbers, hasher, .. } = self;
        members.reserve(more);
        ends.reserve(more);
        numbers.reserve(more, |&number| hasher.hash_one(members_of(members, ends, number as usize)));
    }
    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Whether there is only the empty set.
    pub fn is_empty(&self) -> bool {
        self.ends.len() <= 1
    }
    /// All sets by number.
    pub fn iter(&self) -> impl Iterator<Item = (K, &[T])> {
        (0..self.ends.len() as u32).map(|number| (K::new(number), self.get(K::new(number))))
    }
}

/// The interner of claim sets.
pub type ClaimSets = Sets<ClaimSetId, Claim>;
/// The interner of tensor origin sets.
pub type TensorSets = Sets<TensorSetId, TensorOriginId>;

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(origin: u32, role: Role, part: Option<(u32, u32)>) -> Claim {
        let part = part.map(|(index, count)| Part { index, count });
        Claim { origin: OriginId::from_number(origin), role, part }
    }

    #[test]
    fn union_keeps_the_stronger_role_and_only_agreeing_parts() {
        let got = union([
            claim(3, Role::Absorbed, None),
            claim(1, Role::Cloned, Some((2, 2))),
            claim(3, Role::Primary, None),
            claim(1, Role::Cloned, Some((1, 2))),
        ]);
        assert_eq!(got, [claim(1, Role::Cloned, None), claim(3, Role::Primary, None)]);
    }

    #[test]
    fn union_is_commutative_associative_and_idempotent() {
        let a = [claim(0, Role::Primary, None)];
        let b = [claim(0, Role::Duplicate, None), claim(2, Role::Helper, None)];
        let c = [claim(1, Role::Cloned, Some((1, 3)))];
        let join = |x: &[Claim], y: &[Claim]| union(x.iter().chain(y).copied());
        assert_eq!(join(&a, &b), join(&b, &a));
        assert_eq!(join(&join(&a, &b), &c), join(&a, &join(&b, &c)));
        assert_eq!(join(&a, &a), a);
    }

    #[test]
    fn equal_sets_have_one_number() {
        let mut sets = ClaimSets::default();
        let one = sets.intern(&[claim(1, Role::Primary, None)]);
        assert_eq!(sets.intern(&[claim(1, Role::Primary, None)]), one);
        assert_eq!(sets.intern(&[]), sets.empty());
        assert_eq!(sets.len(), 2);
    }

    #[test]
    fn what_is_not_carried_stays_so_through_every_change() {
        let changes: [fn(Role) -> Role; 5] =
            [Role::absorbed, Role::replaced, Role::cloned, Role::duplicate, Role::folded];
        for role in [Role::Inferred, Role::Unknown] {
            assert!(changes.iter().all(|change| change(role) == role), "{role}");
        }
        let joined = union([claim(1, Role::Inferred, None), claim(1, Role::Unknown, None)]);
        assert_eq!(joined, [claim(1, Role::Inferred, None)]);
    }

    #[test]
    fn role_names_round_trip() {
        for role in Role::ALL {
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
    }
}
