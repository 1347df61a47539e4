// The panels beside the graph.

const PAGE = 100;

const opLabel = (g, node) => {
  const graph = DATA.graphs[g];
  const place = DATA.graphs.length > 1 ? `${graph.index}.${graph.operator[node]}` : `#${graph.operator[node]}`;
  return `${place} ${shorten(text(graph.opcode[node]), 40)} ${shorten(text(graph.name_of[node]), 60)}`;
};
const opLink = (g, node) => el("button", { className: "link op-link", textContent: opLabel(g, node), click: () => choose({ kind: "op", graph: g, node }) });
const sourceLabel = (id) => {
  const source = DATA.sources[sourceAt.get(id)];
  return source ? `${id} ${source[5] >= 0 ? shorten(text(source[5]), 30) + " " : ""}${shorten(text(source[1]), 60)}` : `${id} (not listed)`;
};
const sourceLink = (id) => el("button", { className: "link source-link", textContent: sourceLabel(id), click: () => choose({ kind: "source", id }) });

const entry = (list, name, ...value) => list.append(el("dt", { textContent: name }), el("dd", {}, ...value));

const metricRows = (list, graph, node) => {
  const values = graph.metrics[node];
  for (let k = 0; k < values.length; k += 2) {
    const { name, unit } = DATA.metrics[values[k]];
    const value = values[k + 1];
    const shown = isText(value) ? visible(text(value.t)) : `${exact(value, unit)}${quantity(value, unit) === exact(value, unit) ? "" : ` = ${quantity(value, unit)}`}`;
    entry(list, shorten(name, 60), shown);
  }
};

const operatorDetails = (g, node) => {
  const graph = DATA.graphs[g];
  const pane = el("div", { id: "op-details" });
  pane.append(el("h2", { textContent: shorten(text(graph.opcode[node]), 200) }));
  const list = el("dl");
  entry(list, "operator", `${graph.operator[node]} of subgraph ${graph.index}`);
  entry(list, "name", visible(text(graph.name_of[node])));
  if (graph.output[node] >= 0 && text(graph.output[node])) entry(list, "output", visible(text(graph.output[node])));
  if (text(graph.attributes[node])) entry(list, "options", visible(text(graph.attributes[node])));
  metricRows(list, graph, node);
  pane.append(list);
  if (isUnknown(graph, node)) {
    const reason = graph.unknown[node] >= 0 ? visible(text(graph.unknown[node])) : "no origin is recorded";
    pane.append(el("p", { className: "warn", textContent: `unknown: ${reason}` }));
  }
  const origins = originList(graph, node);
  if (origins.length) {
    pane.append(el("h3", { textContent: `Stands for ${origins.length === 1 ? "one original" : `${grouped(origins.length)} originals`}` }));
    const items = el("ul", { className: "plain origins" });
    for (const { id, role, part } of origins.slice(0, 500)) {
      const parts = part ? `, part ${part[0]} of ${part[1]}` : "";
      items.append(el("li", {}, sourceLink(id), el("span", { className: "quiet", textContent: ` ${shorten(role, 80)}${parts}` })));
    }
    if (origins.length > 500) items.append(el("li", { textContent: `and ${grouped(origins.length - 500)} more` }));
    pane.append(items);
  }
  pane.append(el("h3", { textContent: "Passes, oldest first" }));
  const history = DATA.histories[graph.history[node]] || [];
  pane.append(history.length
    ? el("ol", { className: "history" }, ...history.map((pass) => el("li", { textContent: visible(text(pass)) })))
    : el("p", { className: "quiet", textContent: "none: as in the file that was read" }));
  return pane;
};

const sourceDetails = (id) => {
  const pane = el("div", { id: "source-details" });
  const source = DATA.sources[sourceAt.get(id)];
  pane.append(el("h2", { textContent: `Original ${id}` }));
  const list = el("dl");
  if (source) {
    const [, name, file, subgraph, operator, opcode] = source;
    entry(list, "name", visible(text(name)));
    if (opcode >= 0) entry(list, "kind", visible(text(opcode)));
    if (operator >= 0) entry(list, "place", `operator ${operator}${subgraph >= 0 ? ` of subgraph ${subgraph}` : ""}`);
    if (file >= 0) {
      entry(list, "file", visible(DATA.files[file].name));
      if (DATA.files[file].md5) entry(list, "md5", visible(DATA.files[file].md5));
    }
  } else {
    entry(list, "name", "not listed in the source table");
  }
  pane.append(list);
  for (const [reason, by] of retiredOf.get(id) || []) {
    pane.append(el("p", { className: "warn retired", textContent: `retired: ${visible(text(reason))}, by ${visible(text(by))}` }));
  }
  const carriers = operatorsOf.get(id) || [];
  pane.append(el("h3", { textContent: carriers.length === 1 ? "One operator stands for it" : `${grouped(carriers.length)} operators stand for it` }));
  if (carriers.length) {
    const items = el("ul", { className: "plain carriers" });
    for (const [g, node] of carriers.slice(0, 500)) {
      const claim = originList(DATA.graphs[g], node).find((origin) => origin.id === id);
      const part = claim.part ? `, part ${claim.part[0]} of ${claim.part[1]}` : "";
      items.append(el("li", {}, opLink(g, node), el("span", { className: "quiet", textContent: ` ${shorten(claim.role, 80)}${part}` })));
    }
    if (carriers.length > 500) items.append(el("li", { textContent: `and ${grouped(carriers.length - 500)} more` }));
    pane.append(items);
  }
  return pane;
};

