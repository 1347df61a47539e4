//! Models from the command line.

use std::io::Read as _;
use std::path::Path;

use circle_format::lineage::export::{Entries, export};
use circle_format::lineage::identity::{self, Digests};
use circle_format::lineage::import::{Basis, Imported, import_with};
use circle_format::lineage::sidecar::{self as beside, Fit, Sidecar};
use circle_format::read::{ONE_OP_TABLE, ReadOptions, read};
use circle_format::write::{self, Extra, WriteOptions};
use circle_ir::FileId;
use circle_ir::lineage::origin::OriginFile;
use circle_metadata::lineage::{Decoded, decode};
use circle_metadata::problem::Severity;
use circle_schema::{Format, MappedFile};

use crate::args::Common;
use crate::failure::{Failure, shown};
use crate::{progress, sidecar};

mod late;

pub use late::save_while_hashing;

/// Standard input is read into memory; a model that is larger must be given as a file, which is mapped.
const MAX_STDIN: u64 = 4 << 30;

/// A model file, mapped or read from standard input.
#[derive(Debug)]
pub struct Input {
    /// The path as given.
    pub path: String,
    name: String,
    bytes: MappedFile,
}

impl Input {
    /// Opens `path`, or reads standard input for `-`.
    ///
    /// # Errors
    /// When it cannot be opened or read.
    pub fn open(path: &str) -> Result<Self, Failure> {
        let bytes = if path == "-" {
            let mut bytes = Vec::new();
            let read = std::io::stdin().lock().take(MAX_STDIN + 1).read_to_end(&mut bytes);
            read.map_err(|error| Failure::at("standard input", error))?;
            if bytes.len() as u64 > MAX_STDIN {
                return Err(Failure::at(
                    "standard input",
                    format!("more than {MAX_STDIN} bytes; give the model as a file"),
                ));
            }
            MappedFile::from_vec(bytes)
        } else {
            // The error names the file.
            MappedFile::open(Path::new(path)).map_err(|error| Failure::new(shown(&error.to_string())))?
        };
        let name = if path == "-" { "standard input".to_owned() } else { shown(path) };
        Ok(Self { path: path.to_owned(), name, bytes })
    }
    /// All bytes.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.bytes()
    }
    /// Whether the file still is what was read.
    ///
    /// # Errors
    /// When someone has written to it meanwhile.
    pub fn check_unchanged(&self) -> Result<(), Failure> {
        self.bytes.check_unchanged().map_err(|error| Failure::new(shown(&error.to_string())))
    }
    /// The name in messages, where it cannot add a line of its own.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A model with its lineage and what its file is known by.
#[derive(Debug)]
pub struct Model {
    /// The model, and how its lineage was found.
    pub imported: Imported,
    /// The file itself.
    pub file: OriginFile,
    /// The file's format.
    pub format: Format,
    /// All metadata entries of the file, for listing.
    pub metadata: Vec<Entry>,
    /// What was left out with `--allow_loss`.
    pub lost: Vec<String>,
    /// What came of the sidecar that was given.
    pub sidecar: Option<SidecarUse>,
}

/// What came of a sidecar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidecarUse {
    /// It brought the lineage back. Whether the constants hold what they held, if that is known.
    Brought {
        /// As of [`Fit::Structure`]; `Some(true)` for the very file.
        same_constants: Option<bool>,
    },
    /// The file carries its lineage itself.
    NotNeeded {
        /// Whether the sidecar says the same.
        agrees: bool,
        /// Whether the constants hold what they held when it was written, as above.
        same_constants: Option<bool>,
    },
}

impl Model {
    /// States the digests of the file, and with them those of the origin file if the file is its own.
    pub fn identify(&mut self, (md5, sha256): Digests) {
        self.file.md5 = md5;
        self.file.sha256 = Some(sha256);
        if self.imported.basis == Basis::Fresh {
            self.imported.model.identify(FileId::from_number(0), md5, sha256);
        }
    }
}

/// A metadata entry of the file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its payload's range in the file.
    pub range: std::ops::Range<u64>,
}

/// Reads the model in `input`.
///
/// # Errors
/// When it is no model, or one that cannot be carried whole.
pub fn load(input: &Input, options: ReadOptions, common: Common) -> Result<Model, Failure> {
    load_with(input, options, common, None)
}

