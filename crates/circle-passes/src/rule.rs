//! What a pass is: a rule that looks at one operator, or a job over the whole model. Either way it reads the model
//! and hands patches to the driver.

use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Action;
use circle_ir::lineage::ledger::Reason;
use circle_ir::patch::Patch;
use circle_ir::{OpId, View};

use crate::driver::Context;

/// What a pass is called and does. `before` and `after` are executed by a test and shown by `--explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassInfo {
    /// Name as a command-line option, upstream's where upstream has the pass.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The kind of change.
    pub change: Change,
    /// Whose origins the result carries, in which roles. One line.
    pub lineage: &'static str,
    /// A model in text form on which the pass fires.
    pub before: &'static str,
    /// That model after the pass, with lineage.
    pub after: &'static str,
}

/// Kinds of change, by how many operators become how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Several operators become one.
    Fuse,
    /// One becomes one.
    Replace,
    /// One becomes several.
    Split,
    /// Several become several, with copies.
    Forward,
    /// One goes, its input takes the place of its output.
    Remove,
    /// Of equal ones, one stays.
    Merge,
    /// Operators on constants become constants.
    Fold,
}

impl Change {
    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fuse => "fuse",
            Self::Replace => "replace",
            Self::Split => "split",
            Self::Forward => "forward",
            Self::Remove => "remove",
            Self::Merge => "merge",
            Self::Fold => "fold",
        }
    }
}

/// What each kind of change may leave behind. Tests hold every pass to it, and with `verify_each` so does the driver.
impl Change {
    /// The steps that a pass of this kind may enter in the history. A pair that cancels out retires both, whatever the
    /// pass.
    pub const fn actions(self) -> &'static [Action] {
        match self {
            Self::Fuse => &[Action::Fuse, Action::Replace, Action::Retire],
            Self::Replace => &[Action::Replace],
            Self::Split => &[Action::Split, Action::Fuse],
            Self::Forward => &[
                Action::Move,
                Action::Replace,
                Action::Clone,
                Action::Fuse,
                Action::Split,
                Action::Insert,
                Action::Retire,
            ],
            Self::Remove => &[Action::Retire],
            // Constants are merged by moving their readers.
            Self::Merge => &[Action::Merge, Action::Move],
            Self::Fold => &[Action::Fold],
        }
    }
    /// The roles that operators may have for their originals after a pass of this kind has touched them, if they were
    /// originals themselves before.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            // A layout operator that is read elsewhere too is fused as a copy; one that takes another shape is
            // replaced.
            Self::Fuse => &[Role::Primary, Role::Absorbed, Role::Cloned, Role::Replaced],
            Self::Replace => &[Role::Replaced],
            // One half of an operator may be absorbed by another.
            Self::Split => &[Role::Cloned, Role::Primary, Role::Absorbed],
            Self::Forward => &[Role::Primary, Role::Replaced, Role::Cloned, Role::Absorbed, Role::Helper],
            Self::Remove | Self::Fold => &[],
            Self::Merge => &[Role::Primary, Role::Duplicate],
        }
    }
    /// Why operators may leave in a pass of this kind.
    pub const fn reasons(self) -> &'static [Reason] {
        match self {
            Self::Fuse | Self::Forward => &[Reason::Identity],
            Self::Replace | Self::Split | Self::Merge => &[],
            Self::Remove => &[Reason::Identity, Reason::Dead],
            Self::Fold => &[Reason::Folded],
        }
    }
}

/// A rewrite that starts at one operator.
pub trait Rule: Sync {
    /// Its description.
    fn info(&self) -> &'static PassInfo;
    /// Operator codes at which it can start; it is not asked about others.
    fn anchors(&self) -> &'static [i32];
    /// The change at operator `at`, or nothing when the rule does not apply there.
    fn rewrite(&self, at: OpId, view: &View<'_>) -> Option<Patch>;
}

/// A job over the whole model.
pub trait ModelPass: Sync {
    /// Its description.
    fn info(&self) -> &'static PassInfo;
    /// Reads the model and commits patches until it has nothing more to do.
    fn run(&self, context: &mut Context<'_>);
}

/// A pass of either kind.
#[derive(Clone, Copy)]
pub enum Pass {
    /// Starts at one operator.
    Rule(&'static dyn Rule),
    /// Works on the whole model.
    Model(&'static dyn ModelPass),
}

impl Pass {
    /// Its description.
    pub fn info(&self) -> &'static PassInfo {
        match self {
            Self::Rule(rule) => rule.info(),
            Self::Model(pass) => pass.info(),
        }
    }
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.info().name
    }
}

impl std::fmt::Debug for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pass({})", self.name())
    }
}
