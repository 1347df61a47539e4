//! Records as text and back.

mod random;

use circle_tables::{CIRCLE, Datum, Record, TFLITE, circle, parse, parse_prefix};
use random::Random;

#[test]
fn every_table_survives_its_text() {
    let mut random = Random(7);
    for schema in [&CIRCLE, &TFLITE] {
        for &table in schema.tables {
            // The model itself is the deepest table; a few of it reach everything inside.
            let rounds = if table == schema.root { 3 } else { 12 };
            for _ in 0..rounds {
                let record = random.record(table);
                let text = record.to_string();
                assert_eq!(parse(table, &text).as_ref(), Ok(&record), "{}{text}", table.name);
                assert!(!text.contains(|letter: char| letter.is_control()), "{text:?}");
            }
        }
    }
}

#[test]
fn text_reads_as_people_write_it() {
    let text = "{padding=SAME, stride_w=1, fused_activation_function=RELU}";
    let record = parse(&circle::CONV2D_OPTIONS, text).expect("parse");
    assert_eq!(record.int("fused_activation_function"), 1);
    assert_eq!(record.to_string(), text);
    let loose = " {\n stride_w = +1 ,padding=0,\tfused_activation_function=RELU } ";
    assert_eq!(parse(&circle::CONV2D_OPTIONS, loose).expect("parse"), record);
    assert_eq!(parse(&circle::SOFTMAX_OPTIONS, "{beta=1}").expect("parse").f32("beta"), 1.0);
    assert!(parse(&circle::PAD_OPTIONS, "{ }").expect("parse").is_empty());
}

#[test]
fn nested_values_are_written_out() {
    let text = "{scale=[0.5, nan, -inf, nan:0x7fc00001], zero_point=[-1, 2], \
                details=CustomQuantization{custom=x\"00ff\"}, quantized_dimension=3}";
    let record = parse(&circle::QUANTIZATION_PARAMETERS, text).expect("parse");
    assert_eq!(record.to_string(), text);
    assert_eq!(record.record("details").map(|details| details.bytes("custom")), Some(&[0, 255][..]));
    let names =
        parse(&circle::VAR_HANDLE_OPTIONS, r#"{shared_name="a\"\\\n\u{202e}\u{0}é"}"#).expect("parse");
    assert_eq!(names.str("shared_name"), Some("a\"\\\n\u{202e}\0é"));
}

#[test]
fn a_prefix_leaves_the_rest() {
    let (record, used) =
        parse_prefix(&circle::MUL_OPTIONS, "{fused_activation_function=TANH} (%0)").expect("parse");
    assert_eq!((record.get("fused_activation_function"), used), (Some(&Datum::Int(4)), 32));
}

#[test]
fn mistakes_are_told_with_their_place() {
    let cases: &[(&str, &str)] = &[
        ("", "byte 0: '{' is expected"),
        ("{", "byte 1: the name of a field is expected"),
        ("{padding", "byte 8: '=' is expected"),
        ("{padding=", "byte 9: Padding has no member \"\""),
        ("{padding=FULL}", "byte 9: Padding has no member \"FULL\""),
        ("{padding=1000}", "byte 9: 1000 does not fit I8"),
        ("{stride_w=99999999999}", "byte 10: 99999999999 does not fit I32"),
        ("{stride_w=99999999999999999999999}", "byte 10: 99999999999999999999999 does not fit I32"),
        ("{stride_w=1.5}", "byte 10: an integer is expected"),
        ("{stride_w=-}", "byte 10: an integer is expected"),
        ("{stride_w=1 stride_h=1}", "byte 12: ',' or '}' is expected"),
        ("{stride_w=1, stride_w=1}", "byte 13: field stride_w is given twice"),
        ("{stride=1}", "byte 1: Conv2DOptions has no field \"stride\""),
        ("{} x", "byte 3: the end of the record is expected"),
        ("{stride_w=1,}", "byte 12: the name of a field is expected"),
        ("{é=1}", "byte 1: the name of a field is expected"),
    ];
    for (text, expected) in cases {
        let error = parse(&circle::CONV2D_OPTIONS, text).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text}");
    }
    let strings = [
        "{location=\"a",
        "{location=\"a\\",
        "{location=\"\\q\"}",
        "{location=\"\\u{d800}\"}",
        "{location=a}",
    ];
    for text in strings {
        assert!(parse(&circle::RUN_MODEL_OPTIONS, text).is_err(), "{text}");
    }
    for text in ["{custom=x\"0\"}", "{custom=x\"0g\"}", "{custom=x\"00}", "{custom=[1]}"] {
        assert!(parse(&circle::CUSTOM_QUANTIZATION, text).is_err(), "{text}");
    }
    assert!(parse(&circle::SOFTMAX_OPTIONS, "{beta=nan:0x00000001}").is_err());
    assert!(parse(&circle::QUANTIZATION_PARAMETERS, "{details=NoSuch{}}").is_err());
}

/// Whatever is damaged in a text, parsing it ends with a record or an error.
#[test]
fn damaged_texts_are_refused_without_a_panic() {
    let mut random = Random(11);
    let mut refused = 0;
    for round in 0..300 {
        let table = CIRCLE.tables[round % CIRCLE.tables.len()];
        let text = random.record(table).to_string();
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(letters.len());
            match random.below(3) {
                0 => drop(letters.remove(at)),
                1 => letters.truncate(at),
                _ => letters.insert(at, ['"', '\\', '{', 'é', '\0', '9', ']'][random.below(7)]),
            }
            letters.push(' ');
        }
        let damaged: String = letters.into_iter().collect();
        refused += usize::from(parse(table, &damaged).is_err());
    }
    assert!(refused > 200, "{refused}");
}

#[test]
fn an_empty_record_is_a_pair_of_braces() {
    assert_eq!(Record::new(&circle::ADD_OPTIONS).to_string(), "{}");
}
