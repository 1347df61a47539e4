//! The small vocabularies of a lineage. Codes come from `schema/lineage.fbs`, names from the CLI contract.

use circle_schema::generated::lineage as schema;

/// An enum whose members have a code in the blob and a name in JSON and output.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $code:ident $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$member_doc])* $member),+ }

        impl $name {
            /// All members, by ascending code.
            pub const ALL: &'static [Self] = &[$(Self::$member),+];

            /// The name in JSON and in output.
            pub fn name(self) -> &'static str {
                match self { $(Self::$member => $text),+ }
            }

            /// The member of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$member),)+ _ => None }
            }

            pub(super) fn code(self) -> u8 {
                match self { $(Self::$member => schema::$name::$code.0),+ }
            }

            pub(super) fn from_code(code: u8) -> Option<Self> {
                match schema::$name(code) { $(schema::$name::$code => Some(Self::$member),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let expected = concat!("one of", $(" ", $text),+);
                crate::text_value::deserialize(deserializer, expected, Self::from_name)
            }
        }
    };
}

vocabulary! {
    /// The form of a file.
    Format {
        /// Samsung ONE's circle.
        Circle = CIRCLE "circle",
        /// TensorFlow Lite.
        Tflite = TFLITE "tflite",
        /// ONNX.
        Onnx = ONNX "onnx",
        /// Anything else.
        Other = OTHER "other",
    }
}

vocabulary! {
    /// How an operator of the file stands to an original operator.
    Role {
        /// It is that operator, or the one whose result survived a fusion.
        Primary = PRIMARY "primary",
        /// It does that operator's work besides its own.
        Absorbed = ABSORBED "absorbed",
        /// It does that operator's work in another form.
        Replaced = REPLACED "replaced",
        /// It is one of several copies or parts.
        Cloned = CLONED "cloned",
        /// It repeats that operator to save memory.
        Recomputed = RECOMPUTED "recomputed",
        /// It stands for an equal operator that was merged into it.
        Duplicate = DUPLICATE "duplicate",
        /// That operator's result is now a constant.
        FoldedConst = FOLDED_CONST "folded-const",
        /// It is that operator at another precision.
        Quantised = QUANTISED "quantised",
        /// It has no original; it serves that operator.
        Helper = HELPER "helper",
        /// A matcher, not a pass, found the relation.
        Inferred = INFERRED "inferred",
        /// A tool that keeps no roles recorded the relation.
        Unknown = UNKNOWN "unknown",
    }
}

vocabulary! {
    /// What one step of the history did.
    Action {
        /// Read an operator from the original file.
        Import = IMPORT "import",
        /// Put one operator in the place of another.
        Replace = REPLACE "replace",
        /// Made one operator of several.
        Fuse = FUSE "fuse",
        /// Made several operators of one.
        Split = SPLIT "split",
        /// Made a further copy.
        Clone = CLONE "clone",
        /// Turned a result into a constant.
        Fold = FOLD "fold",
        /// Kept one of several equal operators.
        Merge = MERGE "merge",
        /// Took an operator out.
        Retire = RETIRE "retire",
        /// Put an operator in that has no original.
        Insert = INSERT "insert",
        /// Moved an operator to another place.
        Move = MOVE "move",
        /// Changed the precision.
        Quantise = QUANTISE "quantise",
        /// Attached measured values.
        Attach = ATTACH "attach",
    }
}

vocabulary! {
    /// Why an original operator is no longer in the file.
    Reason {
        /// Nothing used its result.
        Dead = DEAD "dead",
        /// Its result became a constant.
        Folded = FOLDED "folded",
        /// It changed nothing.
        Identity = IDENTITY "identity",
        /// An equal operator took its place.
        Merged = MERGED "merged",
        /// Another operator does its work.
        Fused = FUSED "fused",
        /// Other operators do its work.
        Replaced = REPLACED "replaced",
        /// Its parts are separate operators.
        Split = SPLIT "split",
        /// It was lost in a tool that keeps no record.
        Foreign = FOREIGN "foreign",
        /// Only its measured values are lost: nothing says how to combine them.
        NotMergeable = NOT_MERGEABLE "not-mergeable",
        /// Nothing tells whether it has left: what became of the operators was not recorded. Since version 1.2.
        Untraced = UNTRACED "untraced",
    }
}

vocabulary! {
    /// How values of a metric combine when operators are merged or split.
    MetricKind {
        /// Values add up, and split by share: time, bytes moved, energy.
        Additive = ADDITIVE "additive",
        /// The largest value holds: peak memory.
        Max = MAX "max",
        /// Neither adds up nor splits: utilisation.
        Ratio = RATIO "ratio",
        /// A text.
        Label = LABEL "label",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_schema_is_a_member_and_back() {
        fn codes<T: Copy + PartialEq + std::fmt::Debug>(
            all: &[T],
            schema_size: usize,
            code: fn(T) -> u8,
            from_code: fn(u8) -> Option<T>,
        ) {
            assert_eq!(all.len(), schema_size);
            for (index, &member) in all.iter().enumerate() {
                assert_eq!(usize::from(code(member)), index);
                assert_eq!(from_code(code(member)), Some(member));
            }
            assert_eq!(from_code(u8::try_from(schema_size).unwrap()), None);
        }
        codes(Format::ALL, schema::Format::ENUM_VALUES.len(), Format::code, Format::from_code);
        codes(Role::ALL, schema::Role::ENUM_VALUES.len(), Role::code, Role::from_code);
        codes(Action::ALL, schema::Action::ENUM_VALUES.len(), Action::code, Action::from_code);
        codes(Reason::ALL, schema::Reason::ENUM_VALUES.len(), Reason::code, Reason::from_code);
        codes(
            MetricKind::ALL,
            schema::MetricKind::ENUM_VALUES.len(),
            MetricKind::code,
            MetricKind::from_code,
        );
    }

    #[test]
    fn roles_have_the_names_of_the_contract() {
        let names: Vec<_> = Role::ALL.iter().map(|role| role.name()).collect();
        assert_eq!(
            names.join(", "),
            "primary, absorbed, replaced, cloned, recomputed, duplicate, folded-const, quantised, helper, \
             inferred, unknown"
        );
        assert!(names.iter().all(|name| Role::from_name(name).is_some()));
    }
}