const overviewDetails = () => {
  const pane = el("div", { id: "overview-details" });
  pane.append(el("h2", { textContent: visible(DATA.title) }));
  for (const notice of DATA.notices) pane.append(el("p", { className: "warn", textContent: visible(notice) }));
  const list = el("dl");
  let total = 0, unknown = 0, helpers = 0;
  for (const graph of DATA.graphs) {
    total += graph.operator.length;
    for (let node = 0; node < graph.operator.length; node++) { unknown += isUnknown(graph, node); helpers += isHelper(graph, node); }
  }
  entry(list, "operators", grouped(total));
  entry(list, "helpers", grouped(helpers));
  entry(list, "unknown", grouped(unknown));
  entry(list, "originals", `${grouped(DATA.sources.length)}, ${grouped(DATA.retired.length)} retired`);
  for (const metric of DATA.metrics) {
    if (metric.operators === 0) continue;
    const word = metric.kind === "additive" ? `sum ${exact(metric.sum, metric.unit)}` : `largest ${exact(metric.high, metric.unit)}`;
    entry(list, shorten(metric.name, 60), `${word}, ${grouped(metric.operators)} operators`);
  }
  pane.append(list);
  if (DATA.files.length) pane.append(el("h3", { textContent: "Files that the lineage starts from" }));
  for (const file of DATA.files) {
    const files = el("dl");
    entry(files, "file", visible(file.name));
    if (file.md5) entry(files, "md5", visible(file.md5));
    pane.append(files);
  }
  return pane;
};

// The small card at the pointer.
const showCard = (box, place) => {
  const card = byId("card");
  card.hidden = box < 0;
  if (box < 0) return;
  const scene = sceneOf(state.graph), { graph } = scene;
  card.replaceChildren();
  if (box >= scene.low) {
    const [name, label] = graph.inputs.concat(graph.outputs)[box - scene.low].map(text);
    card.append(el("b", { textContent: `graph ${boxName(scene, box)}` }), el("div", { textContent: `${shorten(name, 200)} ${shorten(label, 80)}` }));
  } else {
    card.append(el("b", { textContent: `#${graph.operator[box]} ${shorten(text(graph.opcode[box]), 80)}` }));
    card.append(el("div", { textContent: shorten(text(graph.name_of[box]), 200) }));
    const list = el("dl");
    if (text(graph.output[box])) entry(list, "output", shorten(text(graph.output[box]), 120));
    metricRows(list, graph, box);
    for (const { id, role, part } of originList(graph, box).slice(0, 8)) {
      entry(list, shorten(role, 24), `${sourceLabel(id)}${part ? ` (${part[0]}/${part[1]})` : ""}`);
    }
    if (isUnknown(graph, box)) entry(list, "unknown", graph.unknown[box] >= 0 ? shorten(text(graph.unknown[box]), 200) : "no origin is recorded");
    const history = DATA.histories[graph.history[box]] || [];
    if (history.length) entry(list, "passes", history.slice(0, 8).map((pass) => shorten(text(pass), 60)).join(" → "));
    card.append(list);
  }
  const width = Math.min(380, view.width - 20);
  card.style.left = `${Math.max(6, Math.min(place[0] + 16, view.width - width))}px`;
  card.style.top = `${Math.max(6, Math.min(place[1] + 16, view.height - card.offsetHeight - 8))}px`;
};

// A list in pages: `rows` is an array, `show` makes the element of one.
const paged = (holder, rows, show, page = 0) => {
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const turn = (to) => paged(holder, rows, show, to);
  const bar = el("div", { className: "row" },
    el("button", { textContent: "‹", title: "previous page", disabled: page === 0, click: () => turn(page - 1) }),
    el("span", { textContent: `${grouped(rows.length)} in ${grouped(pages)} page${pages === 1 ? "" : "s"}, page ${grouped(page + 1)}` }),
    el("button", { textContent: "›", title: "next page", disabled: page + 1 >= pages, click: () => turn(page + 1) }));
  holder.replaceChildren(bar, show(rows.slice(page * PAGE, (page + 1) * PAGE)));
};

