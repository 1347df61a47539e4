#!/usr/bin/env bash
# Measures speed and size of the drivers and prints them beside the figures they are to reach:
#   tests/bench.sh [PART]...     parts: corpus many runs heavy beyond; all by default
#
# Models are made in a temporary folder, which takes up to 5 GiB. With CIRCLE_LINEAGE_CORPUS naming a folder that
# holds models/circle/tico_raw, real models are measured too. cp and md5sum of this machine are the yardstick.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked -p circle-cli --bins --example bench
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"${CARGO_TARGET_DIR:-target}/release/examples/bench" "$folder" "$@"
