// The page's data and everything that is derived from it without drawing.

const DATA = JSON.parse(document.getElementById("data").textContent);
const text = (index) => (index < 0 ? "" : DATA.strings[index]);

// Characters that are invisible or turn the direction of their neighbours are written out, as in the static pictures.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/gu;
const visible = (value) => String(value).replace(HIDDEN, (c) => {
  const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" }[c];
  return known || `\\u{${c.codePointAt(0).toString(16)}}`;
});

// At most `most` characters, cut in the middle.
const shorten = (value, most) => {
  const short = value.length > 4 * most ? value.slice(0, 2 * most) + value.slice(-2 * most) : value;
  const all = [...visible(short)];
  if (all.length <= most && short === value) return all.join("");
  const tail = (most - 1) >> 1;
  return all.slice(0, most - 1 - tail).join("") + "…" + all.slice(all.length - tail).join("");
};

const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u00a0").replace("-", "−");

const STEPS = {
  ns: [["s", 1e9], ["ms", 1e6], ["µs", 1e3]],
  us: [["s", 1e6], ["ms", 1e3]], "µs": [["s", 1e6], ["ms", 1e3]],
  ms: [["s", 1e3]],
  bytes: [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]], B: [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]],
};
// A value in a unit that fits its size, to three digits; small ones exactly.
const quantity = (value, unit) => {
  const number = Number(value);
  for (const [name, size] of Object.hasOwn(STEPS, unit) ? STEPS[unit] : []) {
    if (Math.abs(number) >= size) {
      const scaled = number / size;
      return `${scaled.toFixed(Math.abs(scaled) < 10 ? 2 : Math.abs(scaled) < 100 ? 1 : 0)} ${name}`;
    }
  }
  return unit ? `${grouped(value)} ${shorten(unit, 12)}` : grouped(value);
};
const exact = (value, unit) => (unit ? `${grouped(value)} ${shorten(unit, 40)}` : grouped(value));

// Where each original's operators are: id -> [[graph, node], ...].
const operatorsOf = new Map();
DATA.graphs.forEach((graph, g) => graph.origins.forEach((origins, node) => {
  for (let k = 0; k < origins.length; k += 4) {
    let list = operatorsOf.get(origins[k]);
    if (!list) operatorsOf.set(origins[k], (list = []));
    const last = list[list.length - 1];
    if (!last || last[0] !== g || last[1] !== node) list.push([g, node]);
  }
}));
const sourceAt = new Map(DATA.sources.map((source, position) => [source[0], position]));
const retiredOf = new Map();
for (const [id, reason, by] of DATA.retired) {
  if (!retiredOf.has(id)) retiredOf.set(id, []);
  retiredOf.get(id).push([reason, by]);
}
const nodeOf = DATA.graphs.map((graph) => new Map(graph.operator.map((operator, node) => [operator, node])));
const graphAt = new Map(DATA.graphs.map((graph, g) => [graph.index, g]));

// Values of a metric in a graph: number, string beyond exact numbers, {t: text}, or undefined.
const valueOf = (graph, node, metric) => {
  const values = graph.metrics[node];
  for (let k = 0; k < values.length; k += 2) if (values[k] === metric) return values[k + 1];
  return undefined;
};
const isText = (value) => typeof value === "object" && value !== null;

const originList = (graph, node) => {
  const flat = graph.origins[node];
  const list = [];
  for (let k = 0; k < flat.length; k += 4) {
    list.push({ id: flat[k], role: text(flat[k + 1]), part: flat[k + 3] ? [flat[k + 2], flat[k + 3]] : null });
  }
  return list;
};
const isUnknown = (graph, node) => graph.unknown[node] >= 0 || graph.origins[node].length === 0;
const isHelper = (graph, node) => {
  const origins = originList(graph, node);
  return origins.length > 0 && origins.every((origin) => origin.role === "helper");
};

// The line at the foot of an operator's box.
const originLine = (graph, node) => {
  if (isUnknown(graph, node)) return `#${graph.operator[node]} ? unknown`;
  const origins = originList(graph, node);
  const shown = origins.slice(0, 4).map(({ id, part }) => (part && part[1] > 1 ? `${id} (${part[0]}/${part[1]})` : `${id}`));
  const more = origins.length > 4 ? ` and ${origins.length - 4} more` : "";
  return `#${graph.operator[node]} ${isHelper(graph, node) ? "helper of " : "← "}${shown.join("+")}${more}`;
};
