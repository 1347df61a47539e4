// State, address, search, start.

const TABS = ["details", "originals", "operators"];
const showTab = (name) => {
  for (const tab of TABS) {
    byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    byId(`pane-${tab}`).hidden = tab !== name;
  }
  if (name === "originals") originalsPane();
  if (name === "operators") operatorsPane();
};

const hover = (box, place) => {
  if (box !== state.hover) { state.hover = box; redraw(); }
  canvas.classList.toggle("over", box >= 0);
  showCard(box, place);
};

const showGraph = (g) => {
  if (g === state.graph) return;
  state.graph = g;
  state.hover = -1;
  byId("graph").value = String(g);
  if (state.chosen && state.chosen.kind === "op" && state.chosen.graph !== g) state.chosen = null;
  mark();
  fit();
  if (!byId("pane-operators").hidden) operatorsPane();
};

// What is outlined: the search's hits, or the operators of the chosen original.
const mark = () => {
  state.marked = null;
  if (state.search) {
    const needle = state.search;
    const { graph } = sceneOf(state.graph);
    state.marked = [];
    for (let node = 0; node < graph.operator.length; node++) if (matches(graph, node, needle)) state.marked.push(node);
  } else if (state.chosen && state.chosen.kind === "source") {
    state.marked = (operatorsOf.get(state.chosen.id) || []).filter(([g]) => g === state.graph).map(([, node]) => node);
  }
  redraw();
};

const addressOf = (chosen) => {
  if (!chosen) return "";
  if (chosen.kind === "source") return `#source=${chosen.id}`;
  const graph = DATA.graphs[chosen.graph];
  return `#op=${graph.index}.${graph.operator[chosen.node]}`;
};

// Shows an operator or an original in the panel; `move` brings it into sight.
const choose = (chosen, move = true) => {
  state.chosen = chosen;
  if (chosen && chosen.kind === "op") showGraph(chosen.graph);
  if (chosen && chosen.kind === "source") {
    const carriers = operatorsOf.get(chosen.id) || [];
    const here = carriers.find(([g]) => g === state.graph) || carriers[0];
    if (here) { showGraph(here[0]); if (move) centre(here[1]); }
  }
  state.chosen = chosen;
  if (chosen && chosen.kind === "op" && move) centre(chosen.node);
  byId("pane-details").replaceChildren(!chosen ? overviewDetails() : chosen.kind === "op" ? operatorDetails(chosen.graph, chosen.node) : sourceDetails(chosen.id));
  byId("pane-details").scrollTop = 0;
  showTab("details");
  mark();
  const address = addressOf(chosen);
  if (location.hash !== address && (address || location.hash)) history.pushState(null, "", address || location.pathname + location.search);
};

const followAddress = () => {
  const [, kind, rest] = /^#(op|source)=([\d.]+)$/.exec(location.hash) || [];
  if (kind === "source" && sourceAt.has(Number(rest))) choose({ kind, id: Number(rest) });
  else if (kind === "op") {
    const [index, operator] = rest.split(".").map(Number);
    const g = graphAt.get(index);
    const node = g === undefined ? undefined : nodeOf[g].get(operator);
    if (node !== undefined) choose({ kind, graph: g, node });
  } else choose(null);
};

const matches = (graph, node, needle) => {
  if (needle.startsWith("#")) return String(graph.operator[node]) === needle.slice(1);
  if (String(graph.operator[node]) === needle || text(graph.name_of[node]).toLowerCase().includes(needle) || text(graph.opcode[node]).toLowerCase().includes(needle)) return true;
  const origins = graph.origins[node];
  for (let k = 0; k < origins.length; k += 4) {
    const source = DATA.sources[sourceAt.get(origins[k])];
    if (String(origins[k]) === needle || (source && text(source[1]).toLowerCase().includes(needle))) return true;
  }
  return false;
};

