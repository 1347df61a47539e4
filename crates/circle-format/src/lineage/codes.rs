//! The vocabularies of the blob and of the graph, which are the same words in two crates that do not know each other.

use circle_ir::lineage::annotation::MetricKind;
use circle_ir::lineage::claims::Role;
use circle_ir::lineage::history::Action;
use circle_ir::lineage::ledger::Reason;
use circle_ir::lineage::origin::FileFormat;
use circle_metadata::lineage as blob;

/// A pair of functions between two enums whose members have the same names.
macro_rules! same {
    ($to_blob:ident, $from_blob:ident, $ours:ty, $theirs:ty, [$($member:ident),+ $(,)?]) => {
        pub(super) fn $to_blob(value: $ours) -> $theirs {
            match value { $(<$ours>::$member => <$theirs>::$member),+ }
        }
        pub(super) fn $from_blob(value: $theirs) -> $ours {
            match value { $(<$theirs>::$member => <$ours>::$member),+ }
        }
    };
}

same!(
    role_to,
    role_from,
    Role,
    blob::Role,
    [
        Primary,
        Replaced,
        Cloned,
        Recomputed,
        Quantised,
        Absorbed,
        Duplicate,
        FoldedConst,
        Helper,
        Inferred,
        Unknown,
    ]
);
same!(
    action_to,
    action_from,
    Action,
    blob::Action,
    [Import, Replace, Fuse, Split, Clone, Fold, Merge, Retire, Insert, Move, Quantise, Attach,]
);
same!(
    reason_to,
    reason_from,
    Reason,
    blob::Reason,
    [Dead, Folded, Identity, Merged, Fused, Replaced, Split, Foreign, NotMergeable, Untraced,]
);
same!(kind_to, kind_from, MetricKind, blob::MetricKind, [Additive, Max, Ratio, Label]);
same!(format_to, format_from, FileFormat, blob::Format, [Circle, Tflite, Onnx, Other]);
