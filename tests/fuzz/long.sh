#!/usr/bin/env bash
# Fuzzes every target, guided by coverage, for so many seconds each (60 unless said otherwise), or only the targets
# named behind the seconds. Needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz); where there is only
# a stable one, RUSTC_BOOTSTRAP=1 makes it pass for a nightly.
#
#   tests/fuzz/long.sh 600 model_circle lineage_blob
#
# What is found lies in tests/fuzz/cargo-fuzz/artifacts/<target>. Once mended, an input goes to tests/fuzz/corpus
# under a name that says what it is, and every run of the tests replays it. With CIRCLE_LINEAGE_CORPUS naming a
# corpus, its small models are seeds, too.
set -euo pipefail
cd "$(dirname "$0")/cargo-fuzz"
seconds=${1:-60}
shift || true
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets < <(sed -n 's/^name = "\(.*\)"$/\1/p' Cargo.toml | tail -n +2)
fi
toolchain=+nightly
if [ "${RUSTC_BOOTSTRAP:-}" = 1 ]; then toolchain=+stable; fi
CIRCLE_LINEAGE_FUZZ_SEEDS=$PWD/corpus cargo test --manifest-path ../../../Cargo.toml -p circle-cli --test fuzz \
  -- --exact every_target_has_seeds
failed=0
for target in "${targets[@]}"; do
  printf '\n== %s\n' "$target"
  # Memory of one process, bytes of one input and seconds for one input are bounded as in the run on stable.
  cargo "$toolchain" fuzz run --fuzz-dir . "$target" -- -max_total_time="$seconds" -rss_limit_mb=1024 \
    -malloc_limit_mb=128 -max_len=131072 -timeout=20 -print_final_stats=1 || failed=1
done
exit $failed
