//! Where in a model something is wrong, and what.

use std::fmt;

use circle_tables::quote;

/// A place in a model, from the outside in. Parts that do not apply are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Index and name of the subgraph.
    pub subgraph: Option<(usize, String)>,
    /// Index and operator code name.
    pub operator: Option<(usize, String)>,
    /// Index and name of the tensor.
    pub tensor: Option<(usize, String)>,
    /// A field, slot or entry, for instance `input 3`.
    pub part: Option<String>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut part = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            let comma = if std::mem::take(&mut first) { "" } else { ", " };
            write!(f, "{comma}{text}")
        };
        if let Some((index, name)) = &self.subgraph {
            part(f, format_args!("subgraph {index}{}", Named(name)))?;
        }
        if let Some((index, name)) = &self.operator {
            part(f, format_args!("operator {index} {name}"))?;
        }
        if let Some((index, name)) = &self.tensor {
            part(f, format_args!("tensor {index}{}", Named(name)))?;
        }
        if let Some(text) = &self.part {
            part(f, format_args!("{text}"))?;
        }
        Ok(())
    }
}

/// A name in quotes after a space, shortened in the middle; nothing for an empty one.
struct Named<'a>(&'a str);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        f.write_str(" ")?;
        quote(f, &short(self.0))
    }
}

/// A name as it is shown: the middle of a long one is left out. Takes the same time however long the name is, since a
/// file may have the same fault at each of its tensors.
pub(crate) fn short(name: &str) -> String {
    const MOST: usize = 60;
    if name.chars().nth(MOST).is_none() {
        return name.to_owned();
    }
    // One more than half, so that a name that was shortened already stays as it is.
    let head = name.chars().take(MOST / 2);
    let mut tail: Vec<char> = name.chars().rev().take(MOST / 2 - 1).collect();
    tail.reverse();
    head.chain(['…']).chain(tail).collect()
}

/// Something wrong at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

/// Faults found in one reading, the first of them kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    list: Vec<Fault>,
    more: usize,
}

/// Enough to see a pattern; a file with thousands of faults has one cause.
const KEPT: usize = 20;

impl Faults {
    pub(crate) fn add(&mut self, place: Place, text: impl Into<String>) {
        if self.list.len() < KEPT {
            self.list.push(Fault { place, text: text.into() });
        } else {
            self.more += 1;
        }
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    pub(crate) fn into_parts(self) -> (Vec<Fault>, usize) {
        (self.list, self.more)
    }
}
