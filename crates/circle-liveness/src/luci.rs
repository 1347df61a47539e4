//! The nodes that luci makes of the first subgraph, in the order in which it numbers them.
//!
//! luci numbers nodes of its own graph, which the file does not hold: an operator, each of its outputs if there can be
//! several, a constant, an input and an output of the graph, and a stand-in for an input that is left out, each are a
//! node. They are numbered as a depth-first traversal leaves them: from the outputs of the graph, the last of them first,
//! to the arguments of a node in their order, and to the node itself behind them.
//!
//! What luci makes of an operator is known for those that this module lists. Where a model has anything else, or
//! anything that versions of luci treat differently, its nodes are not numbered and the reason is told.

use std::collections::HashSet;
use std::fmt;

use circle_ir::{Model, OpId, Operator, Subgraph, SubgraphId, ValueId};
use circle_tables::opcode as op;

use crate::error::Place;
use crate::names::{Numbers, operator_place, subgraph_place, tensor_place};

/// A node of luci's graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An input of the graph.
    Input(ValueId),
    /// A constant.
    Constant(ValueId),
    /// The shape that luci makes for a `RESHAPE` that has it in its options only.
    Shape(OpId),
    /// What stands for an input, by slot, that an operator leaves out.
    Excluded(OpId, u32),
    /// An operator. Its tensor is here unless its outputs are nodes of their own.
    Operator(OpId),
    /// An output of an operator that can have several.
    Out(OpId, u32),
    /// An output of the graph, by position.
    Output(u32),
}

/// Why nodes cannot be numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberingError {
    /// Where.
    pub place: Place,
    /// Why.
    pub text: &'static str,
}

impl fmt::Display for NumberingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

impl std::error::Error for NumberingError {}

/// Operators whose outputs are nodes of their own, even a single one.
const SEVERAL: [i32; 10] = [
    op::CUSTOM,
    op::IF,
    op::NON_MAX_SUPPRESSION_V4,
    op::NON_MAX_SUPPRESSION_V5,
    op::SPLIT,
    op::SPLIT_V,
    op::TOPK_V2,
    op::UNIQUE,
    op::UNPACK,
    op::WHILE,
];

/// Operators that become one node with the arguments that they have in the file.
const SINGLE: [i32; 99] = [
    op::ABS,
    op::ADD,
    op::ADD_N,
    op::ARG_MAX,
    op::ARG_MIN,
    op::AVERAGE_POOL_2D,
    op::BATCH_MATMUL,
    op::BATCH_TO_SPACE_ND,
    op::BROADCAST_TO,
    op::CAST,
    op::CEIL,
    op::CONCATENATION,
    op::CONV_2D,
    op::COS,
    op::CUMSUM,
    op::DENSIFY,
    op::DEPTHWISE_CONV_2D,
    op::DEPTH_TO_SPACE,
    op::DEQUANTIZE,
    op::DIV,
    op::ELU,
    op::EQUAL,
    op::EXP,
    op::EXPAND_DIMS,
    op::FAKE_QUANT,
    op::FILL,
    op::FLOOR,
    op::FLOOR_DIV,
    op::FLOOR_MOD,
    op::FULLY_CONNECTED,
    op::GATHER,
    op::GATHER_ND,
    op::GELU,
    op::GREATER,
    op::GREATER_EQUAL,
    op::HARD_SWISH,
    op::INSTANCE_NORM,
    op::L2_NORMALIZATION,
    op::L2_POOL_2D,
    op::LEAKY_RELU,
    op::LESS,
    op::LESS_EQUAL,
    op::LOCAL_RESPONSE_NORMALIZATION,
    op::LOG,
    op::LOGICAL_AND,
    op::LOGICAL_NOT,
    op::LOGICAL_OR,
    op::LOGISTIC,
    op::LOG_SOFTMAX,
    op::MATRIX_DIAG,
    op::MATRIX_SET_DIAG,
    op::MAXIMUM,
    op::MAX_POOL_2D,
    op::MEAN,
    op::MINIMUM,
    op::MIRROR_PAD,
    op::MUL,
    op::NEG,
    op::NOT_EQUAL,
    op::ONE_HOT,
    op::PACK,
    op::PAD,
    op::PADV2,
    op::POW,
    op::PRELU,
    op::QUANTIZE,
    op::RANGE,
    op::RANK,
    op::REDUCE_ANY,
    op::REDUCE_MAX,
    op::REDUCE_MIN,
    op::REDUCE_PROD,
    op::RELU,
    op::RELU6,
    op::RELU_0_TO_1,
    op::RELU_N1_TO_1,
    op::RESHAPE,
    op::RESIZE_BILINEAR,
    op::RESIZE_NEAREST_NEIGHBOR,
    op::REVERSE_SEQUENCE,
    op::REVERSE_V2,
    op::RMS_NORM,
    op::ROPE,
    op::ROUND,
    op::RSQRT,
    op::SCATTER_ND,
    op::SEGMENT_SUM,
    op::SELECT,
    op::SELECT_V2,
    op::SHAPE,
    op::SIN,
    op::SLICE,
    op::SOFTMAX,
    op::SPACE_TO_BATCH_ND,
    op::SPACE_TO_DEPTH,
    op::SPARSE_TO_DENSE,
    op::SQRT,
    op::SQUARE,
    op::SQUARED_DIFFERENCE,
];

