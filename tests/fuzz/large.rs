//! Model files of a million parts, or with parts that are shared beyond measure, built without the reader or writer.

use circle_schema::generated::circle as schema;
use flatbuffers::{FlatBufferBuilder, Vector, WIPOffset};

/// A file to be built: counts of what it holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Large {
    /// Metadata entries, each with a table of its own.
    pub(crate) metadata: usize,
    /// Operator codes.
    pub(crate) codes: usize,
    /// Tensors with one shape, all in one table.
    pub(crate) shared_tensors: usize,
    /// How often the one subgraph stands in the list of subgraphs.
    pub(crate) subgraphs: usize,
    /// Operators, each of which reads the one before it.
    pub(crate) chain: usize,
    /// Operators that all read the graph's input.
    pub(crate) star: usize,
    /// Graph inputs beside the first.
    pub(crate) inputs: usize,
    /// Buffers that all hold the same bytes, or the same but for one, at the end of the file.
    pub(crate) buffers: usize,
    /// Bytes there.
    pub(crate) tail: usize,
    /// Whether buffers overlap and are not the same.
    pub(crate) shifted: bool,
    /// Whether operators of the chain have overlapping options there.
    pub(crate) options: bool,
    /// Length of the name of the custom operator, the subgraph and the first tensor.
    pub(crate) name: usize,
    /// Whether operators are custom ones.
    pub(crate) custom: bool,
    /// Whether each operator reads a tensor that is not there.
    pub(crate) faulty: bool,
}

impl Large {
    /// The bytes of the file.
    pub(crate) fn build(&self) -> Vec<u8> {
        // Offsets count from the start; the head is as long whatever they are, but for 0, which is left out.
        let head = self.head(1).len();
        let mut bytes = self.head(head as u64);
        assert_eq!(bytes.len(), head);
        bytes.extend((0..self.tail).map(|i| i as u8));
        bytes
    }

    fn head(&self, tail: u64) -> Vec<u8> {
        let mut b = FlatBufferBuilder::new();
        let long = b.create_string(&"n".repeat(self.name.max(1)));
        let builtin_code =
            if self.custom { schema::BuiltinOperator::CUSTOM } else { schema::BuiltinOperator::NEG };
        let code = schema::OperatorCodeArgs {
            deprecated_builtin_code: builtin_code.0 as i8,
            custom_code: self.custom.then_some(long),
            version: 1,
            builtin_code,
        };
        let codes: Vec<_> =
            (0..self.codes.max(1)).map(|_| schema::OperatorCode::create(&mut b, &code)).collect();
        let codes = b.create_vector(&codes);

        let shape = b.create_vector(&[1i32]);
        let first = tensor(&mut b, shape, long);
        let mut tensors = vec![first; 1 + self.shared_tensors + self.inputs];
        let mut operators = Vec::new();
        let results = tensors.len();
        for index in 0..self.chain + self.star {
            let name = b.create_string(&format!("t{index}"));
            let result = tensor(&mut b, shape, name);
            tensors.push(result);
            let before = if index == 0 || index >= self.chain { 0 } else { results + index - 1 };
            let input = if self.faulty { i32::MAX } else { before as i32 };
            let (inputs, outputs) = (b.create_vector(&[input]), b.create_vector(&[(results + index) as i32]));
            let args = schema::OperatorArgs {
                inputs: Some(inputs),
                outputs: Some(outputs),
                large_custom_options_offset: if self.options { tail + index as u64 } else { 0 },
                large_custom_options_size: if self.options { (self.tail / 2) as u64 } else { 0 },
                ..Default::default()
            };
            operators.push(schema::Operator::create(&mut b, &args));
        }
        let output = (tensors.len() - 1) as i32;
        let inputs: Vec<i32> = (0..=self.inputs as i32).collect();
        let (inputs, outputs) = (b.create_vector(&inputs), b.create_vector(&[output]));
        let (tensors, operators) = (b.create_vector(&tensors), b.create_vector(&operators));
        let args = schema::SubGraphArgs {
            tensors: Some(tensors),
            inputs: Some(inputs),
            outputs: Some(outputs),
            operators: Some(operators),
            name: Some(long),
            ..Default::default()
        };
        let subgraph = schema::SubGraph::create(&mut b, &args);
        let subgraphs = b.create_vector(&vec![subgraph; self.subgraphs.max(1)]);

        let empty = schema::Buffer::create(&mut b, &Default::default());
        let mut buffers = vec![empty];
        for index in 0..self.buffers as u64 {
            let offset = tail + if self.shifted { index } else { 0 };
            let args = schema::BufferArgs { offset, size: (self.tail / 2) as u64, ..Default::default() };
            buffers.push(schema::Buffer::create(&mut b, &args));
        }
        let buffers = b.create_vector(&buffers);
        let metadata: Vec<_> = (0..self.metadata)
            .map(|_| schema::Metadata::create(&mut b, &schema::MetadataArgs { name: Some(long), buffer: 0 }))
            .collect();
        let metadata = b.create_vector(&metadata);
        let args = schema::ModelArgs {
            operator_codes: Some(codes),
            subgraphs: Some(subgraphs),
            buffers: Some(buffers),
            metadata: Some(metadata),
            ..Default::default()
        };
        let model = schema::Model::create(&mut b, &args);
        schema::finish_model_buffer(&mut b, model);
        b.finished_data().to_vec()
    }
}

fn tensor<'a>(
    b: &mut FlatBufferBuilder<'a>,
    shape: WIPOffset<Vector<'a, i32>>,
    name: WIPOffset<&'a str>,
) -> WIPOffset<schema::Tensor<'a>> {
    let args = schema::TensorArgs { shape: Some(shape), name: Some(name), ..Default::default() };
    schema::Tensor::create(b, &args)
}