/// The same with a sidecar, or a folder of them, that brings the lineage back where the file has lost it.
///
/// # Errors
/// As for [`load`]; and when the sidecar is none, or not that of the model.
pub fn load_with(
    input: &Input,
    options: ReadOptions,
    common: Common,
    sidecar: Option<&str>,
) -> Result<Model, Failure> {
    load_early(input, options, common, sidecar, identity::digests)
}

/// As [`load_with`], with digests from `digests`. They may be given later, by [`Model::identify`].
///
/// # Errors
/// As [`load_with`].
pub fn load_early<'a>(
    input: &'a Input,
    options: ReadOptions,
    common: Common,
    sidecar: Option<&str>,
    digests: impl FnOnce(&'a [u8]) -> Digests,
) -> Result<Model, Failure> {
    let bytes = input.bytes();
    progress::step("reading");
    let loaded = read(bytes, options).map_err(|error| Failure::at(input.name(), error))?;
    let format = loaded.format;
    for warning in &loaded.warnings {
        common.warn(&format!("{}: {warning}", input.name()));
    }
    for lost in &loaded.lost {
        common.warn(&format!("{}: left out: {lost}", input.name()));
    }
    let lost = loaded.lost.clone();
    let metadata = entries(&loaded);
    progress::step("computing digests");
    let file = identity::identify_as(&input.path, Some(format), bytes, digests(bytes));
    progress::step("reading lineage");
    let sidecar = sidecar.map(|path| sidecar::find(path, &loaded.draft, &file, input, common)).transpose()?;
    let own_lineage = loaded.own.lineage.clone();
    let imported = import_with(bytes, loaded, file.clone(), sidecar.as_ref().map(|(sidecar, _)| sidecar));
    let imported = imported.map_err(|error| Failure::at(input.name(), error))?;
    let same_constants = |fit| match fit {
        Fit::File => Some(true),
        Fit::Structure { same_constants } => same_constants,
    };
    let used = sidecar.map(|(sidecar, fit)| match imported.basis {
        Basis::Sidecar => SidecarUse::Brought { same_constants: same_constants(fit) },
        _ => {
            let agrees = own_lineage.is_some_and(|range| agrees(&sidecar, bytes, range));
            let text = if agrees {
                "the sidecar is not needed"
            } else {
                "the sidecar, which holds another, is not used"
            };
            let text = format!("{}: carries its lineage itself; {text}", input.name());
            if agrees {
                common.note(&text)
            } else {
                common.warn(&text)
            }
            SidecarUse::NotNeeded { agrees, same_constants: same_constants(fit) }
        }
    });
    input.check_unchanged()?;
    Ok(Model { imported, file, format, metadata, lost, sidecar: used })
}

/// Whether `sidecar` holds what is embedded at `range` of a file.
fn agrees(sidecar: &Sidecar, bytes: &[u8], range: std::ops::Range<u64>) -> bool {
    let payload = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    let payload = payload.and_then(|(start, end)| bytes.get(start..end));
    match payload.map(decode) {
        Some(Ok(Decoded::Known(embedded))) => *embedded == sidecar.lineage,
        _ => false,
    }
}

/// The name of where a lineage was taken from.
pub fn profile_data(basis: Basis) -> &'static str {
    match basis {
        Basis::Fresh => "none",
        Basis::Lineage => "lineage",
        Basis::Sidecar => "sidecar",
        Basis::OneTables => "one-tables",
        Basis::Unknown => "disbelieved",
    }
}

/// Tells what is wrong with the lineage that the model came with.
pub fn warn_of_lineage(input: &Input, model: &Model, common: Common) {
    for problem in &model.imported.problems {
        if problem.severity == Severity::Error || common.verbose > 0 {
            common.warn(&format!("{}: {}: {}", input.name(), problem.place(), problem.text));
        }
    }
    if let Some(doubt) = &model.imported.doubt {
        common.warn(&format!("{}: {ONE_OP_TABLE}: {doubt}", input.name()));
    }
    if let (Basis::Unknown, Some(reason)) = (model.imported.basis, &model.imported.stale) {
        common.warn(&format!("{}: {reason}; its operators are unknown", input.name()));
    }
}

fn entries(loaded: &circle_format::read::Loaded) -> Vec<Entry> {
    let mut out = Vec::new();
    for foreign in loaded.draft.frame.metadata.iter().flatten() {
        let range = match loaded.draft.buffers.get(foreign.buffer.number() as usize) {
            Some(circle_ir::Buffer::Source { range, .. }) => range.clone(),
            _ => 0..0,
        };
        out.push(Entry { name: foreign.name().to_owned(), range });
    }
    let own = &loaded.own;
    let ours = [
        (circle_format::read::ONE_SOURCE_TABLE, &own.source_table),
        (circle_format::read::ONE_OP_TABLE, &own.op_table),
        (circle_format::read::ORIGIN_ID, &own.origin_id),
        (circle_format::read::LINEAGE, &own.lineage),
    ];
    for (name, range) in ours {
        if let Some(range) = range {
            out.push(Entry { name: name.to_owned(), range: range.clone() });
        }
    }
    out
}

