#!/usr/bin/env bash
# Tries pages made by circle-visual in headless Chromium.
#   tests/browser/run.sh                            makes the pages with the crate's example and tries them
#   tests/browser/run.sh PAGE.html [SHOTS]          opens one page of any scene, checks it, leaves screenshots in SHOTS
# Installs Chromium (Debian) and playwright-core (npm, pinned by package-lock.json) where they are missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

if ! command -v chromium >/dev/null; then
  apt-get update -qq && apt-get install -y -qq chromium >/dev/null
fi
if [ ! -d "$here/node_modules/playwright-core" ]; then
  # The home folder may be read-only, and npm is silent about that.
  cache=$(mktemp -d)
  (cd "$here" && npm ci --silent --no-audit --no-fund --cache "$cache")
  rm -rf "$cache"
fi

if [ $# -ge 1 ]; then
  exec node "$here/viewer.mjs" page "$@"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
demo() { (cd "$root" && cargo run -q -p circle-visual --example graph -- "$@"); }
demo 313 "$work/usual.html"
demo hostile "$work/hostile.html"
demo "$root/tests/browser/subgraphs.json" "$work/subgraphs.html"
demo 100000 "$work/large.html"
node "$here/viewer.mjs" suite "$work"

plan() { (cd "$root" && cargo run -q -p circle-visual --example memory -- "$@"); }
mkdir "$work/memory"
plan small -o "$work/memory/small.html"
plan 600 -o "$work/memory/usual.html"
plan 400 300 --compare -o "$work/memory/compare.html"
plan hostile -o "$work/memory/hostile.html"
plan "$root/tests/browser/wide.json" -o "$work/memory/wide.html"
plan "$root/tests/browser/spaces.json" -o "$work/memory/spaces.html"
plan "$root/tests/browser/beyond.json" -o "$work/memory/beyond.html"
plan "$root/tests/browser/device.json" -o "$work/memory/device.html"
for count in 10000 100000; do plan $count -o "$work/memory/$count.html"; done
# Pages of faulty plans, beside what the driver finds in them.
visualizer() { (cd "$root" && cargo run -q -p circle-cli --bin one-visualizer -- "$@"); }
cp "$here/faults.json" "$work/memory/"
node "$here/faults.mjs" "$work/memory"
for name in faults crowded stacked; do
  visualizer -q "$work/memory/$name.json" -o "$work/memory/$name.html"
  # The code says that there are faults.
  visualizer --check --format json "$work/memory/$name.json" -o "$work/memory/$name.found" && exit 1
done
# Ticks at which nothing is alive.
cat >"$work/memory/gap.json" <<'END'
{"format": "memory-allocation", "schema_version": 1, "tick": {"unit": "cycle"}, "segments": [{"name": "SRAM", "blocks": [
  {"name": "a", "offset": 0, "size": 64, "alive_from": 0, "alive_till": 5},
  {"name": "b", "offset": 0, "size": 64, "alive_from": 20, "alive_till": 28}]}]}
END
visualizer -q "$work/memory/gap.json" --cycles 8..15 -o "$work/memory/gap.html"
# Plans that are opened in a page: those, and many made by chance.
node "$here/plans.mjs" "$work/memory/opened"
cp "$here"/{beyond,device,faults,spaces,wide}.json "$work"/memory/{crowded,stacked}.json "$work/memory/opened/"
visualizer --check --format json "$work"/memory/opened/*.json -o "$work/memory/opened.found" && exit 1
node "$here/memory.mjs" "$work/memory"