// Hits among operators of all graphs and among originals.
const search = (value) => {
  const field = byId("search");
  if (field.value !== value) field.value = value;
  state.search = value.trim().toLowerCase();
  mark();
  if (!state.search) { if (byId("search-results")) choose(state.chosen, false); return; }
  const operators = [], originals = [];
  DATA.graphs.forEach((graph, g) => {
    for (let node = 0; node < graph.operator.length; node++) if (matches(graph, node, state.search)) operators.push([g, node]);
  });
  for (const [id, name, , , , opcode] of DATA.sources) {
    if (String(id) === state.search || text(name).toLowerCase().includes(state.search) || text(opcode).toLowerCase().includes(state.search)) originals.push(id);
  }
  const part = (title, hits, link) => [el("h3", { textContent: `${grouped(hits.length)} ${title}` }),
    el("ul", { className: "plain" }, ...hits.slice(0, PAGE).map((hit) => el("li", {}, link(hit)))),
    hits.length > PAGE ? el("p", { className: "quiet", textContent: `the first ${PAGE} are listed` }) : null];
  byId("pane-details").replaceChildren(el("div", { id: "search-results" }, el("h2", { textContent: `Search: ${shorten(value, 60)}` }),
    ...part("operators", operators, (hit) => opLink(...hit)).filter(Boolean), ...part("originals", originals, sourceLink).filter(Boolean)));
  showTab("details");
};

const setTheme = (theme) => {
  state.theme = theme;
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
  legend();
  redraw();
};

const setColour = (metric) => {
  state.colour = metric;
  for (const scene of scenes.values()) scene.texts.clear();
  byId("colour").value = String(metric);
  legend();
  if (!byId("pane-operators").hidden) operatorsPane();
  redraw();
};

const start = () => {
  byId("title").textContent = shorten(DATA.title, 120);
  const graphs = byId("graph");
  DATA.graphs.forEach((graph, g) => graphs.append(el("option", { value: String(g), textContent: `${graph.index} ${shorten(graph.name, 40)} (${grouped(graph.operator.length)})` })));
  graphs.parentElement.hidden = DATA.graphs.length < 2;
  graphs.addEventListener("change", () => showGraph(Number(graphs.value)));
  const colours = byId("colour");
  DATA.metrics.forEach((metric, m) => { if (metric.operators) colours.append(el("option", { value: String(m), textContent: `cost: ${shorten(metric.name, 30)}${metric.unit ? ` (${shorten(metric.unit, 12)})` : ""}` })); });
  colours.append(el("option", { value: "-1", textContent: "origin group" }));
  colours.addEventListener("change", () => setColour(Number(colours.value)));
  byId("fit").addEventListener("click", fit);
  byId("theme").addEventListener("click", () => setTheme(state.theme === "dark" ? "light" : "dark"));
  for (const tab of TABS) byId(`tab-${tab}`).addEventListener("click", () => showTab(tab));
  const field = byId("search");
  let waiting = 0;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => search(field.value), 120); });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(waiting);
    search(field.value);
    const first = document.querySelector("#search-results .link");
    if (first) first.click();
  });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
  state.theme = dark.matches || DATA.start.dark ? "dark" : "light";
  setTheme(state.theme);
  if (DATA.graphs.length) {
    resize();
    setColour(state.colour);
    fit();
    followAddress();
  } else byId("pane-details").replaceChildren(overviewDetails());
  window.addEventListener("hashchange", followAddress);
  window.addEventListener("popstate", followAddress);
};
start();

// What a test may ask: a copy of the state, where a box is on the screen, the time of one frame.
window.circleLineage = Object.freeze({
  state: () => ({ ...state, chosen: state.chosen && { ...state.chosen }, marked: state.marked && state.marked.length, scale: view.scale, x: view.x, y: view.y }),
  boxOnScreen: (node) => {
    const { boxes } = sceneOf(state.graph), { left, top } = canvas.getBoundingClientRect(), k = node * 4;
    return [left + view.x + (boxes[k] + boxes[k + 2] / 2) * view.scale, top + view.y + (boxes[k + 1] + boxes[k + 3] / 2) * view.scale];
  },
  // Milliseconds of drawing a frame, its pixels included: reading one back waits for all.
  frame: () => { const began = performance.now(); draw(); pen.getImageData(0, 0, 1, 1); return performance.now() - began; },
});
