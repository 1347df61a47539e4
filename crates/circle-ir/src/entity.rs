//! Identities: small numbers with a type and a printed prefix, never reused after the thing is gone.

use std::fmt;
use std::marker::PhantomData;

/// A key of a [`Table`]: a `u32` with a type of its own.
pub trait Entity: Copy + Eq + Ord {
    /// The entity with number `index`.
    fn new(index: u32) -> Self;
    /// The number.
    fn index(self) -> usize;
}

macro_rules! entity {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        impl $name {
            /// The number without its prefix.
            pub const fn number(self) -> u32 { self.0 }
            /// The entity with this number. Whether it exists is another question: look it up.
            pub const fn from_number(number: u32) -> Self { Self(number) }
        }
        impl Entity for $name {
            fn new(index: u32) -> Self { Self(index) }
            fn index(self) -> usize { self.0 as usize }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, concat!($prefix, "{}"), self.0) }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { fmt::Display::fmt(self, f) }
        }
    )*};
}

entity! {
    /// A subgraph of the model.
    SubgraphId = "sg";
    /// An operator of one subgraph.
    OpId = "op";
    /// A tensor of one subgraph.
    ValueId = "%";
    /// A buffer of the model.
    BufferId = "buf";
    /// An operator of the file the lineage starts from. For subgraph 0 the number is the id in `ONE_source_table`.
    OriginId = "@";
    /// A tensor of the file the lineage starts from.
    TensorOriginId = "@%";
    /// A step of the history.
    EventId = "ev";
    /// An interned set of claims.
    ClaimSetId = "claims";
    /// An interned set of tensor origins.
    TensorSetId = "tensors";
    /// A measured quantity.
    MetricId = "metric";
    /// A file that origins refer to.
    FileId = "file";
    /// A run of a tool.
    RunId = "run";
    /// An interned pass name.
    PassId = "pass";
    /// An interned reason for an unknown origin.
    ReasonId = "reason";
}

/// Things by identity. An identity is never given twice; iteration skips what is gone.
#[derive(Clone, Debug)]
pub struct Table<K, V> {
    /// Full chunks of [`CHUNK`] things, but for the last one: a table that grows is not copied to a larger place.
    chunks: Vec<Vec<Option<V>>>,
    live: usize,
    key: PhantomData<K>,
}

/// Things in a chunk of a table.
const CHUNK: usize = 1024;

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self { chunks: Vec::new(), live: 0, key: PhantomData }
    }
}

impl<K: Entity, V> Table<K, V> {
    /// Adds `value` under a new identity.
    pub fn push(&mut self, value: V) -> K {
        let key = self.next_key();
        match self.chunks.last_mut().filter(|chunk| chunk.len() < CHUNK) {
            Some(chunk) => chunk.push(Some(value)),
            None => {
                // A small table stays small; a second chunk will be filled.
                let mut chunk = Vec::with_capacity(if self.chunks.is_empty() { 0 } else { CHUNK });
                chunk.push(Some(value));
                self.chunks.push(chunk);
            }
        }
        self.live += 1;
        key
    }
    /// The identity that the next [`push`](Self::push) will give.
    pub fn next_key(&self) -> K {
        K::new(u32::try_from(self.bound()).unwrap_or(u32::MAX))
    }
    /// The thing, if it is (still) there.
    pub fn get(&self, key: K) -> Option<&V> {
        self.chunks.get(key.index() / CHUNK)?.get(key.index() % CHUNK)?.as_ref()
    }
    /// The thing, to be changed.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.chunks.get_mut(key.index() / CHUNK)?.get_mut(key.index() % CHUNK)?.as_mut()
    }
    /// Takes the thing out; its identity stays spent.
    pub fn remove(&mut self, key: K) -> Option<V> {
        let gone = self.chunks.get_mut(key.index() / CHUNK)?.get_mut(key.index() % CHUNK)?.take();
        self.live -= usize::from(gone.is_some());
        gone
    }
    /// What is there, by ascending identity.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        let slots = self.chunks.iter().flatten();
        slots.enumerate().filter_map(|(i, slot)| Some((K::new(i as u32), slot.as_ref()?)))
    }
    /// The identities of what is there, ascending.
    pub fn keys(&self) -> impl Iterator<Item = K> {
        self.iter().map(|(key, _)| key)
    }
    /// How many are there.
    pub fn len(&self) -> usize {
        self.live
    }
    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }
    /// One past the highest identity ever given.
    pub fn bound(&self) -> usize {
        let before = self.chunks.len().saturating_sub(1) * CHUNK;
        before + self.chunks.last().map_or(0, Vec::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_not_reused() {
        let mut table: Table<OpId, &str> = Table::default();
        let a = table.push("a");
        assert_eq!(table.remove(a), Some("a"));
        let b = table.push("b");
        assert_ne!(a, b);
        assert_eq!((table.len(), table.bound(), table.get(a)), (1, 2, None));
        for _ in 0..3 * CHUNK {
            table.push("more");
        }
        assert_eq!(
            (table.len(), table.bound(), table.keys().count()),
            (3 * CHUNK + 1, 3 * CHUNK + 2, 3 * CHUNK + 1)
        );
        let last = OpId::from_number(3 * CHUNK as u32 + 1);
        assert_eq!(
            (table.get(b).copied(), table.get(last).copied(), table.get_mut(last).copied()),
            (Some("b"), Some("more"), Some("more"))
        );
        assert!(table.iter().all(|(id, text)| (*text == "b") == (id == b)));
        assert_eq!(format!("{b} {:?}", ValueId::from_number(7)), "op1 %7");
    }
}
