//! Memory that tensors share on purpose: in place, or around a ring.
//!
//! A [`Space`] is a run of bytes with one or more [`Plane`]s, each with a size, a lifetime and a place in the space. A
//! plane that reaches beyond the end of its space goes on at the begin, so it may lie in two pieces. What planes of
//! one space do to each other is decided by whoever makes it; planes of different spaces never share an address at one
//! tick. Planning gives each space an offset; its planes keep their places in it. Bytes of a space that
//! none of its planes takes at a tick, its holes, are free for other spaces.
//!
//! - [`Space::in_place`]: each plane takes the place of the one before;
//! - [`Space::ring`]: each plane begins where the one before ends, and the space is no larger than it must be for
//!   what has not been read yet to stay whole;
//! - [`Rule`]: Aidge's planners, and others;
//! - [`best()`]: the best plan of all rules and of a search, with the gap to the lower bound;
//! - [`csv`]: spaces as text;
//! - [`check()`]: whether a plan is valid, independent of all planners.
//!
//! ```
//! use circle_plan::spaces::{self, Link, Space, Spaces};
//!
//! // A convolution reads 100 bytes and writes 80; what it writes may follow 12 bytes behind what it reads.
//! let link = |id: &str, lower, upper, size, margin| Link { id: id.into(), lower, upper, size, margin };
//! let ring = Space::ring("ring", 1, &[link("in", 0, 2, 100, 0), link("out", 1, 3, 80, 32)])?;
//! assert_eq!(ring.size, 112);
//! let problem = Spaces::new(vec![ring], None)?;
//! let outcome = spaces::best(&problem, &Default::default());
//! let pieces = problem.spaces()[0].pieces(&problem.spaces()[0].planes[1]);
//! assert_eq!((outcome.plan.peak, pieces), (112, (100..112, Some(0..68))));
//! assert_eq!(spaces::check(&problem, &outcome.plan), []);
//! # Ok::<(), spaces::SpaceError>(())
//! ```

mod best;
mod bound;
mod check;
pub mod csv;
mod place;
mod problem;
mod rules;
mod shape;

pub use best::{Outcome, Stage, best};
pub use bound::lower_bound;
pub use check::{Fault, check};
pub use problem::{Link, Plane, Space, SpaceError, SpacePlan, Spaces};
pub use rules::{Rule, UnknownRule};
