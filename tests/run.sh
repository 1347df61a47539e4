#!/usr/bin/env bash
# Runs all tests: formatting, lints, unit, documentation and end-to-end tests, the comparison of models before and
# after passes on LiteRT and onert and with memory plans on TensorFlow Lite Micro, and the pages in a headless browser.
# What is not on the machine (Python packages, a browser) is installed.
#
# With CIRCLE_LINEAGE_CORPUS naming a folder that holds models/ and profiles/, the tests run over that corpus too.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all --check
step "lints"
cargo clippy --workspace --all-targets --locked -- --deny warnings
step "unit and end-to-end tests"
cargo test --workspace --all-targets --locked
if [ -n "${CIRCLE_LINEAGE_CORPUS:-}" ]; then
  step "passes over the corpus: operator counts, checks after each patch"
  cargo test --locked -p circle-passes --test corpus -- --ignored
fi
step "the same as on a small machine far away: nothing but the repository, one thread, a home that cannot be written"
# /proc refuses writing to whoever runs the tests, the superuser too.
env -u CIRCLE_LINEAGE_CORPUS -u DISPLAY -u COLUMNS LC_ALL=C TZ=Pacific/Chatham TERM=dumb RUST_TEST_THREADS=1 HOME=/proc \
  CARGO_HOME="${CARGO_HOME:-$HOME/.cargo}" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" \
  $(command -v taskset >/dev/null && echo taskset --cpu-list "$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')") \
  cargo test --workspace --tests --locked
step "documentation"
cargo test --workspace --doc --locked
RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --lib --no-deps --locked
step "models before and after passes, on LiteRT and onert; planned models on TensorFlow Lite Micro"
cargo build --release --locked -p circle-cli --bins
tests/numeric/run.sh "${CARGO_TARGET_DIR:-target}/release/circle2circle"
step "the page in a browser"
tests/browser/run.sh
printf '\nall tests passed\n'
