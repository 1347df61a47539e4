//! `circle-profile attach`: measured values onto the operators they were measured on.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use circle_format::read::ReadOptions;
use circle_metadata::profile;
use circle_profile::attach::attach;
use circle_profile::identity::{ModelDigests, check};
use circle_profile::join::{Join, RowRef, join};

use crate::args::Common;
use crate::failure::{Failure, shown};
use crate::model::{Input, Lineage, Model, load, save, warn_of_lineage};
use crate::output;
use crate::places::Places;

/// The verb's options.
#[derive(Debug, clap::Args)]
#[command(rename_all = "snake_case")]
pub(super) struct Options {
    /// Model that was measured; - for standard input
    model: String,
    /// What was measured: onert's Chrome trace, LiteRT's operator table (text or JSON), or CSV
    /// (subgraph,op_index,metric,unit,value)
    #[arg(required = true, num_args = 1..)]
    profiles: Vec<String>,
    /// Model to write, with the values and with profile data
    #[arg(short, long)]
    output: String,
    /// Join although the profile names another model, or has rows that do not fit this one
    #[arg(long)]
    force: bool,
    /// Leave out what this version cannot carry instead of refusing the model
    #[arg(long)]
    allow_loss: bool,
}

pub(super) fn run(options: &Options, common: Common) -> Result<(), Failure> {
    let inputs = std::iter::once(&options.model).chain(&options.profiles).map(String::as_str).collect();
    Places { inputs, output: Some(&options.output), ..Places::default() }.check()?;
    let _shown = crate::progress::show(common);
    let input = Input::open(&options.model)?;
    let mut model = load(&input, ReadOptions { allow_loss: options.allow_loss }, common)?;
    warn_of_lineage(&input, &model, common);
    let mut text = String::new();
    for path in &options.profiles {
        attach_one(path, &input, &mut model, options, common, &mut text)?;
    }
    save(&options.output, &input, &model.imported.model, Some(Lineage { origin: None }), None, &|| Ok(()))?;
    // The model itself may have gone to standard output.
    if options.output == "-" || common.quiet { Ok(()) } else { output::print(&text) }
}

fn attach_one(
    path: &str,
    input: &Input,
    model: &mut Model,
    options: &Options,
    common: Common,
    text: &mut String,
) -> Result<(), Failure> {
    let file = Input::open(path)?;
    // The error names the file.
    let profile =
        profile::read(path, file.bytes()).map_err(|error| Failure::new(shown(&error.to_string())))?;
    for problem in &profile.problems {
        common.warn(&format!("{}: line {}: {}", file.name(), problem.line, problem.text));
    }
    let digests = ModelDigests { md5: model.file.md5, sha256: model.file.sha256.unwrap_or_default() };
    if let Err(error) = check(&profile, &digests) {
        if !options.force {
            return Err(Failure::at(path, error).because("--force joins it all the same"));
        }
        common.warn(&format!("{}: {error}", file.name()));
    }
    let joined = join(&model.imported.model, &profile);
    unmatched(&joined, &profile, &file, common);
    if joined.joined.is_empty() {
        return Err(Failure::at(
            path,
            format!(
                "nothing joins: 0 of {} rows are about an operator of {}",
                profile.rows.len(),
                input.name()
            ),
        ));
    }
    let doubts = joined.doubts();
    if doubts > 0 && !options.force {
        let error =
            format!("{doubts} rows do not fit {}, so that the others cannot be trusted either", input.name());
        return Err(Failure::at(path, error)
            .because("it was measured on another model, or on another state of it")
            .because("--force joins what fits"));
    }
    let attached = attach(&mut model.imported.model, path, &profile, &joined)
        .map_err(|error| Failure::at(path, error))?;
    let replaced =
        if attached.replaced > 0 { format!(", {} replaced", attached.replaced) } else { String::new() };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{}: {} values on operators{replaced}; {} rows joined, {} not, {} operators without a row",
        crate::failure::shown(circle_profile::attach::base_name(path)),
        attached.added,
        joined.joined.len(),
        joined.unmatched.len(),
        joined.uncovered.len()
    );
    Ok(())
}

/// How many reasons are told why rows are not joined.
const REASONS: usize = 100;

/// How many lines are named for each.
const LINES: usize = 5;

/// Rows that are not joined for one reason.
#[derive(Default)]
struct Rows {
    count: usize,
    first: Vec<String>,
}

/// Tells of rows that were not joined: one line for each reason, with the first lines it is about. Each row may have a
/// reason of its own, so that not more are told than somebody reads.
fn unmatched(joined: &Join, profile: &profile::Profile, file: &Input, common: Common) {
    // Rows about whole graphs are in every trace and no cause for worry, unless there are no others.
    let usual = |row: RowRef| matches!(row, RowRef::Other(_)) && !joined.joined.is_empty();
    let mut by_reason: BTreeMap<(bool, String), Rows> = BTreeMap::new();
    for row in &joined.unmatched {
        let of_operator = matches!(row.row, RowRef::Operator(_));
        let reason =
            if of_operator { row.reason.to_string() } else { format!("no operator: {}", row.reason) };
        let rows = by_reason.entry((usual(row.row), reason)).or_default();
        rows.count += 1;
        if rows.first.len() < LINES {
            rows.first.push(row.line.to_string());
        }
    }
    let total = profile.rows.len() + profile.other.len();
    let told = |(usual, text): (bool, String)| if usual { common.note(&text) } else { common.warn(&text) };
    for ((usual, reason), Rows { count, first }) in by_reason.iter().take(REASONS) {
        let more = if *count > LINES { format!(" and {} more", count - LINES) } else { String::new() };
        let first = first.join(", ");
        let text =
            format!("{}: {count} of {total} rows not joined: {reason} (line {first}{more})", file.name());
        told((*usual, text));
    }
    for usual in [false, true] {
        let rest = by_reason.iter().skip(REASONS).filter(|((other, _), _)| *other == usual);
        let (reasons, rows) = rest.fold((0, 0), |(reasons, rows), (_, of)| (reasons + 1, rows + of.count));
        if reasons > 0 {
            let name = file.name();
            let text =
                format!("{name}: {rows} of {total} rows not joined for {reasons} more reasons like these");
            told((usual, text));
        }
    }
}