/// Holds a model that is written without its lineage against what is read of such a file.
///
/// # Errors
/// When nothing would tell its operators apart, and `allow_loss` does not permit that.
pub fn told_apart(path: &str, graph: &circle_ir::Model, allow_loss: bool) -> Result<(), Failure> {
    match write::untold(graph).filter(|_| !allow_loss) {
        None => Ok(()),
        Some(untold) => {
            Err(Failure::at(path, format!("{untold}: without lineage, no reader tells its operators apart"))
                .because("circle2circle --profiling_data writes the lineage with it")
                .because("--allow_loss writes it all the same, and reads it by the operators' index alone"))
        }
    }
}

/// What of the lineage is written.
#[derive(Clone, Copy, Debug)]
pub struct Lineage<'a> {
    /// The file that the origin line names instead of the first file of the lineage.
    pub origin: Option<&'a OriginFile>,
}

/// What is written last before a model takes its place. When that fails, the model does not: whoever writes over the
/// only copy of a lineage must not be left with half of the results.
pub type Last<'a> = &'a dyn Fn() -> Result<(), Failure>;

/// Writes a model that was read from `input`, with or without its lineage in it, and to `beside` a sidecar with it.
///
/// # Errors
/// When a place cannot be written, or the file cannot hold the model. It is as it was then.
pub fn save(
    path: &str,
    input: &Input,
    graph: &circle_ir::Model,
    lineage: Option<Lineage<'_>>,
    beside: Option<&str>,
    last: Last<'_>,
) -> Result<(), Failure> {
    save_with(path, input, graph, lineage, beside, &[], last)
}

/// The same with metadata entries of the caller's behind those of the lineage.
///
/// # Errors
/// As [`save`].
pub fn save_with(
    path: &str,
    input: &Input,
    graph: &circle_ir::Model,
    lineage: Option<Lineage<'_>>,
    beside: Option<&str>,
    more: &[Extra<'_>],
    last: Last<'_>,
) -> Result<(), Failure> {
    let numbering = write::number(graph);
    let mut names = lineage.map(|lineage| Entries::names(graph, lineage.origin)).unwrap_or_default();
    names.extend(more.iter().map(|entry| entry.name));
    // The graph and its lineage are put into their forms at the same time, each in a thread.
    let (prepared, entries) = std::thread::scope(|scope| {
        let prepare =
            || write::prepare(graph, input.bytes(), &numbering, names.clone(), WriteOptions::default());
        let thread = std::thread::Builder::new().spawn_scoped(scope, prepare);
        let entries = lineage.map(|lineage| export(graph, &numbering, lineage.origin)).transpose();
        let prepared = match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // The system has no more threads to give.
            Err(_) => prepare(),
        };
        (prepared, entries)
    });
    let entries = entries.map_err(|error| Failure::at(input.name(), error))?;
    let prepared = prepared.map_err(|error| Failure::at(path, error))?;
    let ours = entries.as_ref().map(Entries::extra).unwrap_or_default();
    let names = lineage.map(|lineage| Entries::names(graph, lineage.origin)).unwrap_or_default();
    debug_assert!(ours.iter().map(|entry| entry.name).eq(names), "each payload goes under its own name");
    let payloads: Vec<&[u8]> = ours.iter().chain(more).map(|entry| entry.payload).collect();
    crate::output::write(path, |sink| {
        let to = |sink: &mut dyn std::io::Write| {
            let mut sink = progress::counted(sink);
            let written = prepared.finish(&payloads, &mut sink).map_err(|error| Failure::at(path, error))?;
            // Before the result gets its name: it may hold weights of two versions of the input.
            input.check_unchanged().map(|()| written)
        };
        let Some(beside) = beside else {
            to(sink)?;
            return last();
        };
        let mut sink = identity::Identifying::new(sink);
        to(&mut sink)?;
        let sidecar = beside::make(graph, &numbering, &sink.finish(path), &input.bytes())
            .map_err(|error| Failure::at(input.name(), error))?;
        crate::output::write_text(beside, &sidecar.to_json())?;
        last()
    })
}
