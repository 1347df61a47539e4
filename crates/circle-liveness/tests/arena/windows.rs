//! Convolutions and pools: rows of pixels from windows of the input.

use circle_ir::{Operator, Subgraph};
use circle_tables::opcode as op;

use crate::kernels::{Operand, Stop, spend};
use crate::layout::{Arena, mix};

/// Pictures of rows, columns and channels, and which pixels of the one belong to a pixel of the other. All channels are taken to
/// depend on all, which makes no difference when the whole row has been lost before.
pub(crate) struct Window {
    pictures: usize,
    input: [usize; 3],
    output: [usize; 3],
    /// Of rows and of columns.
    taps: [usize; 2],
    stride: [usize; 2],
    dilation: [usize; 2],
    padding: [usize; 2],
}

impl Window {
    pub(crate) fn of(
        sg: &Subgraph,
        operator: &Operator,
        input: &Operand<'_>,
        output: &Operand<'_>,
    ) -> Option<Self> {
        let code = operator.code().builtin;
        let option = |name: &str| usize::try_from(operator.option(name)).ok().filter(|&value| value > 0);
        let two = |rows: &str, columns: &str| Some([option(rows)?, option(columns)?]);
        let four = |operand: &Operand<'_>| <[usize; 4]>::try_from(operand.shape()?).ok();
        let (taps, dilation) = match code {
            op::CONV_2D | op::DEPTHWISE_CONV_2D => {
                let filter = sg.value(operator.input(1)?)?.shape();
                let &[_, rows, columns, _] = filter else { return None };
                let taps = [usize::try_from(rows).ok()?, usize::try_from(columns).ok()?];
                (taps, two("dilation_h_factor", "dilation_w_factor")?)
            }
            op::AVERAGE_POOL_2D | op::MAX_POOL_2D | op::L2_POOL_2D => {
                (two("filter_height", "filter_width")?, [1, 1])
            }
            _ => return None,
        };
        let ([pictures, rows, columns, deep], [also, rows_out, columns_out, deep_out]) =
            (four(input)?, four(output)?);
        let (input_shape, output_shape) = ([rows, columns, deep], [rows_out, columns_out, deep_out]);
        if pictures != also || taps.contains(&0) || input_shape.contains(&0) || output_shape.contains(&0) {
            return None;
        }
        (input.bits()? >= 8 && output.bits()? >= 8).then_some(())?;
        let stride = two("stride_h", "stride_w")?;
        const SAME: i64 = 0;
        let padding = [0, 1].map(|axis| match operator.option("padding") {
            SAME => {
                let reach = (taps[axis] - 1) * dilation[axis] + 1;
                ((output_shape[axis] - 1) * stride[axis] + reach).saturating_sub(input_shape[axis]) / 2
            }
            _ => 0,
        });
        let (input, output) = (input_shape, output_shape);
        Some(Self { pictures, input, output, taps, stride, dilation, padding })
    }

    /// The rows or columns of the input that one of the output reads.
    fn taps(&self, axis: usize, at: usize) -> impl Iterator<Item = usize> {
        let (step, end) = (self.dilation[axis], self.input[axis]);
        let (start, padding) = (at * self.stride[axis], self.padding[axis]);
        (0..self.taps[axis])
            .filter_map(move |tap| (start + tap * step).checked_sub(padding))
            .filter(move |&at| at < end)
    }

    pub(crate) fn run(
        &self,
        seed: u64,
        (input, others): (&Operand<'_>, &[Option<Operand<'_>>]),
        output: &Operand<'_>,
        arena: &mut Arena,
        work: &mut u64,
    ) -> Result<(), Stop> {
        let (Some(bits_in), Some(bits), Ok(place)) = (input.bits(), output.bits(), output.place) else {
            return Ok(());
        };
        input.in_whole_elements(bits_in)?;
        output.in_whole_elements(bits)?;
        others.iter().flatten().try_for_each(Operand::in_one_piece)?;
        let ([_, columns_in, deep], [rows, columns, deep_out]) = (self.input, self.output);
        let (pixel_in, pixel_out) = (deep * bits_in / 8, deep_out * bits / 8);
        let pixels = self.pictures * rows * columns;
        let read = pixels * self.taps[0] * self.taps[1] * (pixel_in / 8 + 1);
        let all: u64 = others.iter().flatten().map(Operand::words).sum();
        spend(work, all + (read + pixels * (pixel_out / 8 + 1)) as u64)?;
        let all = |arena: &Arena| others.iter().flatten().map(|other| other.digest(arena)).fold(seed, mix);
        let mut seed = all(arena);
        for line in 0..self.pictures * rows {
            let (picture, row) = (line / rows, line % rows);
            arena.destroy(&place, line * columns * pixel_out, columns * pixel_out);
            if line + 1 == self.pictures * rows {
                seed = mix(seed, all(arena));
            }
            for column in 0..columns {
                let pixel = line * columns + column;
                let mut hash = mix(seed, pixel as u64);
                for at in self.taps(0, row).flat_map(|row| self.taps(1, column).map(move |at| (row, at))) {
                    let from = (picture * self.input[0] + at.0) * columns_in + at.1;
                    hash = match &input.place {
                        Ok(place) => arena.hash(place, from * pixel_in, pixel_in, hash),
                        Err(seed) => mix(hash, mix(*seed, from as u64)),
                    };
                }
                arena.fill(&place, pixel * pixel_out, pixel_out, hash);
            }
        }
        Ok(())
    }
}
