//! Tensors that run around a ring.
//!
//! An operator that goes through its input from the first byte to the last may write its output behind the input, around
//! the end of a ring, over what it no longer reads. The ring is as large as that needs. Each kind of operator below is
//! taken to go so: elements one after another, or the rows of the output one after another, each from rows of the input
//! that begin where [`Window::first`] says. Nothing is known of the order within a row, so that a row is written only over
//! rows that neither it nor later ones read.
//!
//! Elements never lie across the end of a ring: tensors begin at multiples of at least 16 bytes, and its size is one, too.

use circle_ir::{Operator, Subgraph, Value, ValueId};
use circle_tables::opcode as op;

use super::{BINARY, UNARY, VIEWS, stretch};
use crate::lifetimes::Item;

/// Operators that compare elements of two inputs.
const COMPARE: [i32; 6] =
    [op::EQUAL, op::NOT_EQUAL, op::LESS, op::LESS_EQUAL, op::GREATER, op::GREATER_EQUAL];

/// Operators that compute rows of pixels from windows of the input.
const WINDOWS: [i32; 5] =
    [op::CONV_2D, op::DEPTHWISE_CONV_2D, op::AVERAGE_POOL_2D, op::MAX_POOL_2D, op::L2_POOL_2D];

/// Whether an operator reads the input at a slot once, from its first byte to its last, and can do so around a ring: what it
/// computes its output from, element by element or row by row. Filters, biases, shapes, and operands that are stretched over
/// the output are read again and again, or not in that order.
pub(super) fn reads_in_order(sg: &Subgraph, operator: &Operator, slot: usize) -> bool {
    let code = operator.code().builtin;
    let known = |list: &[i32]| list.contains(&code);
    let output = operator.outputs().first().and_then(|&v| sg.value(v));
    let (Some(old), Some(new)) = (operator.input(slot).and_then(|v| sg.value(v)), output) else {
        return false;
    };
    let elements = || by_element(sg, operator, old, new);
    match slot {
        0 if known(&VIEWS) => true,
        0 if known(&WINDOWS) => Window::new(sg, operator, old, new).is_some(),
        0 if known(&UNARY) => elements(),
        0 | 1 if known(&BINARY) || known(&COMPARE) => elements(),
        _ => false,
    }
}

/// Whether the elements of an input of an operator that works on single ones stand for those of its output, each in whole bytes.
fn by_element(sg: &Subgraph, operator: &Operator, old: &Value, new: &Value) -> bool {
    let whole = |value: &Value| value.ty().bytes().is_some();
    old.shape() == new.shape() && whole(old) && whole(new) && stretch(sg, operator, new)
}

/// Whether an operator writes its output once, from its first byte to its last, and can do so around a ring.
pub(super) fn writes_in_order(sg: &Subgraph, operator: &Operator) -> bool {
    let code = operator.code().builtin;
    let single = [&UNARY[..], &BINARY, &COMPARE].iter().any(|list| list.contains(&code));
    let output = operator.outputs().first().and_then(|&v| sg.value(v));
    let by_element = single && output.is_some_and(|new| stretch(sg, operator, new));
    by_element || reads_in_order(sg, operator, 0)
}

/// The inputs behind which an operator may write around a ring, by slot.
pub(super) fn slots(operator: &Operator) -> &'static [usize] {
    let code = operator.code().builtin;
    if UNARY.contains(&code) || WINDOWS.contains(&code) {
        &[0]
    } else if COMPARE.contains(&code) {
        &[0, 1]
    } else {
        &[]
    }
}

/// The bytes that a ring must have for an output that begins right behind an input; `None` where there is no such ring.
pub(super) fn demand(
    sg: &Subgraph,
    operator: &Operator,
    (input, from): (ValueId, &Item),
    (output, to): (ValueId, &Item),
) -> Option<u64> {
    let (old, new) = (sg.value(input)?, sg.value(output)?);
    if !WINDOWS.contains(&operator.code().builtin) {
        // The k-th element is written behind so many that it ends no later than the k-th of the input.
        return by_element(sg, operator, old, new).then(|| from.size.max(to.size));
    }
    if operator.inputs().iter().flatten().filter(|&&v| v == input).count() != 1 {
        return None;
    }
    Window::new(sg, operator, old, new)?.demand(from.size, to.size)
}

/// How the rows of an output depend on those of the input. There is one picture, in rows, columns and channels.
struct Window {
    rows_in: u64,
    rows_out: u64,
    stride: u64,
    /// Rows of zeros above the input.
    padding: u64,
}

/// Rows or columns of a window.
struct Axis {
    input: u64,
    output: u64,
    taps: u64,
    dilation: u64,
    stride: u64,
}

