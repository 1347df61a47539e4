//! Scratch memory that kernels ask for.
//!
//! Formulas are those by which ONE's circle-execution-plan reserves it for the kernels of luci-interpreter on three
//! platforms, all in bytes:
//!
//! | operator | linux | mcu | cmsisnn |
//! |---|---|---|---|
//! | `AVERAGE_POOL_2D` | - | - | 4 x depth, for int8 with DSP |
//! | `BATCH_MATMUL` | a copy of each operand | as linux | as linux |
//! | `CONV_2D` | unless 1 x 1 with stride and dilation 1 or int16: batch x output height x output width x input depth x filter height x filter width x element size (im2col) | - | 4 x input depth x filter height x filter width, for int8 with DSP without dilation, unless 1 x 1 with stride 1, no padding and a depth divisible by 4 |
//! | `DEPTHWISE_CONV_2D` | - | - | 2 x depth x filter height x filter width, for int8 with DSP, batch 1, without dilation, and with as many channels in as out |
//! | `SVDF` | 4 x batch x filters; for int8 a second piece of 4 x batch x units | as linux | as linux |
//!
//! Those of CMSIS-NN follow its functions `arm_avgpool_s8_get_buffer_size`, `arm_convolve_wrapper_s8_get_buffer_size`
//! and `arm_depthwise_conv_wrapper_s8_get_buffer_size`.

use std::fmt;
use std::str::FromStr;

use circle_ir::{ElementType, Operator, Subgraph, Value};
use circle_tables::opcode;

use crate::size;

/// Whose kernels run the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Kernels for a processor with an operating system.
    Linux,
    /// Plain kernels for a microcontroller.
    Mcu,
    /// Kernels of CMSIS-NN.
    CmsisNn {
        /// Whether the processor has the DSP instructions.
        dsp: bool,
    },
}

impl Platform {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::Linux, Self::Mcu, Self::CmsisNn { dsp: false }, Self::CmsisNn { dsp: true }];
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Linux => "linux",
            Self::Mcu => "mcu",
            Self::CmsisNn { dsp: false } => "cmsisnn",
            Self::CmsisNn { dsp: true } => "cmsisnn with dsp",
        })
    }
}

impl FromStr for Platform {
    type Err = String;

    /// The platform of a name; `cmsisnn` is without DSP.
    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "linux" => Ok(Self::Linux),
            "mcu" => Ok(Self::Mcu),
            "cmsisnn" => Ok(Self::CmsisNn { dsp: false }),
            _ => Err(format!("unknown platform {name:?}, known are linux, mcu, cmsisnn")),
        }
    }
}

const NO_SHAPE: &str =
    "its scratch memory is not known: a tensor is missing or has not the dimensions it should have";
const TOO_LARGE: &str = "its scratch memory comes to more bytes than 64 bits count";

/// Sizes of the pieces of scratch memory that an operator takes, in the order in which its kernel asks for them. A
/// piece may be of 0 bytes.
///
/// # Errors
/// With the reason, when they are not known.
pub fn sizes(platform: Platform, sg: &Subgraph, op: &Operator) -> Result<Vec<u64>, &'static str> {
    let tensors = Tensors { sg, op };
    match op.code().builtin {
        opcode::AVERAGE_POOL_2D => average_pool(platform, &tensors).map(|size| vec![size]),
        opcode::BATCH_MATMUL => [0, 1].into_iter().map(|slot| tensors.bytes(slot)).collect(),
        opcode::CONV_2D => convolution(platform, &tensors).map(|size| vec![size]),
        opcode::DEPTHWISE_CONV_2D => depthwise(platform, &tensors).map(|size| vec![size]),
        opcode::SVDF => svdf(&tensors),
        _ => Ok(Vec::new()),
    }
}

/// The tensors of an operator.
struct Tensors<'a> {
    sg: &'a Subgraph,
    op: &'a Operator,
}

impl<'a> Tensors<'a> {
    fn input(&self, slot: usize) -> Result<&'a Value, &'static str> {
        self.op.input(slot).and_then(|v| self.sg.value(v)).ok_or(NO_SHAPE)
    }

    fn output(&self) -> Result<&'a Value, &'static str> {
        self.op.outputs().first().and_then(|&v| self.sg.value(v)).ok_or(NO_SHAPE)
    }

