//! The clock that searches look at.

use std::time::Instant;

/// The time now. In tests of this crate the clock may count looks instead, see [`counting`].
pub(crate) fn now() -> Instant {
    #[cfg(test)]
    if let Some(time) = counting::look() {
        return time;
    }
    Instant::now()
}

/// A clock of which every look is a millisecond after the one before, so that a time limit says how many there are.
#[cfg(test)]
pub(crate) mod counting {
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    thread_local! {
        static NEXT: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    pub(super) fn look() -> Option<Instant> {
        let time = NEXT.get()?;
        NEXT.set(Some(time + Duration::from_millis(1)));
        Some(time)
    }

    /// Runs something by this clock; also how many looks it took.
    pub(crate) fn by_looks<T>(run: impl FnOnce() -> T) -> (T, u128) {
        let begin = Instant::now();
        NEXT.set(Some(begin));
        let result = run();
        let end = NEXT.replace(None).unwrap_or(begin);
        (result, end.duration_since(begin).as_millis())
    }
}
