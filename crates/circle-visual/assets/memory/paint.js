// State of the page, and what colours mean.

const byName = (name) => document.getElementById(name);
let DATA = null, KINDS = [], FILE = { plans: [], groups: [], layered: false };
const state = {
  theme: "light", colour: "origin", names: true, choice: "all", compare: false, range: null,
  hover: null, pin: null, search: "", tick: null, tickPanel: 0, emphasis: null,
};
const skin = () => DATA.skins[state.theme];

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const packed = ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r;
const blend = (a, b, part) => a.map((v, k) => Math.round(v + (b[k] - v) * part));
const luminance = (hex) => rgb(hex).map((v) => v / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
// Black or white, whichever has more contrast.
const ink = (hex) => { const l = luminance(hex); return (l + 0.05) / 0.05 >= 1.05 / (l + 0.05) ? "#000000" : "#ffffff"; };

// Classes of the present colouring: label, colour, whether hatched; and the class of a block.
let palette = { key: "", classes: [], of: () => 0, fill: null, edge: null, pale: null, ink: [] };
const sizeClass = (value) => Math.floor(Math.log2(Math.max(1, value)));
const makePalette = () => {
  const key = `${state.theme} ${state.colour}`;
  if (palette.key === key && palette.file === FILE) return palette;
  const s = skin(), categories = DATA.categories[state.theme], ramp = DATA.ramps[state.theme];
  let classes, of;
  if (state.colour === "kind") {
    classes = KINDS.map((label, k) => ({ label, colour: categories[k], hatched: false })).concat({ label: KIND_UNKNOWN, colour: s.blank, hatched: true });
    of = (seg, k) => { const kind = kindOf(seg, k); return kind < 0 ? KINDS.length : kind; };
  } else if (state.colour === "size") {
    let low = Infinity, high = 0;
    for (const plan of FILE.plans) for (const seg of plan.segments) for (let k = 0; k < seg.n; k++) { low = Math.min(low, seg.bytes[k]); high = Math.max(high, seg.bytes[k]); }
    low = sizeClass(Number.isFinite(low) ? low : 1);
    high = sizeClass(high);
    classes = [];
    for (let power = low; power <= high; power++) {
      const step = Math.ceil((power - low + 1) / (high - low + 1) * ramp.length) - 1;
      classes.push({ label: `${bytes(2 ** power)} and more`, colour: ramp[step], hatched: false });
    }
    of = (seg, k) => sizeClass(seg.bytes[k]) - low;
  } else {
    classes = FILE.groups.map(({ label, hatched }, k) => ({ label, colour: hatched ? s.blank : categories[k % categories.length], hatched }));
    of = (seg, k) => seg.group[k];
  }
  const ground = rgb(s.terminal), line = rgb(s.border);
  const colours = classes.map(({ colour, hatched }) => rgb(hatched ? s.hatch : colour));
  palette = {
    key, file: FILE, classes, of,
    fill: Int32Array.from(colours, packed),
    edge: Int32Array.from(colours, (c) => packed(blend(c, line, 0.55))),
    pale: Int32Array.from(colours, (c) => packed(blend(c, ground, 0.78))),
    rgb: colours, ink: classes.map(({ colour, hatched }) => ink(hatched ? s.hatch : colour)),
  };
  return palette;
};

// Class of every block of a segment.
const classesOf = (seg) => {
  const colours = makePalette();
  if (seg.classes && seg.classes.of === colours) return seg.classes.list;
  const list = new Uint16Array(seg.n);
  for (let k = 0; k < seg.n; k++) list[k] = colours.of(seg, k);
  seg.classes = { of: colours, list };
  return list;
};

// What is emphasised: hits of the search, or the blocks that share an origin (or all but the name) with the pinned one.
const relatives = (seg, k) => {
  const flags = new Map();
  const origins = new Set(originsOf(seg, k).map((origin) => originName(seg.plan, origin)));
  const name = blockName(seg, k);
  for (const plan of FILE.plans) {
    const wanted = new Set(), listed = new Map();
    plan.originNames.forEach((text, at) => { if (origins.has(text)) wanted.add(at); });
    for (const text of origins) if (/^origin \d+$/.test(text)) listed.set(-1 - Number(text.slice(7)), true);
    for (const other of plan.segments) {
      const marked = new Uint8Array(other.n);
      let count = 0;
      for (let b = 0; b < other.n; b++) {
        let hit = false;
        if (origins.size) { for (let o = other.originStart[b]; o < other.originStart[b + 1] && !hit; o++) hit = wanted.has(other.origins[o]) || listed.has(other.origins[o]); }
        else hit = blockName(other, b) === name;
        if (hit) { marked[b] = 1; count++; }
      }
      flags.set(other, { marked, count });
    }
  }
  return flags;
};
