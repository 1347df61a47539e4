// The page's data and everything that is derived from it without drawing.

const DATA = JSON.parse(document.getElementById("data").textContent);
const text = (index) => (index < 0 ? "" : DATA.strings[index]);

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