const originalsPane = () => {
  const pane = byId("pane-originals");
  const only = el("input", { type: "checkbox", id: "only-retired" });
  const wanted = el("input", { type: "search", placeholder: "name, kind or id", "aria-label": "Filter originals", autocomplete: "off" });
  const holder = el("div", { id: "originals" });
  const fill = () => {
    const needle = wanted.value.trim().toLowerCase();
    const rows = DATA.sources.filter(([id, name, , , , opcode]) => (!only.checked || retiredOf.has(id))
      && (!needle || String(id) === needle || text(name).toLowerCase().includes(needle) || text(opcode).toLowerCase().includes(needle)));
    paged(holder, rows, (part) => el("table", {}, el("thead", {}, el("tr", {}, el("th", { textContent: "original" }), el("th", { textContent: "now" }))),
      el("tbody", {}, ...part.map(([id]) => {
        const carriers = operatorsOf.get(id) || [];
        const retired = retiredOf.get(id);
        const now = carriers.length === 1 ? opLink(...carriers[0]) : carriers.length ? `${grouped(carriers.length)} operators` : retired ? `retired: ${shorten(text(retired[0][0]), 30)}` : "no operator";
        return el("tr", { className: state.chosen && state.chosen.kind === "source" && state.chosen.id === id ? "chosen" : "" }, el("td", {}, sourceLink(id)), el("td", {}, now));
      }))));
  };
  wanted.addEventListener("input", fill);
  only.addEventListener("change", fill);
  pane.replaceChildren(el("div", { className: "row" }, wanted, el("label", {}, only, " retired only")), holder);
  fill();
};

const operatorsPane = () => {
  const pane = byId("pane-operators");
  const graph = DATA.graphs[state.graph];
  const metric = state.colour >= 0 ? state.colour : DATA.start.shown;
  const order = el("input", { type: "checkbox", id: "by-cost", disabled: metric < 0 });
  const holder = el("div", { id: "operators" });
  const fill = () => {
    const rows = graph.operator.map((_, node) => node);
    const cost = (node) => { const value = valueOf(graph, node, metric); return value === undefined || isText(value) ? -Infinity : Number(value); };
    if (order.checked) { const costs = rows.map(cost); rows.sort((a, b) => (costs[a] === costs[b] ? a - b : costs[a] < costs[b] ? 1 : -1)); }
    const head = ["operator", metric >= 0 ? shorten(DATA.metrics[metric].name, 20) : "", "originals"];
    paged(holder, rows, (part) => el("table", {}, el("caption", { className: "quiet", textContent: `operators of subgraph ${graph.index}` }),
      el("thead", {}, el("tr", {}, ...head.map((name, k) => el("th", { textContent: name, className: k === 1 ? "number" : "", scope: "col" })))),
      el("tbody", {}, ...part.map((node) => {
        const value = metric >= 0 ? valueOf(graph, node, metric) : undefined;
        const shown = value === undefined ? "" : isText(value) ? shorten(text(value.t), 20) : quantity(value, DATA.metrics[metric].unit);
        return el("tr", {}, el("td", {}, opLink(state.graph, node)), el("td", { className: "number", textContent: shown }),
          el("td", { textContent: originLine(graph, node).replace(/^#\d+ /, "") }));
      }))));
  };
  order.addEventListener("change", fill);
  pane.replaceChildren(el("div", { className: "row" }, el("label", {}, order, " costly first")), holder);
  fill();
};

const legend = () => {
  const box = byId("legend");
  box.replaceChildren();
  if (state.colour >= 0) {
    const metric = DATA.metrics[state.colour];
    const sum = metric.kind === "additive" ? `, sum ${exact(metric.sum, metric.unit)}` : "";
    box.append(el("div", {}, el("b", { textContent: shorten(metric.name, 40), title: visible(metric.name) }), `${sum} over ${grouped(metric.operators)} operators`));
    const bar = el("canvas", { width: 300, height: 12 });
    const brush = bar.getContext("2d"), ramp = DATA.ramps[state.theme];
    for (let x = 0; x < 300; x++) { brush.fillStyle = ramp[Math.floor(x * ramp.length / 300)]; brush.fillRect(x, 0, 1, 12); }
    const base = Math.min(0, Number(metric.low)), span = Number(metric.high) - base;
    const ticks = [0, 1, 2, 3, 4].map((k) => base + span * (base < 0 ? k / 4 : k * k / 16));
    box.append(bar, el("div", { className: "ticks" }, ...ticks.map((value) => el("span", { textContent: quantity(Math.round(value), metric.unit) }))));
  } else {
    box.append(el("b", { textContent: "Colour: the originals that an operator stands for" }), el("div", { textContent: "equal sets share a colour, neighbours differ" }));
  }
  box.append(el("div", { className: "quiet", textContent: "dotted and striped: unknown origin · dashed: helper added by a pass" }));
};
