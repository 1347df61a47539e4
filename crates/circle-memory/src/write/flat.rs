//! What the tracealloc, draft and CSV forms have in common: segments of blocks with one text each.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::implied::ImpliedProducer;
use super::losses::Losses;
use super::{WriteError, WriteOptions};
use crate::analysis::layer_name;
use crate::form::{Block, Memory, Origin, Piece, Producer, TickUnit};
use crate::is_unplanned;
use crate::place::Place;
use crate::read::ID;

/// The names that blocks are written with.
pub(super) struct Labels<'a> {
    origins: HashMap<u32, &'a Origin>,
    /// What several blocks would be called by their layers alone, and what with their own names.
    by_layer: HashSet<String>,
    by_name: HashSet<String>,
}

impl<'a> Labels<'a> {
    pub(super) fn new(memory: &'a Memory, options: &WriteOptions) -> Self {
        let origins = memory.origins.iter().map(|origin| (origin.id, origin)).collect();
        let mut this = Self { origins, by_layer: HashSet::new(), by_name: HashSet::new() };
        if options.tell_apart {
            this.by_layer = this.repeated(memory, Self::of_layers);
            this.by_name = this.repeated(memory, Self::with_own);
        }
        this
    }

    /// What several blocks are called.
    fn repeated(
        &self,
        memory: &'a Memory,
        label: impl Fn(&Self, &'a Block) -> Option<Cow<'a, str>>,
    ) -> HashSet<String> {
        let (mut once, mut again) = (HashSet::new(), HashSet::new());
        for block in memory.segments.iter().flat_map(|segment| &segment.blocks) {
            if let Some(text) = label(self, block)
                && let Some(text) = once.replace(text)
            {
                again.insert(text.into_owned());
            }
        }
        again
    }

    /// The names of the block's origins, or else its own; with its own where several are called so, and its identity where
    /// even that is not enough.
    pub(super) fn of(&self, block: &'a Block) -> Option<Cow<'a, str>> {
        let label = self.with_own(block)?;
        Some(match block.id.as_deref().filter(|_| self.by_name.contains(&*label)) {
            Some(id) => Cow::Owned(format!("{label} ({id})")),
            None => label,
        })
    }

    fn with_own(&self, block: &'a Block) -> Option<Cow<'a, str>> {
        let label = self.of_layers(block)?;
        Some(match block.name.as_deref().filter(|_| self.by_layer.contains(&*label)) {
            Some(own) if own.starts_with(&*label) => Cow::Borrowed(own),
            Some(own) => Cow::Owned(format!("{label} ({own})")),
            None => label,
        })
    }

    fn of_layers(&self, block: &'a Block) -> Option<Cow<'a, str>> {
        let name = |origin: &&'a Origin| match origin.inferred {
            true => Cow::Owned(layer_name(origin)),
            false => Cow::Borrowed(origin.name.as_str()),
        };
        let mut names = block.origins.iter().filter_map(|id| self.origins.get(id)).map(name);
        match (names.next(), names.next()) {
            (None, _) => block.name.as_deref().map(Cow::Borrowed),
            (Some(only), None) => Some(only),
            (Some(first), Some(second)) => {
                let all: Vec<Cow<'a, str>> = [first, second].into_iter().chain(names).collect();
                Some(Cow::Owned(all.join(", ")))
            }
        }
    }
}

/// Finds what none of these forms can express, and the unit of ticks if it is not one of `units`.
pub(super) fn losses(
    memory: &Memory,
    options: &WriteOptions,
    units: &[TickUnit],
    losses: &mut Losses<'_>,
) -> Result<(), WriteError> {
    let Memory { format: _, schema_version: _, producer, model, tick, files, origins, segments, extra: _ } =
        memory;
    of_producer(producer.as_ref(), losses);
    let digests = |model: &crate::form::ModelFile| {
        model.md5.is_some() || model.sha256.is_some() || model.size.is_some()
    };
    let implied = losses.implied;
    losses.file(model.as_ref().is_some_and(digests) && !implied.model, "digests and size of the model");
    of_unit(tick.unit, units, losses);
    losses.file(!tick.names.is_empty(), "names of ticks");
    losses.file(!files.is_empty(), "files that origins come from");
    let used: BTreeSet<u32> =
        segments.iter().flat_map(|s| &s.blocks).flat_map(|block| block.origins.iter().copied()).collect();
    let ids: BTreeSet<u32> = origins.iter().map(|origin| origin.id).collect();
    let mut names = BTreeSet::new();
    for origin in origins {
        let details = [origin.file, origin.subgraph, origin.operator].iter().any(Option::is_some);
        losses.file(details || origin.opcode.is_some(), "file, subgraph, operator or opcode of an origin");
        losses.file(origin.inferred, "that an origin is inferred, but in its name");
        losses.file(!used.contains(&origin.id), "an origin of no block");
        losses.file(!names.insert(&origin.name), "two origins of one name");
    }
    let mut ids_read = BTreeSet::new();
    for (index, segment) in segments.iter().enumerate() {
        let place = || Place::segment(memory, index);
        losses.never(is_unplanned(segment), "a planning problem, whose blocks have no offsets", place())?;
        losses.segment(segment.alignment.is_some(), "alignment of the segment", index);
        losses.segment(segment.tick.as_ref().is_some_and(|own| own != tick), "ticks of the segment", index);
        losses.segment(!segment.spaces.is_empty(), "spaces that blocks share", index);
        for (at, block) in segment.blocks.iter().enumerate() {
            let unknown = block.origins.iter().any(|id| !ids.contains(id));
            losses.block(unknown, "an origin that does not exist", (index, at));
            // Readers take the first block's member of that name for its identity, and keep those of others as they are.
            let id = block.id.as_deref().filter(|_| !implied.ids);
            let other = || block.extra.get(ID).and_then(Value::as_str);
            let new = id.or_else(other).is_some_and(|id| !id.is_empty() && ids_read.insert(id));
            losses.block(
                new && id.is_none(),
                "an extra key that would be read as the block's id",
                (index, at),
            );
            of_block(block, (index, at), options, losses);
        }
    }
    Ok(())
}

/// Name, version and planner of who made the file, as far as they were in it.
pub(super) fn of_producer(producer: Option<&Producer>, losses: &mut Losses<'_>) {
    let (Some(Producer { name, version, created: _, planner }), implied) =
        (producer, losses.implied.producer)
    else {
        return;
    };
    let all = implied == ImpliedProducer::All;
    losses.file(name.is_some() && implied == ImpliedProducer::Nothing, "name of the producer");
    losses.file(version.is_some() && !all, "version of the producer");
    losses.file(planner.is_some() && !all, "planner");
}

/// The unit of ticks if it is not one of `units` and was in the file. A form whose ticks are of an unknown kind loses nothing
/// of a unit that another form implies; one whose ticks are cycles takes those of an unknown kind, and no others.
pub(super) fn of_unit(unit: TickUnit, units: &[TickUnit], losses: &mut Losses<'_>) {
    let taken = units.contains(&TickUnit::Unknown) || unit == TickUnit::Unknown;
    let kept = units.contains(&unit) || (losses.implied.ticks && taken);
    losses.file(!kept, "unit of ticks");
}

fn of_block(block: &Block, place: (usize, usize), options: &WriteOptions, losses: &mut Losses<'_>) {
    let Block {
        id,
        name,
        offset: _,
        size: _,
        alive_from: _,
        alive_till,
        stays,
        kind,
        wrap,
        space,
        tensor,
        written_by,
        read_by,
        origins,
        extra,
    } = block;
    let implied = losses.implied;
    let mut lost = |lost, what| losses.block(lost, what, place);
    let id = id.as_deref().filter(|_| !implied.ids);
    lost(id == Some(""), "an empty id");
    lost(id.is_some() && extra.contains_key(ID), "an extra key that the form has");
    lost(name.is_some() && !origins.is_empty(), "name of a block that has origins");
    lost(origins.len() > 1, "several origins of a block, joined to one text");
    lost(*stays, "that the block stays alive after the plan");
    lost(kind.is_some() && !implied.kinds, "kind of the block");
    lost(wrap.is_some(), "a block in two pieces, written as two");
    lost(space.is_some(), "space of the block");
    lost(tensor.is_some(), "tensor of the block");
    let operators = written_by.is_some() || !read_by.is_empty();
    lost(operators && !implied.operators, "operators of the block");
    lost(options.inclusive_till && *alive_till == 0, "a lifetime that ends before tick 0");
}

/// `alive_till` as the options want it.
pub(super) fn till(block: &Block, options: &WriteOptions) -> u64 {
    if options.inclusive_till { block.alive_till.saturating_sub(1) } else { block.alive_till }
}

/// The ends of all pieces, which must be within 64 bits.
pub(super) fn ends(memory: &Memory, losses: &Losses<'_>) -> Result<(), WriteError> {
    for (index, segment) in memory.segments.iter().enumerate() {
        for (at, block) in segment.blocks.iter().enumerate() {
            let beyond = block.pieces().any(|piece| piece.end().is_none());
            if beyond {
                losses.never(true, "an end beyond 64 bits", Place::block(memory, index, at))?;
            }
        }
    }
    Ok(())
}

/// Whether members of `extra` would stand where the form has its own.
pub(super) fn clash(extra: &Map<String, Value>, own: &[&str]) -> bool {
    own.iter().any(|key| extra.contains_key(*key))
}

/// Whether a member of `extra` would be read as one of the form's own that need not be there. Null is none, and a form that
/// has it is written again as it was.
pub(super) fn taken_for(extra: &Map<String, Value>, own: &str) -> bool {
    extra.get(own).is_some_and(|value| !value.is_null())
}

/// One allocation of a JSON form.
pub(super) struct Allocation<'a> {
    /// Names of the numbers.
    pub(super) keys: [&'static str; 4],
    pub(super) numbers: [u64; 4],
    pub(super) id: Option<&'a str>,
    pub(super) origin: Option<Cow<'a, str>>,
    pub(super) extra: &'a Map<String, Value>,
}

impl Serialize for Allocation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, number) in self.keys.iter().zip(self.numbers) {
            map.serialize_entry(key, &number)?;
        }
        if let Some(id) = self.id {
            map.serialize_entry(ID, id)?;
        }
        if let Some(origin) = &self.origin {
            map.serialize_entry("origin", origin)?;
        }
        for (key, value) in self.extra.iter().filter(|(key, _)| !self.has(key)) {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Allocation<'_> {
    fn has(&self, key: &str) -> bool {
        self.keys.contains(&key)
            || (key == ID && self.id.is_some())
            || (key == "origin" && (self.origin.is_some() || taken_for(self.extra, key)))
    }
}

/// Each piece of each block, with its block.
pub(super) fn pieces(blocks: &[Block]) -> impl Iterator<Item = (&Block, Piece)> {
    blocks.iter().flat_map(|block| block.pieces().map(move |piece| (block, piece)))
}
