//! What an operator may claim that no step has touched: it is its original still.

use crate::lineage::claims::{Claim, Role};
use crate::lineage::origin::Origins;

/// Why an operator of that code, whose first output has that name, cannot have these claims without any step: of an
/// original that is known by file and operator it has that one claim, as `primary`, and it has its kind and its name. Of
/// originals that tables of other tools named, kind and place are not known, and roles are guessed: nothing is said of
/// those. Claims of originals that do not exist are not this law's business.
pub fn contradiction(origins: &Origins, code: &str, name: &str, claims: &[Claim]) -> Option<String> {
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
    (*origin.name != *name)
        .then(|| format!("computes {name:?} and claims {id} {:?}, though no step is told of", origin.name))
}