impl Axis {
    /// How many zeros stand before the input, if the output is as long as it follows from the window.
    fn padding(&self, padding: i64) -> Option<u64> {
        const SAME: i64 = 0;
        const VALID: i64 = 1;
        let reach = (self.taps - 1).checked_mul(self.dilation)?.checked_add(1)?;
        let (due, padding) = match padding {
            SAME => {
                let seen = (self.output - 1).checked_mul(self.stride)?.checked_add(reach)?;
                (self.input.div_ceil(self.stride), seen.saturating_sub(self.input) / 2)
            }
            VALID => ((self.input.checked_sub(reach)? / self.stride).checked_add(1)?, 0),
            _ => return None,
        };
        (self.output == due).then_some(padding)
    }
}

impl Window {
    /// The window of an operator, if the shape of its output follows from it: kernels compute that by themselves, so that of
    /// other shapes it is not known what they write.
    fn new(sg: &Subgraph, operator: &Operator, old: &Value, new: &Value) -> Option<Self> {
        let shape = |value: &Value| {
            let &[pictures, rows, columns, channels] = value.shape() else { return None };
            let dim = |dim: i64| u64::try_from(dim).ok().filter(|&dim| dim > 0);
            Some([dim(pictures)?, dim(rows)?, dim(columns)?, dim(channels)?])
        };
        let known = old.ty().bytes().is_some() && new.ty().bytes().is_some();
        let ([1, rows_in, columns_in, channels_in], [1, rows_out, columns_out, channels_out]) =
            (shape(old)?, shape(new)?)
        else {
            return None;
        };
        let option = |name: &str| u64::try_from(operator.option(name)).ok().filter(|&value| value > 0);
        let code = operator.code().builtin;
        let (taps, dilation, fits) = if code == op::CONV_2D || code == op::DEPTHWISE_CONV_2D {
            let [count, rows, columns, depth] = shape(sg.value(operator.input(1)?)?)?;
            let fits = match code {
                // Of groups of channels each filter sees one.
                op::CONV_2D => count == channels_out && channels_in.is_multiple_of(depth),
                _ => count == 1 && depth == channels_out && depth.is_multiple_of(channels_in),
            };
            ([rows, columns], [option("dilation_h_factor")?, option("dilation_w_factor")?], fits)
        } else {
            let taps = [option("filter_height")?, option("filter_width")?];
            (taps, [1, 1], channels_in == channels_out)
        };
        let stride = option("stride_h")?;
        let [rows, columns] = [
            (rows_in, rows_out, taps[0], dilation[0], stride),
            (columns_in, columns_out, taps[1], dilation[1], option("stride_w")?),
        ]
        .map(|(input, output, taps, dilation, stride)| Axis {
            input,
            output,
            taps,
            dilation,
            stride,
        });
        let kind = operator.option("padding");
        let padding = rows.padding(kind)?;
        columns.padding(kind)?;
        (known && fits).then_some(Self { rows_in, rows_out, stride, padding })
    }

    /// The first row of the input that is read for a row of the output or a later one.
    fn first(&self, row: u64) -> u64 {
        row.saturating_mul(self.stride).saturating_sub(self.padding).min(self.rows_in)
    }

    /// Of every row of the output, the end must not pass the first row of the input that is still read. What that demands
    /// grows and shrinks evenly but where [`Window::first`] has a bend, so that the rows there and at both ends decide.
    fn demand(&self, bytes_in: u64, bytes_out: u64) -> Option<u64> {
        let (row_in, row_out) = (bytes_in / self.rows_in, bytes_out / self.rows_out);
        let bends = [self.padding / self.stride, self.padding.checked_add(self.rows_in)? / self.stride];
        let rows = bends.into_iter().flat_map(|bend| [bend, bend.saturating_add(1)]);
        let mut demand = bytes_in.max(bytes_out);
        for row in rows.chain([0, self.rows_out - 1]).map(|row| row.min(self.rows_out - 1)) {
            let written = bytes_in.checked_add((row + 1).checked_mul(row_out)?)?;
            demand = demand.max(written.saturating_sub(self.first(row).checked_mul(row_in)?));
        }
        Some(demand)
    }
}