/// More of them.
const SINGLE_MORE: [i32; 12] = [
    op::SQUEEZE,
    op::STRIDED_SLICE,
    op::SUB,
    op::SUM,
    op::TANH,
    op::TILE,
    op::TRANSPOSE,
    op::TRANSPOSE_CONV,
    op::UNIDIRECTIONAL_SEQUENCE_LSTM,
    op::WHERE,
    op::ZEROS_LIKE,
    op::SVDF,
];

/// Whether the outputs of an operator are nodes of their own.
pub fn has_outs(operator: &Operator) -> bool {
    SEVERAL.contains(&operator.code().builtin)
}

/// The nodes of the first subgraph; the position in the list is the number.
///
/// # Errors
/// When it is not known which nodes luci makes.
pub fn nodes(model: &Model) -> Result<Vec<Node>, NumberingError> {
    let id = SubgraphId::from_number(0);
    let Some(sg) = model.subgraph(id) else { return Ok(Vec::new()) };
    let graph =
        Graph { model, sg, id, numbers: Numbers::new(sg), inputs: sg.inputs().iter().copied().collect() };
    graph.check_inputs()?;
    let mut order = Vec::new();
    let mut visited = HashSet::new();
    let mut stack: Vec<(Node, usize)> = (0..).zip(sg.outputs()).map(|(i, _)| (Node::Output(i), 0)).collect();
    while let Some((node, argument)) = stack.pop() {
        if argument == 0 && !visited.insert(node) {
            continue;
        }
        match graph.argument(node, argument)? {
            Some(next) => {
                stack.push((node, argument + 1));
                stack.push((next, 0));
            }
            None => order.push(node),
        }
    }
    Ok(order)
}

struct Graph<'a> {
    model: &'a Model,
    sg: &'a Subgraph,
    id: SubgraphId,
    numbers: Numbers,
    inputs: HashSet<ValueId>,
}

