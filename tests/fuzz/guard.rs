//! Bounds on what one input may cost.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Memory that is counted belongs to one test at a time.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one input of some length may take, whatever it claims.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Bytes that are live at the same time, for any input.
    pub(crate) memory: usize,
    /// And for each byte of the input.
    pub(crate) memory_per_byte: usize,
    /// Time for any input.
    pub(crate) time: Duration,
    /// And for each KiB of the input.
    pub(crate) time_per_kib: Duration,
}

impl Bounds {
    /// Those of fuzzed inputs. The smallest operator or tensor of a file takes some 30 bytes there and, with its
    /// records, its lineage, and once more what is written of it, some kilobytes in memory. Times are for unoptimised
    /// code on a machine that does other things as well; what is quadratic exceeds them all the same.
    pub(crate) const FUZZED: Self = Self {
        memory: 64 << 20,
        memory_per_byte: 256,
        time: Duration::from_secs(2),
        time_per_kib: Duration::from_millis(100),
    };

    fn memory(&self, len: usize) -> usize {
        self.memory.saturating_add(self.memory_per_byte.saturating_mul(len))
    }
    fn time(&self, len: usize) -> Duration {
        self.time + self.time_per_kib * u32::try_from(len >> 10).unwrap_or(u32::MAX)
    }
}

/// Runs `job` on an input of `len` bytes. The text says what is wrong: a panic, memory or time beyond the bounds.
pub(crate) fn within<T>(bounds: Bounds, len: usize, job: impl FnOnce() -> T) -> Result<T, String> {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let start = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(job));
    let time = start.elapsed();
    let memory = ALLOCATED.peak_usage().saturating_sub(before);
    let done = done.map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })?;
    if memory > bounds.memory(len) {
        return Err(format!(
            "{len} bytes of input take {memory} of memory; {} are the most",
            bounds.memory(len)
        ));
    }
    if time > bounds.time(len) {
        return Err(format!("{len} bytes of input take {time:?}; {:?} is the most", bounds.time(len)));
    }
    Ok(done)
}
