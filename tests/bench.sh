#!/usr/bin/env bash
# Measures speed and size of the drivers and prints them beside the figures they are to reach:
#   tests/bench.sh [PART]...     parts: corpus many runs heavy beyond plans forms pictures; all by default
#
# Models are made in a temporary folder, which takes up to 5 GiB. With CIRCLE_LINEAGE_CORPUS naming a folder that
# holds models/circle/tico_raw, real models are measured too. cp and md5sum of this machine are the yardstick.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release --locked -p circle-cli --bins --example bench
plans=testdata/plans
[ -z "${CIRCLE_LINEAGE_CORPUS:-}" ] || plans=$CIRCLE_LINEAGE_CORPUS/plans
parts=("$@")
[ $# -gt 0 ] || parts=(corpus many runs heavy beyond plans forms pictures)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for part in "${parts[@]}"; do
  case $part in
    # Planners beside those of others, on the kept problems and on those of the corpus.
    plans) cargo run --release --locked -q -p circle-plan --example plans -- "$plans" ;;
    # Memory data of 100,000 blocks: read, checked, written.
    forms) cargo run --release --locked -q -p circle-memory --example forms ;;
    # Memory plans: made-up ones, and a log of Eclipse Aidge of a vision transformer (100 ms as HTML, 500 ms as PNG).
    pictures)
      cargo run --release --locked -q -p circle-visual --example memory_bench
      cargo run --release --locked -q -p circle-visual --example memory_bench -- \
        testdata/memory/aidge/vit_s_raw_single_wrap_OptimizeMaxLifetimeMaxSizeFirst.txt ;;
    *) "${CARGO_TARGET_DIR:-target}/release/examples/bench" "$folder" "$part" ;;
  esac
done