impl Graph<'_> {
    fn tensor(&self, v: ValueId, text: &'static str) -> NumberingError {
        let name = self.sg.value(v).map_or("", |value| value.name());
        NumberingError { place: tensor_place(self.id, self.sg, self.numbers.value(v), name), text }
    }

    fn operator(&self, op: OpId, text: &'static str) -> NumberingError {
        let place = match self.sg.operator(op) {
            Some(operator) => operator_place(self.id, self.sg, self.numbers.operator(op), operator),
            None => subgraph_place(self.id, self.sg),
        };
        NumberingError { place, text }
    }

    fn has_data(&self, v: ValueId) -> bool {
        let buffer = self.sg.buffer_of(v).and_then(|buffer| self.model.buffer(buffer));
        buffer.is_some_and(|buffer| !buffer.is_empty())
    }

    fn check_inputs(&self) -> Result<(), NumberingError> {
        if self.inputs.len() < self.sg.inputs().len() {
            let place = subgraph_place(self.id, self.sg);
            return Err(NumberingError {
                place,
                text: "a tensor is an input twice, and luci makes two nodes of it",
            });
        }
        match self.sg.inputs().iter().find(|&&v| self.has_data(v)) {
            Some(&v) => {
                Err(self.tensor(v, "is an input with data, which versions of luci treat differently"))
            }
            None => Ok(()),
        }
    }

    /// The node that holds a tensor.
    fn holder(&self, v: ValueId) -> Result<Node, NumberingError> {
        let Some(value) = self.sg.value(v) else { return Err(self.tensor(v, "does not exist")) };
        if value.is_variable() {
            return Err(
                self.tensor(v, "is a variable, of which some versions of luci make a node and others none")
            );
        }
        if self.inputs.contains(&v) {
            return Ok(Node::Input(v));
        }
        match value.def() {
            Some((op, port)) => {
                let several = self.sg.operator(op).is_some_and(has_outs);
                Ok(if several { Node::Out(op, port) } else { Node::Operator(op) })
            }
            None if self.has_data(v) => Ok(Node::Constant(v)),
            None => Err(self.tensor(v, "has no data and nothing computes it")),
        }
    }

    /// Argument number `index` of a node, if it has so many.
    fn argument(&self, node: Node, index: usize) -> Result<Option<Node>, NumberingError> {
        match node {
            Node::Input(_) | Node::Constant(_) | Node::Shape(_) | Node::Excluded(..) => Ok(None),
            Node::Out(op, _) => Ok((index == 0).then_some(Node::Operator(op))),
            Node::Output(position) => match self.sg.outputs().get(position as usize).filter(|_| index == 0) {
                Some(&v) => self.holder(v).map(Some),
                None => Ok(None),
            },
            Node::Operator(op) => self.argument_of(op, index),
        }
    }

    fn argument_of(&self, id: OpId, index: usize) -> Result<Option<Node>, NumberingError> {
        let Some(operator) = self.sg.operator(id) else { return Err(self.operator(id, "does not exist")) };
        if index == 0 {
            self.check_operator(id, operator)?;
        }
        let code = operator.code().builtin;
        let slot = u32::try_from(index).unwrap_or(u32::MAX);
        match operator.inputs().get(index) {
            Some(Some(v)) => self.holder(*v).map(Some),
            Some(None) => Ok(Some(Node::Excluded(id, slot))),
            // What luci adds.
            None if index == 3 && code == op::TRANSPOSE_CONV => Ok(Some(Node::Excluded(id, slot))),
            None if index == 1 && code == op::RESHAPE => Ok(Some(Node::Shape(id))),
            None => Ok(None),
        }
    }

    fn check_operator(&self, id: OpId, operator: &Operator) -> Result<(), NumberingError> {
        let code = operator.code().builtin;
        let single = SINGLE.contains(&code) || SINGLE_MORE.contains(&code);
        if !single && !SEVERAL.contains(&code) {
            return Err(self.operator(id, "it is not known which nodes luci makes of such an operator"));
        }
        if single && operator.outputs().len() != 1 {
            return Err(self.operator(id, "luci takes one output of such an operator"));
        }
        let count = operator.inputs().len();
        let fits = match code {
            op::CONV_2D | op::DEPTHWISE_CONV_2D | op::FULLY_CONNECTED => count == 3,
            op::TRANSPOSE_CONV => count == 3 || count == 4,
            op::RESHAPE if count == 1 => operator.options().is_some(),
            op::RESHAPE => count == 2 && operator.input(1).is_some(),
            op::UNIDIRECTIONAL_SEQUENCE_LSTM => count == 24,
            _ => true,
        };
        if fits {
            Ok(())
        } else {
            Err(self.operator(id, "luci takes another number of inputs of such an operator"))
        }
    }
}
