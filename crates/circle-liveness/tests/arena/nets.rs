//! Random nets: convolutions and pools with strides, dilations and padding of either kind, branches that meet again, operators
//! with several outputs, and types that grow and shrink.

use circle_ir::Model;
use circle_ir::text::parse;

/// Numbers that a seed gives.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A tensor: its number, type, and pictures, rows, columns and channels.
#[derive(Clone, Copy)]
struct Made {
    number: usize,
    ty: &'static str,
    shape: [usize; 4],
}

struct Net {
    random: Random,
    /// Types of tensors, as the text form has them.
    tensors: Vec<String>,
    /// What has four dimensions and can be read.
    made: Vec<Made>,
    operators: Vec<String>,
}

const TYPES: [&str; 9] = ["f32", "f32", "f32", "i8", "i8", "i16", "i32", "i4", "f64"];

/// The net of a seed.
pub(crate) fn net(seed: u64) -> Model {
    let (text, _) = subgraph(seed, 0);
    parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error} in\n{text}"))
}

/// Nets that an operator of another graph runs, one or two of them, and what lives around it.
pub(crate) fn nested(seed: u64) -> Model {
    let mut random = Random::new(seed);
    let ((one, ends), (other, _)) = (subgraph(2 * seed, 1), subgraph(2 * seed + 1, 2));
    let [from, to] = ends;
    let operator = random.of(&[
        "WHILE {cond_subgraph_index=2, body_subgraph_index=1} (%1) -> %2",
        "IF {then_subgraph_index=1, else_subgraph_index=2} (%5, %1) -> %2",
        "IF {then_subgraph_index=2, else_subgraph_index=1} (%5, %1) -> %2",
    ]);
    // The input of the nets is read again behind them, so that it lives while they run.
    let text = format!(
        "subgraph sg0 \"main\" (%0, %5) -> (%4)\n%0: {from} \"x\"\n%1: {from} \"a\"\n%2: {to} \"b\"\n%3: {to} \"c\"\n\
         %4: {from} \"y\"\n%5: bool[1] \"d\"\n\
         op0 EXP (%0) -> %1\nop1 {operator}\nop2 ABS (%2) -> %3\nop3 CUSTOM:End (%3, %{}) -> %4\n",
        random.below(2)
    );
    let text = text + &one + &other;
    parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error} in\n{text}"))
}

/// A subgraph of that number, and the types of its input and of its first output.
fn subgraph(seed: u64, number: u32) -> (String, [String; 2]) {
    let mut random = Random::new(seed);
    let pictures = if random.below(5) == 0 { 2 } else { 1 };
    let shape = [pictures, 3 + random.below(8), 3 + random.below(8), 1 + random.below(4)];
    let ty = random.of(&TYPES);
    let mut net = Net { random, tensors: Vec::new(), made: Vec::new(), operators: Vec::new() };
    net.tensor(ty, &shape);
    net.made.push(Made { number: 0, ty, shape });
    for _ in 0..4 + net.random.below(9) {
        net.step();
    }
    let mut outputs = vec![net.made[net.made.len() - 1].number];
    if net.random.below(2) == 0 {
        let other = net.made[net.random.below(net.made.len())].number;
        outputs.extend(Some(other).filter(|other| !outputs.contains(other)));
    }
    let ends = [&net.tensors[0], &net.tensors[outputs[0]]].map(String::clone);
    let outputs: Vec<String> = outputs.iter().map(|number| format!("%{number}")).collect();
    let mut text = format!("subgraph sg{number} \"net\" (%0) -> ({})\n", outputs.join(", "));
    for (number, tensor) in net.tensors.iter().enumerate() {
        let (ty, rest) = tensor.split_once(' ').unwrap_or((tensor, ""));
        text += &format!("%{number}: {ty} \"t{number}\" {rest}\n");
    }
    for (number, operator) in net.operators.iter().enumerate() {
        text += &format!("op{number} {operator}\n");
    }
    (text, ends)
}

