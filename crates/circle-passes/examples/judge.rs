//! Holds the claims of a result against what the tensors of model and result hold, as a runtime has written it down.
//!
//! `judge MODEL TENSORS RESULT TENSORS` prints a line for each claim that is missing or unfounded, for each operator
//! whose claims could not be judged, and how many claims are confirmed. Exit code 1 if files cannot be read, 3 if the lineage of the result does not begin in the model.
//! What a file of tensors looks like is told in `tests/numeric/worker.py`, which writes it.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    unreachable_pub,
    reason = "an example speaks to its reader"
)]

#[path = "../../../tests/flow/mod.rs"]
mod flow;

use std::collections::BTreeMap;
use std::process::ExitCode;

use circle_format::lineage::identity::identify;
use circle_format::lineage::import::{Basis, import};
use circle_format::read::{ReadOptions, read};
use circle_ir::import::ImportedLineage;
use circle_ir::{Model, SubgraphId, ValueId};
use flow::{Held, Values};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Takes little-endian numbers from the front of what is left of a file.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk().ok_or("the file of tensors ends early")?;
        self.0 = rest;
        Ok(*first)
    }
    fn small(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.take()?))
    }
    fn large(&mut self) -> Result<usize> {
        Ok(usize::try_from(u64::from_le_bytes(self.take()?))?)
    }
    fn floats(&mut self, count: usize) -> Result<Vec<f64>> {
        (0..count).map(|_| Ok(f64::from_le_bytes(self.take()?))).collect()
    }
}

/// What tensors hold, by subgraph.
fn tensors(path: &str) -> Result<BTreeMap<u32, Values>> {
    let bytes = std::fs::read(path)?;
    let mut numbers = Numbers(&bytes);
    let mut all: BTreeMap<u32, Values> = BTreeMap::new();
    while !numbers.0.is_empty() {
        let (subgraph, tensor, rank) = (numbers.small()?, numbers.small()?, numbers.small()?);
        let shape = (0..rank).map(|_| numbers.large()).collect::<Result<_>>()?;
        let count = numbers.large()?;
        let held = Held { shape, in_order: numbers.floats(count)?, sorted: numbers.floats(count)? };
        all.entry(subgraph).or_default().insert(ValueId::from_number(tensor), held);
    }
    Ok(all)
}

/// The model with its own operators as originals, and the result as its file says; `None` if that begins elsewhere.
fn models(model: &str, result: &str) -> Result<Option<(Model, Model)>> {
    let load = |path: &str| -> Result<_> {
        let bytes = std::fs::read(path)?;
        let loaded = read(&bytes, ReadOptions { allow_loss: true }).map_err(|e| format!("{path}: {e}"))?;
        let file = identify(path, Some(loaded.format), &bytes);
        Ok((bytes, loaded, file))
    };
    let (_, loaded, file) = load(model)?;
    let digest = file.md5;
    let fresh = ImportedLineage::fresh(&loaded.draft, file);
    let before = loaded.draft.adopt(fresh)?;
    let (bytes, loaded, file) = load(result)?;
    let imported = import(&bytes, loaded, file)?;
    let is_of_model = imported.model.store().origins.files.iter().all(|file| file.md5 == digest);
    Ok((imported.basis == Basis::Lineage && is_of_model).then_some((before, imported.model)))
}

fn judge(arguments: &[String]) -> Result<ExitCode> {
    let [model, of_model, result, of_result] = arguments else {
        return Err("usage: judge MODEL TENSORS RESULT TENSORS".into());
    };
    let Some((before, after)) = models(model, result)? else {
        eprintln!("the lineage of the result begins in another file than the model");
        return Ok(ExitCode::from(3));
    };
    let (of_model, of_result) = (tensors(of_model)?, tensors(of_result)?);
    let mut confirmed = 0;
    for (number, held) in &of_result {
        let Some(known) = of_model.get(number) else { continue };
        let found = flow::check(&before, known, &after, held, SubgraphId::from_number(*number));
        confirmed += found.confirmed;
        found.missing.iter().for_each(|line| println!("missing {line}"));
        found.unfounded.iter().for_each(|line| println!("unfounded {line}"));
        found.unjudged.iter().for_each(|line| println!("unjudged {line}"));
    }
    println!("confirmed {confirmed}");
    Ok(ExitCode::SUCCESS)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    judge(&arguments).unwrap_or_else(|error| {
        eprintln!("judge: {error}");
        ExitCode::FAILURE
    })
}
