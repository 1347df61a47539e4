//! What people call operators and originals.

use std::fmt;

use circle_ir::{Model, OpId, OriginId, SubgraphId};

/// A word that names nothing, or several things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// Nothing is called so.
    Nothing {
        /// What was looked for: `operator` or `original`.
        what: &'static str,
        /// The word.
        word: String,
        /// What would have been understood.
        forms: &'static str,
    },
    /// Several things are called so.
    Several {
        /// What was looked for.
        what: &'static str,
        /// The word.
        word: String,
        /// The first of them, in words that name one.
        which: Vec<String>,
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing { what, word, forms } => write!(f, "there is no {what} {word:?}; {forms}"),
            Self::Several { what, word, which, count } => {
                write!(f, "{count} {what}s are called {word:?}: {}", which.join(", "))?;
                if which.len() < *count { f.write_str(", …") } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for NameError {}

/// How many namesakes are listed.
const LISTED: usize = 8;

fn only<T>(
    what: &'static str,
    word: &str,
    forms: &'static str,
    found: Vec<(T, String)>,
) -> Result<T, NameError> {
    let count = found.len();
    let which = found.iter().take(LISTED).map(|(_, name)| name.clone()).collect();
    let mut found = found.into_iter();
    match (found.next(), count) {
        (Some((one, _)), 1) => Ok(one),
        (Some(_), _) => Err(NameError::Several { what, word: word.to_owned(), which, count }),
        (None, _) => Err(NameError::Nothing { what, word: word.to_owned(), forms }),
    }
}

/// The operator that `word` names: `12` (of subgraph 0), `sg1:3`, or the exact name of one of its output tensors.
///
/// # Errors
/// When it names none or several.
pub fn operator(model: &Model, word: &str) -> Result<(SubgraphId, OpId), NameError> {
    if let Some((subgraph, index)) = indices(word)
        && let Some(sg) = model.subgraph(subgraph)
        && let Some((id, _)) = sg.operators().nth(index)
    {
        return Ok((subgraph, id));
    }
    let mut found = Vec::new();
    for (id, sg) in model.subgraphs() {
        for (index, (op, operator)) in sg.operators().enumerate() {
            let mut outputs = operator.outputs().iter().filter_map(|&v| sg.value(v));
            if outputs.any(|value| value.name() == word) {
                found.push(((id, op), format!("{id}:{index}")));
            }
        }
    }
    let forms = "an index (12), subgraph and index (sg1:3) and the name of an output tensor are understood";
    only("operator", word, forms, found)
}

fn indices(word: &str) -> Option<(SubgraphId, usize)> {
    let (subgraph, index) = match word.strip_prefix("sg") {
        Some(rest) => rest.split_once(':')?,
        None => ("0", word),
    };
    Some((SubgraphId::from_number(subgraph.parse().ok()?), index.parse().ok()?))
}

/// The original that `word` names: `5`, `@5`, or its exact name.
///
/// # Errors
/// When it names none or several.
pub fn source(model: &Model, word: &str) -> Result<OriginId, NameError> {
    let origins = &model.store().origins.operators;
    let id = word.strip_prefix('@').unwrap_or(word).parse().ok().map(OriginId::from_number);
    if let Some(id) = id.filter(|id| origins.contains_key(id)) {
        return Ok(id);
    }
    let named = origins.iter().filter(|(_, origin)| &*origin.name == word);
    let found = named.map(|(&id, _)| (id, id.to_string())).collect();
    only("original", word, "an id (5 or @5) and the name of an output tensor are understood", found)
}