impl Net {
    fn tensor(&mut self, ty: &str, shape: &[usize]) -> usize {
        let dims: Vec<String> = shape.iter().map(usize::to_string).collect();
        self.tensors.push(format!("{ty}[{}]", dims.join(",")));
        self.tensors.len() - 1
    }

    fn constant(&mut self, ty: &str, shape: &[usize]) -> usize {
        let number = self.tensor(if ty == "i4" { "i8" } else { ty }, shape);
        self.tensors[number] += " = [1]";
        number
    }

    /// Mostly the last tensor.
    fn any(&mut self) -> Made {
        let last = self.made.len() - 1;
        let at = if self.random.below(4) == 0 { self.random.below(self.made.len()) } else { last };
        self.made[at]
    }

    /// An operator with one output of four dimensions.
    fn add(&mut self, operator: &str, inputs: &[usize], ty: &'static str, shape: [usize; 4]) {
        let number = self.tensor(ty, &shape);
        let inputs: Vec<String> = inputs.iter().map(|input| format!("%{input}")).collect();
        self.operators.push(format!("{operator} ({}) -> %{number}", inputs.join(", ")));
        self.made.push(Made { number, ty, shape });
    }

    fn step(&mut self) {
        let from = self.any();
        match self.random.below(20) {
            0..8 => self.window(from),
            8..10 => {
                let operator = self.random.of(&["EXP", "RELU", "ABS", "LOGISTIC", "NEG"]);
                self.add(operator, &[from.number], from.ty, from.shape);
            }
            10..13 => {
                let (operator, ty) = match from.ty {
                    "f32" => self.random.of(&[("QUANTIZE", "i8"), ("QUANTIZE", "i16"), ("CAST", "i32")]),
                    "bool" => ("CAST", "f32"),
                    _ => self.random.of(&[("DEQUANTIZE", "f32"), ("CAST", "i64"), ("QUANTIZE", "i8")]),
                };
                self.add(operator, &[from.number], ty, from.shape);
            }
            13..16 => self.two(from),
            16 => {
                let [pictures, rows, columns, channels] = from.shape;
                let shape = constant_shape(&mut self.tensors);
                self.add("RESHAPE", &[from.number, shape], from.ty, [pictures, columns, rows, channels]);
            }
            17 => self.parts(from),
            _ => self.other(from),
        }
    }

    fn window(&mut self, from: Made) {
        let [pictures, rows, columns, channels] = from.shape;
        let random = &mut self.random;
        let taps = [1 + random.below(4), 1 + random.below(4)];
        let stride = [random.of(&[1, 1, 1, 2, 3]), random.of(&[1, 1, 2])];
        // Nothing is known of the scratch memory of convolutions on half bytes.
        let kind = if from.ty == "i4" { 2 } else { random.below(4) };
        let dilation = if kind < 2 { [random.of(&[1, 1, 2]), random.of(&[1, 1, 2])] } else { [1, 1] };
        let reach = [0, 1].map(|axis| (taps[axis] - 1) * dilation[axis] + 1);
        let fits = reach[0] <= rows && reach[1] <= columns;
        let padding = if fits { random.of(&["SAME", "VALID"]) } else { "SAME" };
        let size = |axis: usize, size: usize| match padding {
            "SAME" => size.div_ceil(stride[axis]),
            _ => (size - reach[axis]) / stride[axis] + 1,
        };
        let (rows, columns) = (size(0, rows), size(1, columns));
        let strides = format!("padding={padding}, stride_w={}, stride_h={}", stride[1], stride[0]);
        let dilations = format!("dilation_w_factor={}, dilation_h_factor={}", dilation[1], dilation[0]);
        let ty = if random.below(8) == 0 { "i32" } else { from.ty };
        match kind {
            0 => {
                let deep = 1 + random.below(5);
                let filter = self.constant(from.ty, &[deep, taps[0], taps[1], channels]);
                let operator = format!("CONV_2D {{{strides}, {dilations}}}");
                self.add(&operator, &[from.number, filter], ty, [pictures, rows, columns, deep]);
            }
            1 => {
                let each = random.of(&[1, 1, 2]);
                let filter = self.constant(from.ty, &[1, taps[0], taps[1], channels * each]);
                let operator =
                    format!("DEPTHWISE_CONV_2D {{{strides}, depth_multiplier={each}, {dilations}}}");
                self.add(&operator, &[from.number, filter], ty, [pictures, rows, columns, channels * each]);
            }
            _ => {
                let code = random.of(&["AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D"]);
                let operator =
                    format!("{code} {{{strides}, filter_width={}, filter_height={}}}", taps[1], taps[0]);
                self.add(&operator, &[from.number], from.ty, [pictures, rows, columns, channels]);
            }
        }
    }

