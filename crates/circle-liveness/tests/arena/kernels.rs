//! In which order operators read and write.
//!
//! | operators | order |
//! |---|---|
//! | views | bytes are copied, one element after another |
//! | element by element, operands stretched where they are smaller | for each element of the output: read the operands, write |
//! | windows (convolutions, pools) | for each row of the output: all of the row is lost, then each pixel is read for and written |
//! | all others | all outputs are lost, then everything is read, then everything is written |
//!
//! So a plan is held to what no kernel of these kinds could get wrong: within a row, and within other operators, nothing is
//! known of the order. What is not gone through, such as filters, is read before the first row and again, after the destruction,
//! in the last. Only what is gone through once and in order may lie in two pieces.

use circle_ir::{Operator, Subgraph, Value};
use circle_tables::opcode as op;

use crate::layout::{Arena, Place, bits, mix};
use crate::windows::Window;

/// Why an operator cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// An element lies in two pieces, or a tensor that is not gone through once and in order.
    Cut,
    /// More would be read than is allowed.
    TooMuch,
}

/// What an operator reads or writes.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    pub(crate) value: &'a Value,
    /// Where it lies; else each element follows from this number.
    pub(crate) place: Result<Place, u64>,
}

impl Operand<'_> {
    pub(crate) fn shape(&self) -> Option<Vec<usize>> {
        self.value.shape().iter().map(|&dim| usize::try_from(dim).ok()).collect()
    }

    pub(crate) fn bits(&self) -> Option<usize> {
        bits(self.value).map(|bits| bits as usize)
    }

    fn element(&self, arena: &Arena, index: usize, bits: usize) -> u64 {
        match &self.place {
            Ok(place) => arena.element(place, index, bits),
            Err(seed) => mix(*seed, index as u64),
        }
    }

    /// Whether there is a place for each element.
    fn is_plain(&self) -> bool {
        let bits =
            self.value.elements().zip(bits(self.value)).and_then(|(count, bits)| count.checked_mul(bits));
        self.place.is_err()
            || bits.is_none_or(|bits| self.place.is_ok_and(|p| p.size() as u64 >= bits.div_ceil(8)))
    }

    /// # Errors
    /// If there is an element that lies in two pieces.
    pub(crate) fn in_whole_elements(&self, bits: usize) -> Result<(), Stop> {
        if self.place.is_ok_and(|place| place.cuts(bits)) { Err(Stop::Cut) } else { Ok(()) }
    }

    /// # Errors
    /// If the tensor lies in two pieces.
    pub(crate) fn in_one_piece(&self) -> Result<(), Stop> {
        if self.place.is_ok_and(|place| place.is_wrapped()) { Err(Stop::Cut) } else { Ok(()) }
    }

    pub(crate) fn digest(&self, arena: &Arena) -> u64 {
        match &self.place {
            Ok(place) => arena.digest(place),
            Err(seed) => *seed,
        }
    }

    /// What it costs to read all of it.
    pub(crate) fn words(&self) -> u64 {
        self.place.map_or(1, |place| place.size() as u64 / 8 + 1)
    }
}

const VIEWS: [i32; 4] = [op::RESHAPE, op::SQUEEZE, op::EXPAND_DIMS, op::BITCAST];

/// Whose k-th element follows from the k-th of each operand alone.
const BY_ELEMENT: &[i32] = &[
    op::ABS,
    op::ADD,
    op::ATAN2,
    op::BITWISE_XOR,
    op::CAST,
    op::CEIL,
    op::COS,
    op::DEQUANTIZE,
    op::DIV,
    op::ELU,
    op::EQUAL,
    op::EXP,
    op::FAKE_QUANT,
    op::FLOOR,
    op::FLOOR_DIV,
    op::FLOOR_MOD,
    op::GELU,
    op::GREATER,
    op::GREATER_EQUAL,
    op::HARD_SWISH,
    op::LEAKY_RELU,
    op::LESS,
    op::LESS_EQUAL,
    op::LOG,
    op::LOGICAL_AND,
    op::LOGICAL_NOT,
    op::LOGICAL_OR,
    op::LOGISTIC,
    op::MAXIMUM,
    op::MINIMUM,
    op::MUL,
    op::NEG,
    op::NOT_EQUAL,
    op::POW,
    op::PRELU,
    op::QUANTIZE,
    op::RELU,
    op::RELU6,
    op::RELU_0_TO_1,
    op::RELU_N1_TO_1,
    op::RIGHT_SHIFT,
    op::ROUND,
    op::RSQRT,
    op::SELECT_V2,
    op::SIGN,
    op::SIN,
    op::SQRT,
    op::SQUARE,
    op::SQUARED_DIFFERENCE,
    op::SUB,
    op::TANH,
    op::ZEROS_LIKE,
];

