//! Records: what can be set, what is read back, what equality means.

use std::collections::HashSet;

use circle_tables::{CIRCLE, Datum, LossError, Record, TFLITE, TableDef, circle, tflite};

fn conv() -> Record {
    Record::new(&circle::CONV2D_OPTIONS)
}

#[test]
fn absent_fields_read_as_the_default_of_the_schema() {
    let record = conv();
    assert_eq!((record.int("stride_w"), record.int("dilation_w_factor")), (0, 1));
    assert_eq!(record.enum_name("padding"), Some("SAME"));
    assert!(Record::new(&circle::ADD_OPTIONS).bool("pot_scale_int16"));
    assert_eq!(Record::new(&circle::OPERATOR).int("debug_metadata_index"), -1);
    assert_eq!(Record::new(&circle::RESHAPE_OPTIONS).ints("new_shape"), &[] as &[i64]);
    assert!(Record::new(&circle::QUANTIZATION_PARAMETERS).record("details").is_none());
}

#[test]
fn a_field_present_with_its_default_differs_from_an_absent_one() {
    let mut present = conv();
    present.set("dilation_w_factor", 1).expect("set");
    assert_eq!(present.int("dilation_w_factor"), conv().int("dilation_w_factor"));
    assert_ne!(present, conv());
    assert_eq!(present.remove("dilation_w_factor"), Some(Datum::Int(1)));
    assert_eq!(present, conv());
    assert_eq!(present.remove("dilation_w_factor"), None);
}

#[test]
fn the_order_of_setting_does_not_matter() {
    let one = conv().with("stride_w", 2).and_then(|record| record.with("padding", 1)).expect("set");
    let other = conv().with("padding", 1).and_then(|record| record.with("stride_w", 2)).expect("set");
    assert_eq!(one, other);
    assert_eq!(one.to_string(), "{padding=VALID, stride_w=2}");
    assert_eq!(format!("{one:?}"), "Conv2DOptions{padding=VALID, stride_w=2}");
}

#[test]
fn values_that_do_not_fit_are_refused_by_name_and_value() {
    let message = |result: Result<(), circle_tables::SetError>| result.expect_err("refused").to_string();
    let mut record = conv();
    assert_eq!(message(record.set("stride", 1)), "Conv2DOptions has no field \"stride\"");
    assert_eq!(
        message(record.set("stride_w", 1_i64 << 40)),
        "Conv2DOptions.stride_w holds I32, not the integer 1099511627776"
    );
    assert_eq!(
        message(record.set("padding", 200)),
        "Conv2DOptions.padding holds Padding, not the integer 200"
    );
    assert_eq!(
        message(record.set("padding", true)),
        "Conv2DOptions.padding holds Padding, not a truth value"
    );
    assert_eq!(
        message(record.set_enum("padding", "FULL")),
        "Conv2DOptions.padding: Padding has no value \"FULL\""
    );
    let mut tensor = Record::new(&circle::TENSOR);
    let wrong = Datum::Record(Box::new(conv()));
    assert_eq!(
        message(tensor.set("quantization", wrong)),
        "Tensor.quantization holds QuantizationParameters, not a Conv2DOptions"
    );
    // A table of the other schema is another table, even under the same name.
    let foreign = Datum::Record(Box::new(Record::new(&tflite::QUANTIZATION_PARAMETERS)));
    assert!(tensor.set("quantization", foreign).is_err());
    assert!(record.is_empty() && tensor.is_empty());
}

#[test]
fn equality_and_hash_go_by_bits() {
    let softmax = |beta: f32| Record::new(&circle::SOFTMAX_OPTIONS).with("beta", beta).expect("set");
    assert_eq!(softmax(f32::NAN), softmax(f32::NAN));
    assert_ne!(softmax(0.0), softmax(-0.0));
    let distinct: HashSet<Record> =
        [softmax(f32::NAN), softmax(f32::NAN), softmax(0.0), softmax(-0.0)].into_iter().collect();
    assert_eq!(distinct.len(), 3);
}