/// Lays tensors around a ring: its size, and where each begins. `links` say of each tensor but the first what the ring must
/// have for it, or that it takes the place of the one before. `None` where numbers are too large.
pub(super) fn lay_out(sizes: &[u64], links: &[Option<u64>], alignment: u64) -> Option<(u64, Vec<u64>)> {
    let unit = alignment.checked_mul(16 / common(alignment, 16))?;
    let round = |bytes: u64| bytes.checked_next_multiple_of(unit);
    let mut bytes = sizes.iter().copied().max()?;
    for (size, demand) in sizes.iter().zip(links).filter_map(|(size, link)| Some((*size, (*link)?))) {
        // What the next tensor begins later, for its alignment, it ends later.
        bytes = bytes.max(demand.checked_add(round(size)? - size)?);
    }
    let bytes = round(bytes)?;
    let mut at = 0u64;
    let mut starts = vec![at];
    for (size, link) in sizes.iter().zip(links) {
        if link.is_some() {
            at = at.checked_add(round(*size)?)?.checked_rem(bytes)?;
        }
        starts.push(at);
    }
    Some((bytes, starts))
}

/// The greatest common divisor of a number and one that is not 0.
fn common(one: u64, other: u64) -> u64 {
    let (mut one, mut other) = (one, other);
    while one > 0 {
        (one, other) = (other % one, one);
    }
    other.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes through rows, and says whether each still finds what it reads.
    fn whole(window: &Window, reach: u64, (row_in, row_out): (u64, u64), gap: u64, ring: u64) -> bool {
        let mut ring = vec![None; usize::try_from(ring).unwrap()];
        let place = |at: u64, size: usize| usize::try_from(at).unwrap() % size;
        let bytes_in = window.rows_in * row_in;
        let size = ring.len();
        for at in 0..bytes_in {
            ring[place(at, size)] = Some(at);
        }
        for row in 0..window.rows_out {
            // The whole row may be written before the last of it is computed.
            for at in row * row_out..(row + 1) * row_out {
                ring[place(bytes_in + gap + at, size)] = None;
            }
            let first = (row * window.stride).saturating_sub(window.padding);
            let end = (row * window.stride + reach).saturating_sub(window.padding).min(window.rows_in);
            if (first * row_in..end * row_in).any(|at| ring[place(at, size)] != Some(at)) {
                return false;
            }
        }
        true
    }

    #[test]
    fn rings_are_as_large_as_windows_demand() {
        let (mut tried, mut shared) = (0, 0);
        for (rows_in, reach, stride, row_in, row_out) in (1..9).flat_map(|rows| {
            (1..5).flat_map(move |reach| {
                (1..4).flat_map(move |stride| {
                    [1, 3, 4].into_iter().flat_map(move |a| [1, 2, 5].map(|b| (rows, reach, stride, a, b)))
                })
            })
        }) {
            for same in [false, true] {
                let rows_out: u64 = match same {
                    true => u64::div_ceil(rows_in, stride),
                    false if rows_in >= reach => (rows_in - reach) / stride + 1,
                    false => continue,
                };
                let seen: u64 = (rows_out - 1) * stride + reach;
                let padding = if same { seen.saturating_sub(rows_in) / 2 } else { 0 };
                let window = Window { rows_in, rows_out, stride, padding };
                let (bytes_in, bytes_out) = (rows_in * row_in, rows_out * row_out);
                let demand = window.demand(bytes_in, bytes_out).unwrap();
                let what = format!("{rows_in} rows, {reach} by {stride}, same {same}, {row_in} to {row_out}");
                assert!(whole(&window, reach, (row_in, row_out), 0, demand), "{what}");
                // A gap for alignment costs as much.
                assert!(whole(&window, reach, (row_in, row_out), 3, demand + 3), "{what}");
                tried += 1;
                shared += usize::from(demand < bytes_in + bytes_out);
                if demand > bytes_in.max(bytes_out) {
                    assert!(!whole(&window, reach, (row_in, row_out), 0, demand - 1), "{what}");
                }
            }
        }
        assert!(tried > 1000 && shared > tried / 2, "{shared} of {tried}");
    }

    #[test]
    fn tensors_follow_one_another_around_a_ring() {
        // 100 bytes, 80 behind them, the same again in place, 64 behind that.
        let (bytes, starts) = lay_out(&[100, 80, 80, 64], &[Some(140), None, Some(90)], 16).unwrap();
        assert_eq!((bytes, starts), (160, vec![0, 112, 112, 32]));
        // Elements do not lie across the end, whatever the alignment.
        let (bytes, starts) = lay_out(&[10, 40], &[Some(40)], 1).unwrap();
        assert_eq!((bytes, starts), (48, vec![0, 16]));
        let (bytes, starts) = lay_out(&[10, 40], &[Some(40)], 24).unwrap();
        assert_eq!((bytes, starts), (96, vec![0, 48]));
        assert_eq!(lay_out(&[10, 40], &[Some(40)], u64::MAX), None);
        assert_eq!(lay_out(&[u64::MAX, 40], &[Some(40)], 16), None);
    }
}