    fn bytes(&self, slot: usize) -> Result<u64, &'static str> {
        size::stated(self.input(slot)?).map_err(|_| NO_SHAPE)
    }

    /// An option that counts something, 1 where a file says less.
    fn option(&self, name: &str) -> u64 {
        u64::try_from(self.op.option(name)).map_or(1, |value| value.max(1))
    }

    fn stride_is_1(&self) -> bool {
        self.option("stride_h") == 1 && self.option("stride_w") == 1
    }

    fn dilation_is_1(&self) -> bool {
        self.option("dilation_h_factor") == 1 && self.option("dilation_w_factor") == 1
    }
}

/// A dimension of a tensor of four.
fn dim(value: &Value, index: usize) -> Result<u64, &'static str> {
    let shape = value.shape();
    let dim = if shape.len() == 4 { shape.get(index) } else { None };
    dim.and_then(|&dim| u64::try_from(dim).ok()).ok_or(NO_SHAPE)
}

fn product(factors: &[u64]) -> Result<u64, &'static str> {
    factors.iter().try_fold(1u64, |product, &factor| product.checked_mul(factor)).ok_or(TOO_LARGE)
}

fn average_pool(platform: Platform, tensors: &Tensors<'_>) -> Result<u64, &'static str> {
    let input = tensors.input(0)?;
    match platform {
        Platform::CmsisNn { dsp: true } if input.ty() == ElementType::INT8 => product(&[dim(input, 3)?, 4]),
        _ => Ok(0),
    }
}

fn convolution(platform: Platform, tensors: &Tensors<'_>) -> Result<u64, &'static str> {
    let (input, filter) = (tensors.input(0)?, tensors.input(1)?);
    match platform {
        Platform::Mcu | Platform::CmsisNn { dsp: false } => Ok(0),
        Platform::Linux => {
            let (height, width) = (dim(filter, 1)?, dim(filter, 2)?);
            let point = height == 1 && width == 1 && tensors.stride_is_1() && tensors.dilation_is_1();
            if point || input.ty() == ElementType::INT16 {
                return Ok(0);
            }
            let output = tensors.output()?;
            let element = input.ty().bytes().ok_or(NO_SHAPE)?;
            let (batch, depth) = (dim(input, 0)?, dim(input, 3)?);
            product(&[batch, dim(output, 1)?, dim(output, 2)?, depth, height, width, element])
        }
        Platform::CmsisNn { dsp: true } => {
            if input.ty() != ElementType::INT8 || !tensors.dilation_is_1() {
                return Ok(0);
            }
            let (height, width, depth) = (dim(filter, 1)?, dim(filter, 2)?, dim(input, 3)?);
            let output = tensors.output()?;
            let padded = |axis: usize, name: &str| -> Result<bool, &'static str> {
                // Half of what the filter reaches beyond the input, rounded down.
                let reach = (dim(output, axis)?.saturating_sub(1))
                    .saturating_mul(tensors.option(name))
                    .saturating_add(dim(filter, axis)?);
                Ok(reach.saturating_sub(dim(input, axis)?) >= 2)
            };
            let padded = padded(1, "stride_h")? || padded(2, "stride_w")?;
            let point = height == 1 && width == 1 && tensors.stride_is_1();
            if point && !padded && depth % 4 == 0 {
                return Ok(0);
            }
            product(&[4, depth, height, width])
        }
    }
}

fn depthwise(platform: Platform, tensors: &Tensors<'_>) -> Result<u64, &'static str> {
    let (input, filter) = (tensors.input(0)?, tensors.input(1)?);
    let served = platform == Platform::CmsisNn { dsp: true }
        && input.ty() == ElementType::INT8
        && tensors.dilation_is_1();
    if !served {
        return Ok(0);
    }
    let (depth, output) = (dim(input, 3)?, tensors.output()?);
    if depth != dim(output, 3)? || dim(input, 0)? != 1 {
        return Ok(0);
    }
    product(&[2, depth, dim(filter, 1)?, dim(filter, 2)?])
}

fn svdf(tensors: &Tensors<'_>) -> Result<Vec<u64>, &'static str> {
    let (input, weights) = (tensors.input(0)?, tensors.input(1)?);
    if input.ty() == ElementType::FLOAT32 && matches!(weights.ty(), ElementType::INT8 | ElementType::UINT8) {
        return Err("its scratch memory is not known: SVDF of floats with weights of 8 bits");
    }
    let first =
        |value: &Value| value.shape().first().and_then(|&dim| u64::try_from(dim).ok()).ok_or(NO_SHAPE);
    let (batch, filters) = (first(input)?, first(weights)?);
    let mut sizes = vec![product(&[4, batch, filters])?];
    if input.ty() == ElementType::INT8 {
        sizes.push(product(&[4, batch, filters / tensors.option("rank")])?);
    }
    Ok(sizes)
}
