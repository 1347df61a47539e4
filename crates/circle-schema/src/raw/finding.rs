//! What a file holds that our schema cannot say.

use std::fmt::{self, Write};

/// One thing that would be lost if the file were written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where, as `subgraphs[0].operators[3].builtin_options`.
    pub path: String,
    /// What.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.what)
    }
}

/// Collects findings while tables are read. It knows where the reading stands, so that whoever reads
/// only has to say what is entered and left.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    steps: Vec<Step>,
    list: Vec<Finding>,
    more: u64,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Field(&'static str),
    Element(usize),
}

/// A file from a newer tool has the same finding at each operator; a page of them tells enough.
const KEPT: usize = 100;

impl Findings {
    /// Nothing found, at the outermost table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs `read` one step further inside, at a field.
    pub fn within<T>(&mut self, field: &'static str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.steps.push(Step::Field(field));
        let result = read(self);
        self.steps.pop();
        result
    }

    /// Runs `read` at an element of a field.
    pub fn within_element<T>(
        &mut self,
        field: &'static str,
        index: usize,
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.within(field, |findings| {
            findings.steps.push(Step::Element(index));
            let result = read(findings);
            findings.steps.pop();
            result
        })
    }

    /// Notes something at the current place.
    pub fn add(&mut self, what: String) {
        if self.list.len() < KEPT {
            self.list.push(Finding { path: self.path(), what });
        } else {
            self.more = self.more.saturating_add(1);
        }
    }

    /// The current place; `model` at the outermost table.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.steps {
            // Writing into a string cannot fail.
            let _ = match step {
                Step::Field(name) if path.is_empty() => write!(path, "{name}"),
                Step::Field(name) => write!(path, ".{name}"),
                Step::Element(index) => write!(path, "[{index}]"),
            };
        }
        if path.is_empty() { "model".to_owned() } else { path }
    }

    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The findings in the order of reading, 100 at most.
    pub fn list(&self) -> &[Finding] {
        &self.list
    }

    /// How many there are beyond [`Findings::list`].
    pub fn more(&self) -> u64 {
        self.more
    }
}
