//! What colour a block has, and what that means.

use super::axis::bytes;
use super::chart::Panel;
use super::groups::group;
use super::mass::Mass;
use super::names::{KINDS, block_name, kind_name};
use super::options::{ColourBy, Options};
use crate::colour::Colour;
use crate::options::Theme;
use crate::palette::{category, ramp, skin};
use circle_memory::Block;
use std::collections::BTreeMap;

/// Something that a colour means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) label: String,
    pub(super) colour: Colour,
    /// Blocks of which nothing is known are hatched, too.
    pub(super) hatched: bool,
    /// Bytes times ticks of its blocks: the area in the picture.
    pub(super) weight: Mass,
}

/// The classes of all blocks that are drawn.
#[derive(Debug, Default)]
pub(super) struct Paint {
    /// What colours mean, in words.
    pub(super) caption: &'static str,
    pub(super) classes: Vec<Class>,
    /// Class of each block of each panel.
    of: Vec<Vec<u32>>,
}

fn area(block: &Block) -> u128 {
    u128::from(block.size) * u128::from(block.alive_till.saturating_sub(block.alive_from))
}

impl Paint {
    pub(super) fn new(panels: &[Panel<'_>], origins: &[BTreeMap<u32, String>], options: &Options) -> Paint {
        let mut paint = match options.colour {
            ColourBy::Origin => by_origin(panels, origins, options.theme),
            ColourBy::Kind => by_kind(panels, options.theme),
            ColourBy::Size => by_size(panels, options.theme),
        };
        for (panel, classes) in panels.iter().zip(&paint.of) {
            for (block, class) in panel.segment.blocks.iter().zip(classes) {
                if let Some(class) = paint.classes.get_mut(*class as usize) {
                    class.weight += area(block).into();
                }
            }
        }
        paint
    }

    /// Number of the class of a block of a panel.
    pub(super) fn class(&self, panel: usize, block: usize) -> u32 {
        self.of.get(panel).and_then(|classes| classes.get(block)).copied().unwrap_or(0)
    }

    /// A class by number.
    pub(super) fn get(&self, class: u32) -> Option<&Class> {
        self.classes.get(class as usize)
    }
}

fn unknown(label: &str, theme: Theme) -> Class {
    Class { label: label.to_owned(), colour: skin(theme).blank, hatched: true, weight: Mass::default() }
}

fn by_origin(panels: &[Panel<'_>], origins: &[BTreeMap<u32, String>], theme: Theme) -> Paint {
    let blocks = || panels.iter().flat_map(|panel| panel.segment.blocks.iter());
    let layered = blocks().any(|block| !block.origins.is_empty());
    // Each name once, in order of first use.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut names: Vec<(String, Mass)> = Vec::new();
    let mut number = |name: String, weight: u128| {
        let number = *numbers.entry(name).or_insert_with_key(|name| {
            names.push((name.clone(), Mass::default()));
            names.len() - 1
        });
        if let Some(entry) = names.get_mut(number) {
            entry.1 += weight.into();
        }
        number
    };
    let mut used: Vec<Vec<Vec<usize>>> = Vec::with_capacity(panels.len());
    for panel in panels {
        let none = BTreeMap::new();
        let origins = origins.get(panel.plan).unwrap_or(&none);
        let segment = panel.segment.blocks.iter().enumerate().map(|(position, block)| {
            if !layered {
                return vec![number(
                    block_name(block, panel.place(position), origins).into_owned(),
                    area(block),
                )];
            }
            let each = area(block) / block.origins.len().max(1) as u128;
            let name = |id: &u32| origins.get(id).cloned().unwrap_or_else(|| format!("origin {id}"));
            block.origins.iter().map(|id| number(name(id), each)).collect()
        });
        used.push(segment.collect());
    }
    let weighted: Vec<(&str, Mass)> = names.iter().map(|(name, weight)| (name.as_str(), *weight)).collect();
    let groups = group(&weighted);
    let mut classes: Vec<Class> = groups
        .labels
        .iter()
        .enumerate()
        .map(|(position, label)| Class {
            label: if label.is_empty() { "(no name)".to_owned() } else { label.clone() },
            colour: category(position, theme),
            hatched: false,
            weight: Mass::default(),
        })
        .collect();
    let nothing = classes.len() as u32;
    if layered && blocks().any(|block| block.origins.is_empty()) {
        classes.push(unknown("origin unknown", theme));
    }
    let class = |names: &Vec<usize>| -> u32 {
        // The group that most of the layers belong to, of equals the one that is named first.
        let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (position, name) in names.iter().enumerate() {
            counts.entry(groups.of[*name]).or_insert((0, names.len() - position)).0 += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, rank)| *rank);
        most.map_or(nothing, |(group, _)| group as u32)
    };
    let of = used.iter().map(|segment| segment.iter().map(class).collect()).collect();
    let caption = if layered { "colour: original layers, by name" } else { "colour: blocks, by name" };
    Paint { caption, classes, of }
}

fn by_kind(panels: &[Panel<'_>], theme: Theme) -> Paint {
    let mut classes: Vec<Class> = KINDS
        .iter()
        .enumerate()
        .map(|(position, kind)| Class {
            label: kind_name(*kind).to_owned(),
            colour: category(position, theme),
            hatched: false,
            weight: Mass::default(),
        })
        .collect();
    classes.push(unknown("kind unknown", theme));
    let class = |block: &Block| match block.kind {
        Some(kind) => KINDS.iter().position(|other| *other == kind).unwrap_or(KINDS.len()) as u32,
        None => KINDS.len() as u32,
    };
    let of = panels.iter().map(|panel| panel.segment.blocks.iter().map(class).collect()).collect();
    Paint { caption: "colour: what a block holds", classes, of }
}

fn by_size(panels: &[Panel<'_>], theme: Theme) -> Paint {
    let blocks = || panels.iter().flat_map(|panel| panel.segment.blocks.iter());
    let log = |size: u64| size.max(1).ilog2();
    let low = blocks().map(|block| log(block.size)).min().unwrap_or(0);
    let high = blocks().map(|block| log(block.size)).max().unwrap_or(0);
    let classes = (low..=high)
        .map(|power| Class {
            label: format!("{} and more", bytes(1 << power)),
            // The lightest step of the ramp is that of nothing at all.
            colour: ramp(f64::from(power - low + 1) / f64::from(high - low + 1), theme),
            hatched: false,
            weight: Mass::default(),
        })
        .collect();
    let class = |block: &Block| log(block.size) - low;
    let of = panels.iter().map(|panel| panel.segment.blocks.iter().map(class).collect()).collect();
    Paint { caption: "colour: size of a block", classes, of }
}
