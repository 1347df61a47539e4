//! Names of the metadata entries that this project interprets.

/// ONE: source id to name.
pub const ONE_SOURCE_TABLE: &str = "ONE_source_table";
/// ONE: operator index to source ids.
pub const ONE_OP_TABLE: &str = "ONE_op_table";
/// Digest and name of the origin file, as `md5sum` prints it.
pub const ORIGIN_ID: &str = "circle_origin_id";
/// The whole lineage.
pub const LINEAGE: &str = "circle_lineage";

/// Whether entry `name` is one of these.
pub fn is_own(name: &str) -> bool {
    [ONE_SOURCE_TABLE, ONE_OP_TABLE, ORIGIN_ID, LINEAGE].contains(&name)
}