    /// Operators with two operands, one of which may be smaller.
    fn two(&mut self, from: Made) {
        let like = |made: &&Made| made.shape == from.shape && made.ty == from.ty;
        let likes: Vec<Made> = self.made.iter().filter(like).copied().collect();
        let mut other = self.random.of(&likes).number;
        if self.random.below(4) == 0 {
            let shape = [from.shape[0], 1, 1, from.shape[3]];
            self.add("SUM", &[from.number], from.ty, shape);
            other = self.made[self.made.len() - 1].number;
        }
        let mut inputs = [from.number, other];
        if self.random.below(2) == 0 {
            inputs.reverse();
        }
        let operator = self.random.of(&["ADD", "MUL", "SUB", "MAXIMUM", "LESS", "NOT_EQUAL"]);
        let ty = if ["LESS", "NOT_EQUAL"].contains(&operator) { "bool" } else { from.ty };
        self.add(operator, &inputs, ty, from.shape);
    }

    /// Operators with several outputs.
    fn parts(&mut self, from: Made) {
        let [pictures, rows, columns, channels] = from.shape;
        let first = self.tensors.len();
        if self.random.below(2) == 0 && channels % 2 == 0 {
            let axis = self.constant("i32", &[1]);
            let shape = [pictures, rows, columns, channels / 2];
            let (one, other) = (self.tensor(from.ty, &shape), self.tensor(from.ty, &shape));
            let split = format!("SPLIT {{num_splits=2}} (%{axis}, %{}) -> %{one}, %{other}", from.number);
            self.operators.push(split);
            self.made.extend([one, other].map(|number| Made { number, ty: from.ty, shape }));
        } else if columns < 5 {
            for _ in 0..columns {
                self.tensor(from.ty, &[pictures, rows, channels]);
            }
            let outputs: Vec<String> = (first..first + columns).map(|number| format!("%{number}")).collect();
            let options = format!("num={columns}, axis=2");
            self.operators.push(format!("UNPACK {{{options}}} (%{}) -> {}", from.number, outputs.join(", ")));
            let shape = constant_shape(&mut self.tensors);
            self.add("RESHAPE", &[first, shape], from.ty, [pictures, rows, 1, channels]);
        } else {
            let axis = self.constant("i32", &[1]);
            let shape = [pictures, rows, columns, channels];
            self.add("REVERSE_V2", &[from.number, axis], from.ty, shape);
        }
    }

    /// Operators that read in another order than they write.
    fn other(&mut self, from: Made) {
        let [pictures, rows, columns, channels] = from.shape;
        let numbers = constant_shape(&mut self.tensors);
        match self.random.below(5) {
            0 => self.add("TRANSPOSE", &[from.number, numbers], from.ty, [pictures, columns, rows, channels]),
            1 => self.add("SOFTMAX", &[from.number], from.ty, from.shape),
            2 if rows < 10 => {
                self.add("PAD", &[from.number, numbers], from.ty, [pictures, rows + 1, columns + 1, channels])
            }
            3 if channels < 5 => {
                let shape = [pictures, rows, columns, 2 * channels];
                self.add("CONCATENATION {axis=3}", &[from.number, from.number], from.ty, shape);
            }
            _ => self.add("REVERSE_V2", &[from.number, numbers], from.ty, from.shape),
        }
    }
}

/// A constant that says which shape or axes: what is in it does not matter here.
fn constant_shape(tensors: &mut Vec<String>) -> usize {
    tensors.push("i32[4] = [1]".to_owned());
    tensors.len() - 1
}