#[test]
fn unsigned_64_bit_numbers_keep_their_upper_half() {
    let record = Record::new(&circle::BUFFER).with("offset", -1_i64).expect("set");
    assert_eq!(record.uint("offset"), u64::MAX);
    assert_eq!(record.to_string(), "{offset=18446744073709551615}");
}

fn loss(record: Record) -> String {
    record.convert(&CIRCLE).expect_err("a loss").to_string()
}

fn of(table: &'static TableDef, field: &str, datum: impl Into<Datum>) -> Record {
    Record::new(table).with(field, datum).expect("set")
}

#[test]
fn tflite_becomes_circle_by_name() {
    let matmul = of(&tflite::BATCH_MAT_MUL_OPTIONS, "adj_y", true).convert(&CIRCLE).expect("convert");
    assert_eq!(matmul, of(&circle::BATCH_MAT_MUL_OPTIONS, "adjoint_rhs", true));
    assert_eq!(matmul.convert(&TFLITE).expect("and back").to_string(), "{adj_y=true}");

    // 20 in tflite, -1 in circle.
    let cast = of(&tflite::CAST_OPTIONS, "in_data_type", 20).convert(&CIRCLE).expect("convert");
    assert_eq!(cast.int("in_data_type"), -1);

    // Tag 2 in tflite, tag 3 in circle: a record knows its table, not its tag.
    let blockwise = Datum::Union(Box::new(of(&tflite::BLOCKWISE_QUANTIZATION, "block_size", 32)));
    let quantization = of(&tflite::QUANTIZATION_PARAMETERS, "details", blockwise);
    let converted = quantization.convert(&CIRCLE).expect("convert");
    assert_eq!(converted.record("details").map(Record::def), Some(&circle::BLOCKWISE_QUANTIZATION));
    assert_eq!(converted.to_string(), quantization.to_string());

    // Slot 5 in tflite, slot 6 in circle.
    let subgraph = of(&tflite::SUB_GRAPH, "debug_metadata_index", 3).convert(&CIRCLE).expect("convert");
    assert_eq!(subgraph.get_at(6), Some(&Datum::Int(3)));
}

#[test]
fn what_circle_cannot_say_is_named() {
    assert_eq!(
        loss(of(&tflite::CAST_OPTIONS, "out_data_type", 19)),
        "CastOptions.out_data_type: circle has no TensorType INT2"
    );
    assert_eq!(loss(of(&tflite::TENSOR, "type", 22)), "Tensor.type: circle has no TensorType FLOAT8_E5M2");
    assert_eq!(loss(of(&tflite::TENSOR, "type", 99)), "Tensor.type: circle has no TensorType 99");
    assert_eq!(loss(of(&tflite::TENSOR, "external_buffer", 1)), "circle has no field Tensor.external_buffer");
    let details = Datum::Union(Box::new(Record::new(&tflite::MULTI_AXIS_QUANTIZATION)));
    let error = of(&tflite::QUANTIZATION_PARAMETERS, "details", details).convert(&CIRCLE);
    assert_eq!(error, Err(LossError::Table { schema: "circle", table: "MultiAxisQuantization" }));
    // A field that says nothing is no loss.
    assert!(of(&tflite::TENSOR, "external_buffer", 0).convert(&CIRCLE).expect("no loss").is_empty());
    // A number without a name is safe where both sides agree on everything that has one.
    assert_eq!(
        of(&tflite::MUL_OPTIONS, "fused_activation_function", 77)
            .convert(&CIRCLE)
            .map(|record| record.to_string()),
        Ok("{fused_activation_function=77}".to_owned())
    );
}

#[test]
fn conversion_to_the_same_schema_changes_nothing() {
    let record = of(&circle::CAST_OPTIONS, "in_data_type", 99);
    assert_eq!(record.convert(&CIRCLE), Ok(record.clone()));
}
