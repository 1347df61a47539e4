//! The forms that are read, and the files that are taken for one of them.

use std::fmt;

/// What a file is, told by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Our own form, `schema/memory-allocation.schema.json`.
    Own,
    /// The JSON drafted for ONE's backends: `memory_segments`, `front_addr`, `back_addr`.
    DraftV1,
    /// ONE's `*.tracealloc.json`: `segments`, `allocations`.
    Tracealloc,
    /// CSV with the columns of either JSON form.
    BackendCsv,
    /// A planning problem or its solution: `id,lower,upper,size[,offset]`.
    PlanCsv,
    /// Eclipse Aidge's `memory_info.txt`.
    Aidge,
    /// What Vela prints with `--verbose-allocation`.
    Vela,
    /// What TFLite-Micro's `PrintMemoryPlan` prints.
    TflmPlan,
    /// The log of one of onert's memory planners.
    OnertPlanner,
    /// Something else.
    Foreign(Foreign),
}

/// A file that holds no memory data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Foreign {
    /// Nothing, or only blanks.
    Empty,
    /// A circle model.
    Circle,
    /// A TFLite model.
    Tflite,
    /// A Chrome trace, as onert and others write it.
    ChromeTrace,
    /// onert's execution data as JSON.
    OnertExecution,
    /// onert's table of times in Markdown.
    OnertTable,
    /// LiteRT's table of operator times, or its rows as JSON.
    LitertProfile,
    /// Measurements as CSV, one a line.
    ProfileCsv,
    /// Names of the blocks of a planning problem.
    NamesCsv,
    /// A lineage sidecar.
    Lineage,
    /// A PNG picture.
    Png,
    /// A JPEG picture.
    Jpeg,
    /// gzip.
    Gzip,
    /// A zip archive.
    Zip,
    /// A page or picture in a markup language.
    Markup,
    /// JSON of another kind.
    Json,
    /// Settings in TOML or INI.
    Settings,
    /// UTF-16.
    Utf16,
    /// Other text.
    Text,
    /// Other bytes.
    Binary,
}

impl Form {
    /// All forms that can be read.
    pub const ALL: [Self; 9] = [
        Self::Own,
        Self::DraftV1,
        Self::Tracealloc,
        Self::BackendCsv,
        Self::PlanCsv,
        Self::Aidge,
        Self::Vela,
        Self::TflmPlan,
        Self::OnertPlanner,
    ];
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "memory allocation form",
            Self::DraftV1 => "memory segments, draft v1",
            Self::Tracealloc => "ONE tracealloc",
            Self::BackendCsv => "allocation CSV",
            Self::PlanCsv => "planning CSV",
            Self::Aidge => "Aidge memory info",
            Self::Vela => "Vela allocation listing",
            Self::TflmPlan => "TFLite-Micro memory plan",
            Self::OnertPlanner => "onert planner log",
            Self::Foreign(foreign) => return foreign.fmt(f),
        })
    }
}

impl Foreign {
    /// What the file is.
    pub fn what(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Circle => "a circle model",
            Self::Tflite => "a TFLite model",
            Self::ChromeTrace => "a Chrome trace",
            Self::OnertExecution => "execution times of onert",
            Self::OnertTable => "a table of execution times of onert",
            Self::LitertProfile => "a profile of LiteRT",
            Self::ProfileCsv => "measurements as CSV",
            Self::NamesCsv => "names of the blocks of a planning problem",
            Self::Lineage => "a lineage sidecar",
            Self::Png => "a PNG picture",
            Self::Jpeg => "a JPEG picture",
            Self::Gzip => "gzip",
            Self::Zip => "a zip archive",
            Self::Markup => "HTML, SVG or XML",
            Self::Json => "JSON of another kind",
            Self::Settings => "settings in TOML or INI",
            Self::Utf16 => "text in UTF-16",
            Self::Text => "text of another kind",
            Self::Binary => "bytes of another kind",
        }
    }

    /// What can be done with it.
    pub fn advice(self) -> Option<&'static str> {
        Some(match self {
            Self::Circle | Self::Tflite => {
                "circle-execution-plan plans its memory, one-visualizer draws it, circle2circle optimises it"
            }
            Self::ChromeTrace | Self::LitertProfile | Self::ProfileCsv => {
                "circle-profile attach reads it together with its model"
            }
            Self::OnertExecution | Self::OnertTable => {
                "circle-profile attach reads the Chrome trace that onert writes beside it"
            }
            Self::NamesCsv => "give the problem, and this file as its names",
            Self::Lineage => "circle-profile reads it together with its model",
            Self::Gzip | Self::Zip => "unpack it first",
            Self::Utf16 => "save it as UTF-8",
            Self::Empty
            | Self::Png
            | Self::Jpeg
            | Self::Markup
            | Self::Json
            | Self::Settings
            | Self::Text
            | Self::Binary => {
                return None;
            }
        })
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what())?;
        self.advice().map_or(Ok(()), |advice| write!(f, "; {advice}"))
    }
}
