#!/usr/bin/env bash
# Compares models before and after passes on LiteRT and onert, judges the claims of operators by what LiteRT computes,
# follows lineage through files that flatbuffers' own object API has written anew, and compares models with and without
# memory plans on TensorFlow Lite Micro. Makes its own Python environment from the pinned list. circle-execution-plan and
# circle-profile must lie beside circle2circle.
#
# Usage: run.sh CIRCLE2CIRCLE [MODEL...]   (without models: those of testdata/, and the corpus if
#                                           CIRCLE_LINEAGE_CORPUS names its folder, and the examples of passes)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tool=$(realpath "$1")
shift
target=${CARGO_TARGET_DIR:-$root/target}
stamp=$(sha256sum "$here/requirements.txt" | cut -c1-16)
venv=$target/numeric-venv-$stamp
if [ ! -e "$venv/complete" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
  touch "$venv/complete"
fi
if [ $# -eq 0 ]; then
  # Not every pass finds its pattern in a real model; each finds it in its own example.
  examples=$target/pass-examples
  rm -rf "$examples"
  (cd "$root" && cargo run --quiet --locked -p circle-cli --example pass_examples "$examples")
  mapfile -t models < <(find "$examples" "$root/testdata/models" -name '*.circle' -o -name '*.tflite' | sort)
  if [ -n "${CIRCLE_LINEAGE_CORPUS:-}" ]; then
    mapfile -t corpus < <(find "$CIRCLE_LINEAGE_CORPUS/models/circle" "$CIRCLE_LINEAGE_CORPUS/models/tflite" \
      \( -name '*.circle' -o -name '*.tflite' \) -not -path '*/hostile/*' | sort)
    models+=("${corpus[@]}")
  fi
  set -- "${models[@]}"
fi
"$venv/bin/python" "$here/check.py" "$tool" "$@"
(cd "$root" && cargo build --quiet --locked --release -p circle-passes --example judge)
"$venv/bin/python" "$here/truth.py" "$tool" "$target/release/examples/judge" "$@"
"$venv/bin/python" "$here/rewrite.py" "$tool" "$@"
exec "$venv/bin/python" "$here/plan.py" "$(dirname "$tool")/circle-execution-plan" "$@"
