//! How much of a model is accounted for. What merely marks (helpers, operators whose origin is unknown) does not count
//! as covered: a share that can be raised by adding markers says nothing.

use circle_ir::lineage::Store;
use circle_ir::lineage::claims::Role;
use circle_ir::{Model, Operator};

/// How an operator stands to the originals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Its origins were carried through, and nothing about them is unknown.
    Proven,
    /// Some of its origins were found by comparison only, or a table alone says them.
    Inferred,
    /// It has no counterpart and only serves others.
    Helper,
    /// Its origin, or part of it, is unknown.
    Unknown,
}

/// How `op` stands to the originals.
pub fn standing(store: &Store, op: &Operator) -> Standing {
    let claims = store.claim_sets.get(op.lineage().claims());
    if op.lineage().unknown().is_some() || claims.is_empty() {
        Standing::Unknown
    } else if claims.iter().all(|claim| claim.role == Role::Helper) {
        Standing::Helper
    } else if claims.iter().any(|claim| !claim.role.is_carried()) {
        Standing::Inferred
    } else {
        Standing::Proven
    }
}

/// How many operators stand in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Coverage {
    /// All operators.
    pub operators: u64,
    /// Those of [`Standing::Proven`].
    pub proven: u64,
    /// Those of [`Standing::Inferred`].
    pub inferred: u64,
    /// Those of [`Standing::Helper`].
    pub helper: u64,
    /// Those of [`Standing::Unknown`].
    pub unknown: u64,
}

impl Coverage {
    /// The coverage of all subgraphs of `model`.
    pub fn of(model: &Model) -> Self {
        let mut coverage = Self::default();
        for (_, op) in model.subgraphs().flat_map(|(_, sg)| sg.operators()) {
            coverage.add(standing(model.store(), op));
        }
        coverage
    }
    /// Counts one operator.
    pub fn add(&mut self, standing: Standing) {
        self.operators += 1;
        let count = match standing {
            Standing::Proven => &mut self.proven,
            Standing::Inferred => &mut self.inferred,
            Standing::Helper => &mut self.helper,
            Standing::Unknown => &mut self.unknown,
        };
        *count += 1;
    }
    /// The operators that could be covered: all but helpers.
    pub fn counted(&self) -> u64 {
        self.operators - self.helper
    }
    /// The proven share of those, in percent with two decimals, rounded down so that 100.00 means all. A model without
    /// such operators is wholly covered.
    pub fn percent(&self) -> String {
        let hundredths = match u128::from(self.counted()) {
            0 => 10_000,
            counted => u128::from(self.proven) * 10_000 / counted,
        };
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    }
    /// Whether the proven share is at least `least`; compared exactly.
    pub fn reaches(&self, least: Percent) -> bool {
        u128::from(self.proven) * 100 * u128::from(least.denominator)
            >= u128::from(least.numerator) * u128::from(self.counted())
    }
}

/// A percentage as it was written, from 0 to 100, with up to nine decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Percent {
    numerator: u64,
    denominator: u64,
}

impl std::str::FromStr for Percent {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_suffix('%').unwrap_or(text).trim_end();
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let number = |text: &str, most: usize| {
            let sound = !text.is_empty() && text.len() <= most && text.bytes().all(|b| b.is_ascii_digit());
            sound.then(|| text.parse::<u64>().ok()).flatten()
        };
        let fault = || format!("{text:?} is no percentage from 0 to 100 with at most 9 decimals");
        let whole = number(whole, 3).ok_or_else(fault)?;
        let fraction = if digits.contains('.') { number(decimals, 9).ok_or_else(fault)? } else { 0 };
        // At most nine decimals were let through.
        let denominator = 10_u64.pow(decimals.len() as u32);
        let numerator = whole * denominator + fraction;
        if numerator > 100 * denominator { Err(fault()) } else { Ok(Self { numerator, denominator }) }
    }
}

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.numerator / self.denominator)?;
        let width = self.denominator.ilog10() as usize;
        if width > 0 { write!(f, ".{:0width$}", self.numerator % self.denominator) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_exact_and_rounded_down() {
        let coverage = Coverage { operators: 4, proven: 2, inferred: 0, helper: 1, unknown: 1 };
        assert_eq!((coverage.counted(), coverage.percent().as_str()), (3, "66.66"));
        let reaches = |text: &str| coverage.reaches(text.parse().unwrap());
        assert!(reaches("66.666666666") && !reaches("66.666666667") && reaches("0"));
        let nothing = Coverage::default();
        assert!(nothing.reaches("100".parse().unwrap()));
        assert_eq!(nothing.percent(), "100.00");
        let nearly = Coverage { operators: 100_000, proven: 99_999, unknown: 1, ..Coverage::default() };
        assert_eq!(nearly.percent(), "99.99");
    }

    #[test]
    fn percentages_are_read_as_written() {
        for text in ["0", "99.5", "100", "100.0", "7.000000001"] {
            assert_eq!(text.parse::<Percent>().unwrap().to_string(), text);
        }
        assert_eq!("99.5 %".parse::<Percent>().unwrap().to_string(), "99.5");
        for text in ["", ".5", "5.", "100.1", "-1", "1e1", "0.0000000001", "1000", "NaN"] {
            assert!(text.parse::<Percent>().is_err(), "{text}");
        }
    }
}