/// Runs an operator that calls no subgraph. `work` is what may be read yet.
pub(crate) fn run(
    sg: &Subgraph,
    operator: &Operator,
    seed: u64,
    inputs: &[Option<Operand<'_>>],
    outputs: &[Operand<'_>],
    arena: &mut Arena,
    work: &mut u64,
) -> Result<(), Stop> {
    let code = operator.code().builtin;
    // Of packed constants nobody reads the k-th element.
    let is_plain = |operand: &Operand<'_>| operand.is_plain();
    if let ([Some(input), ..], [output]) = (inputs, outputs)
        && inputs.iter().flatten().all(is_plain)
    {
        if VIEWS.contains(&code) && copies(input, output, arena, work)? {
            return inputs.iter().skip(1).flatten().try_for_each(Operand::in_one_piece);
        }
        if BY_ELEMENT.contains(&code) {
            let operands: Vec<Operand<'_>> = inputs.iter().flatten().copied().collect();
            if let Some(operands) = stretched(&operands, output) {
                return by_element(seed, &operands, output, arena, work);
            }
        }
        if let Some(window) = Window::of(sg, operator, input, output) {
            return window.run(seed, (input, inputs.get(1..).unwrap_or(&[])), output, arena, work);
        }
    }
    let cost = inputs.iter().flatten().chain(outputs).map(Operand::words).sum();
    spend(work, cost)?;
    inputs.iter().flatten().chain(outputs).try_for_each(Operand::in_one_piece)?;
    for output in outputs {
        if let Ok(place) = output.place {
            arena.destroy(&place, 0, place.size());
        }
    }
    let slots = inputs.iter().map(|input| input.map_or(2, |input| input.digest(arena)));
    let seed = slots.fold(seed, mix);
    for (number, output) in outputs.iter().enumerate() {
        if let Ok(place) = output.place {
            arena.fill(&place, 0, place.size(), mix(seed, number as u64));
        }
    }
    Ok(())
}

pub(crate) fn spend(work: &mut u64, cost: u64) -> Result<(), Stop> {
    *work = work.checked_sub(cost).ok_or(Stop::TooMuch)?;
    Ok(())
}

/// Copies bytes, if there are as many.
fn copies(
    input: &Operand<'_>,
    output: &Operand<'_>,
    arena: &mut Arena,
    work: &mut u64,
) -> Result<bool, Stop> {
    let (Ok(from), Ok(to)) = (input.place, output.place) else { return Ok(false) };
    if from.size() != to.size() {
        return Ok(false);
    }
    spend(work, from.size() as u64)?;
    arena.copy(&from, &to);
    Ok(true)
}

/// How far apart elements of an operand are for each dimension of the output; 0 where it is stretched, and nothing where it
/// is not stretched at all.
struct Stretched<'a> {
    operand: Operand<'a>,
    bits: usize,
    steps: Option<Vec<usize>>,
}

fn stretched<'a>(operands: &[Operand<'a>], output: &Operand<'_>) -> Option<Vec<Stretched<'a>>> {
    let shape = output.shape()?;
    output.bits()?;
    let one = |operand: &Operand<'a>| {
        let own = operand.shape()?;
        let bits = operand.bits()?;
        let missing = shape.len().checked_sub(own.len())?;
        if own == shape {
            return Some(Stretched { operand: *operand, bits, steps: None });
        }
        let mut steps = vec![0; shape.len()];
        let mut step = 1;
        for (dim, &size) in own.iter().enumerate().rev() {
            match size {
                1 => {}
                size if size == shape[missing + dim] => steps[missing + dim] = step,
                _ => return None,
            }
            step *= size;
        }
        Some(Stretched { operand: *operand, bits, steps: Some(steps) })
    };
    operands.iter().map(one).collect()
}

fn by_element(
    seed: u64,
    operands: &[Stretched<'_>],
    output: &Operand<'_>,
    arena: &mut Arena,
    work: &mut u64,
) -> Result<(), Stop> {
    let (Some(shape), Some(bits), Ok(place)) = (output.shape(), output.bits(), output.place) else {
        return Ok(());
    };
    let elements: usize = shape.iter().product();
    spend(work, (elements * (operands.len() + 1)) as u64)?;
    output.in_whole_elements(bits)?;
    for Stretched { operand, bits, steps } in operands {
        operand.in_whole_elements(*bits)?;
        if steps.is_some() {
            operand.in_one_piece()?;
        }
    }
    for index in 0..elements {
        let mut hash = mix(seed, index as u64);
        for Stretched { operand, bits, steps } in operands {
            let mut at = index;
            if let Some(steps) = steps {
                let mut rest = index;
                at = 0;
                for (&size, step) in shape.iter().zip(steps).rev() {
                    at += rest % size * step;
                    rest /= size;
                }
            }
            hash = mix(hash, operand.element(arena, at, *bits));
        }
        arena.put(&place, index, bits, hash);
    }
    if bits == 4 && !elements.is_multiple_of(2) {
        // The last element has a byte of its own.
        arena.put(&place, elements, bits, 0);
    }
    Ok(())
}
