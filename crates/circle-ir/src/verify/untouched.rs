//! What an operator may claim that no step has touched, and what a tensor may be said to be: it is its original still.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};

use crate::entity::OriginId;
use crate::lineage::claims::{Claim, Role};
use crate::lineage::origin::Origins;

/// The originals, and which of them have left.
#[derive(Debug)]
pub struct Untouched<'a> {
    origins: &'a Origins,
    gone: BTreeSet<OriginId>,
    /// Names that only originals have that are there.
    names: OnceCell<HashSet<&'a str>>,
}

impl<'a> Untouched<'a> {
    /// The originals, of which those in the ledger are `gone`.
    pub fn new(origins: &'a Origins, gone: BTreeSet<OriginId>) -> Self {
        Self { origins, gone, names: OnceCell::new() }
    }

    /// Whether `name` is that of an original that is there. The name of one that has left, or that a pass gave, may have
    /// come to another operator with its result: when an addition of zero goes, its operand bears its name.
    fn is_there(&self, name: &str) -> bool {
        let names = self.names.get_or_init(|| {
            let of = |gone: bool| {
                let is_it = move |id: &&OriginId| self.gone.contains(id) == gone;
                self.origins.operators.keys().filter(is_it).filter_map(|&id| self.origins.operator(id))
            };
            let gone: HashSet<&str> = of(true).map(|origin| &*origin.name).collect();
            of(false).map(|origin| &*origin.name).filter(|name| !gone.contains(name)).collect()
        });
        names.contains(name)
    }
}

/// Why an operator of that code, whose first output has that name, cannot have these claims without any step: of an
/// original that is known by file and operator it has that one claim, as `primary`, and it has its kind and not the
/// name of another that is there. Of originals that tables of other tools named, kind and place are not known, and roles
/// are guessed: nothing is said of those. Claims of originals that do not exist are not this law's business.
pub fn contradiction(originals: &Untouched<'_>, code: &str, name: &str, claims: &[Claim]) -> Option<String> {
    let origins = originals.origins;
    let known = claims.iter().find_map(|claim| {
        let origin = origins.operator(claim.origin)?;
        (origin.file.is_some() && origin.operator.is_some()).then_some((claim, origin))
    });
    let (claim, origin) = known?;
    let id = claim.origin;
    let kind = &*origin.opcode;
    if !kind.is_empty() && kind != code {
        return Some(format!("is {code} and claims {id}, a {kind}, though no step is told of"));
    }
    if let Some(other) = claims.iter().find(|other| other.origin != id) {
        return Some(format!("claims {id} and {}, though no step is told of", other.origin));
    }
    if claim.role != Role::Primary {
        return Some(format!("claims {id} as {}, though no step is told of", claim.role));
    }
    (*origin.name != *name && originals.is_there(name))
        .then(|| format!("computes {name:?} and claims {id} {:?}, though no step is told of", origin.name))
}

/// Why a tensor called `name` cannot have come from the original tensors called `said` without any step: it bears the
/// name of one of them, since passes that give a tensor another name, or make it stand for another, leave a step.
pub fn renamed<'a>(name: &str, said: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut said = said.into_iter();
    let first = said.next()?;
    (first != name && said.all(|other| other != name))
        .then(|| format!("is called {name:?} and is said to be {first:?}, though no step is told of"))
}
