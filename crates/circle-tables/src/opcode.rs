//! Operator codes: names, options, and how a code is spread over two fields of a file.
//!
//! A code is an `i32`. The constants of this module are all those that circle names; a code without a
//! name is legal and is carried as its number.

use std::sync::LazyLock;

pub use crate::generated::opcode::*;
use crate::schema::{EnumDef, SchemaDef, TableDef};
use crate::{CIRCLE, circle};

const NAMES: &EnumDef = &circle::BUILTIN_OPERATOR;

/// The value of `deprecated_builtin_code` that sends the reader to `builtin_code`.
pub const ESCAPE: i8 = 127;

/// The name of a code, `CONV_2D`.
pub fn name(code: i32) -> Option<&'static str> {
    NAMES.name_of(i64::from(code))
}

/// The code of a name.
pub fn code(name: &str) -> Option<i32> {
    NAMES.value_of(name).and_then(|code| i32::try_from(code).ok())
}

/// The code that the two fields of a circle `OperatorCode` mean.
///
/// A negative `builtin_code` is taken as it is. Otherwise `deprecated_builtin_code` is the code, unless
/// it is [`ESCAPE`], and then `builtin_code` is. Files of circle 0.3 and before hold 0 in `builtin_code`
/// and their negative codes only in the old byte, so TFLite's rule ([`decode_tflite`]) misreads them.
pub fn decode(deprecated_builtin_code: i8, builtin_code: i32) -> i32 {
    if builtin_code < 0 || deprecated_builtin_code == ESCAPE {
        builtin_code
    } else {
        i32::from(deprecated_builtin_code)
    }
}

/// The code that the two fields of a tflite `OperatorCode` mean: the greater of the two.
pub fn decode_tflite(deprecated_builtin_code: i8, builtin_code: i32) -> i32 {
    i32::from(deprecated_builtin_code).max(builtin_code)
}

/// The two fields `(deprecated_builtin_code, builtin_code)` that state a code, for both formats:
/// the second always holds the whole code, the first repeats it where it fits below [`ESCAPE`].
pub fn encode(code: i32) -> (i8, i32) {
    match i8::try_from(code) {
        Ok(short) => (short, code),
        Err(_) => (ESCAPE, code),
    }
}

/// The two unions of `Operator` that hold options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OptionsUnion {
    /// `Operator.builtin_options`, union `BuiltinOptions`.
    First,
    /// `Operator.builtin_options_2`, union `BuiltinOptions2`.
    Second,
}

impl OptionsUnion {
    /// The name of the union.
    pub fn name(self) -> &'static str {
        match self {
            OptionsUnion::First => "BuiltinOptions",
            OptionsUnion::Second => "BuiltinOptions2",
        }
    }

    /// The name of the field of `Operator`.
    pub fn field(self) -> &'static str {
        match self {
            OptionsUnion::First => "builtin_options",
            OptionsUnion::Second => "builtin_options_2",
        }
    }

    /// Which of the two unions of `schema` a table belongs to.
    pub fn of(schema: &SchemaDef, table: &TableDef) -> Option<OptionsUnion> {
        [OptionsUnion::First, OptionsUnion::Second]
            .into_iter()
            .find(|which| schema.union(which.name()).is_some_and(|union| union.tag(table).is_some()))
    }
}

/// Which options an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorOptions {
    /// The union they belong to.
    pub union: OptionsUnion,
    /// The table, in circle's schema; tflite's has the same name.
    pub table: &'static TableDef,
}

/// Operators whose options are not named after them. [`options`] knows the others by the rule that
/// `CONV_2D` takes `Conv2DOptions`; an operator with neither takes none.
const SHARED: &[(i32, &str)] = &[
    (AVERAGE_POOL_2D, "Pool2DOptions"),
    (L2_POOL_2D, "Pool2DOptions"),
    (MAX_POOL_2D, "Pool2DOptions"),
    (L2_NORMALIZATION, "L2NormOptions"),
    (UNIDIRECTIONAL_SEQUENCE_RNN, "SequenceRNNOptions"),
    (MEAN, "ReducerOptions"),
    (SUM, "ReducerOptions"),
    (REDUCE_PROD, "ReducerOptions"),
    (REDUCE_MAX, "ReducerOptions"),
    (REDUCE_MIN, "ReducerOptions"),
    (REDUCE_ANY, "ReducerOptions"),
    (REDUCE_ALL, "ReducerOptions"),
    (MAXIMUM, "MaximumMinimumOptions"),
    (MINIMUM, "MaximumMinimumOptions"),
    (CONV_3D_TRANSPOSE, "Conv3DOptions"),
    (RANDOM_STANDARD_NORMAL, "RandomOptions"),
    (RANDOM_UNIFORM, "RandomOptions"),
    (MULTINOMIAL, "RandomOptions"),
];

/// Options by code, ascending.
static OPTIONS: LazyLock<Vec<(i32, OperatorOptions)>> = LazyLock::new(|| {
    let known = NAMES.values.iter().filter_map(|&(name, code)| {
        let code = i32::try_from(code).ok()?;
        Some((code, find_options(code, name)?))
    });
    known.collect()
});

fn find_options(code: i32, name: &str) -> Option<OperatorOptions> {
    let shared = SHARED.iter().find(|(sharer, _)| *sharer == code).map(|&(_, table)| table);
    for union in [OptionsUnion::First, OptionsUnion::Second] {
        let members = CIRCLE.union(union.name())?.members;
        let found = members.iter().find(|(_, table)| match shared {
            Some(shared) => table.name == shared,
            None => is_named_after(table.name, name),
        });
        if let Some(&(_, table)) = found {
            return Some(OperatorOptions { union, table });
        }
    }
    None
}

/// Whether `table` is `operator` in camel case, followed by `Options`.
fn is_named_after(table: &str, operator: &str) -> bool {
    let letters = operator.bytes().filter(|&letter| letter != b'_');
    table
        .strip_suffix("Options")
        .is_some_and(|stem| stem.bytes().map(|letter| letter.to_ascii_uppercase()).eq(letters))
}

/// The options that the operator takes; nothing if it takes none or the code is unknown.
pub fn options(code: i32) -> Option<OperatorOptions> {
    let index = OPTIONS.binary_search_by_key(&code, |&(known, _)| known).ok()?;
    OPTIONS.get(index).map(|&(_, options)| options)
}
