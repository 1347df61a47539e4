// Choices, search, files, start.

const TABS = ["details", "alive", "compare"];
const showTab = (name) => {
  for (const tab of TABS) {
    byName(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    byName(`pane-${tab}`).hidden = tab !== name;
  }
  if (name === "alive") alivePane();
  if (name === "compare") comparePane();
};
const openTab = () => TABS.find((tab) => !byName(`pane-${tab}`).hidden);
const refresh = () => { const tab = openTab(); if (tab === "details") details(); else showTab(tab); };
const problem = (error) => {
  const box = byName("problem");
  box.hidden = !error;
  box.textContent = error ? visible(error.message || error) : "";
};

const details = () => byName("pane-details").replaceChildren(state.pin ? blockDetails(state.pin.panel, state.pin.k) : overview());

const hover = (panel, k, place) => {
  const same = state.hover ? k >= 0 && state.hover.panel === panel && state.hover.k === k : k < 0;
  if (!same) {
    state.hover = k < 0 ? null : { panel, k, flags: originsOf(panel.seg, k).length ? relatives(panel.seg, k) : null };
    redraw();
  }
  canvas.classList.toggle("over", k >= 0);
  showCard(panel, k, place);
};

// Keeps a block in the panel beside, its layer emphasised; `move` brings it into sight.
const pin = (found, move) => {
  state.pin = found;
  if (found) {
    state.tickPanel = found.panel.number;
    if (!arrange().includes(found.panel)) chooseSegment(String(found.panel.number));
    if (move) showBlock(found.panel, found.k);
  }
  emphasise();
  details();
  if (found) byName("pane-details").scrollTop = 0;
  showTab("details");
  redraw();
};
const emphasise = () => {
  state.emphasis = state.search ? hits(state.search) : state.pin ? relatives(state.pin.panel.seg, state.pin.k) : null;
};

const hits = (needle) => {
  const flags = new Map();
  for (const { seg } of panels) {
    const layer = seg.plan.originNames.map((name) => name.toLowerCase().includes(needle));
    const text = seg.texts.all().map((value) => value.toLowerCase().includes(needle));
    const marked = new Uint8Array(seg.n);
    let count = 0;
    for (let k = 0; k < seg.n; k++) {
      let hit = text[seg.name_of[k]] || needle === `#${seg.at[k]}` || [seg.tensor, seg.writer, seg.ident].some((column) => column && column[k] >= 0 && text[column[k]]);
      for (let o = seg.originStart[k]; o < seg.originStart[k + 1] && !hit; o++) hit = seg.origins[o] >= 0 && layer[seg.origins[o]];
      if (hit) { marked[k] = 1; count++; }
    }
    flags.set(seg, { marked, count });
  }
  return flags;
};
const search = (value) => {
  const field = byName("search");
  if (field.value !== value) field.value = value;
  state.search = value.trim().toLowerCase();
  emphasise();
  redraw();
  if (!state.search) { details(); return; }
  const pane = el("div", { id: "search-results" }, el("h2", { textContent: `Search: ${shorten(value, 60)}` }));
  for (const panel of panels) {
    const { marked, count } = state.emphasis.get(panel.seg);
    pane.append(el("h3", { textContent: `${grouped(count)} block${count === 1 ? "" : "s"} in ${panels.length > 1 && FILE.plans.length > 1 ? `${shorten(panel.plan.title, 40)} · ` : ""}${shorten(panel.seg.name, 40) || "memory"}` }));
    const items = el("ul", { className: "plain" });
    let left = 100;
    for (let k = 0; k < panel.seg.n && left > 0; k++) if (marked[k]) { items.append(el("li", {}, patch(panel.seg, k), blockLink(panel, k))); left--; }
    if (count > 100) items.append(el("li", { className: "quiet", textContent: "the first 100 are listed" }));
    pane.append(items);
  }
  byName("pane-details").replaceChildren(pane);
  showTab("details");
};

const chooseTick = (panel, tick) => {
  state.tickPanel = panel.number;
  const { seg, x } = panel, { of, one, wide, till } = seg.exact, range = rangeIn(seg);
  // Ends of a wide axis are rounded.
  const most = range ? range[1] : wide ? till.reduce((latest, end) => (end > latest ? end : latest), one) : x.most;
  state.tick = within(of(tick), range ? range[0] : of(x.least), most - one);
  showTab("alive");
  redraw();
};
const chooseSegment = (choice) => {
  state.choice = choice;
  byName("segment").value = choice;
  if (choice !== "all") state.tickPanel = Number(choice);
  state.tick = null;
  legend();
  refresh();
  redraw();
};
const setTheme = (theme) => {
  state.theme = theme;
  document.documentElement.dataset.theme = theme;
  byName("theme").textContent = theme === "dark" ? "Light" : "Dark";
  if (panels.length) { legend(); refresh(); }
  redraw();
};
const setColour = (colour) => {
  state.colour = colour;
  byName("colour").value = colour;
  legend();
  refresh();
  redraw();
};

// Makes everything anew for what is loaded, or for other ticks.
const rebuild = () => {
  figuresCache.clear();
  Object.assign(state, { hover: null, pin: null, search: "", tick: null, tickPanel: 0, emphasis: null, choice: "all" });
  byName("search").value = "";
  byName("card").hidden = true;
  makePanels();
  const choice = byName("segment");
  choice.replaceChildren(el("option", { value: "all", textContent: `all (${grouped(panels.length)})` }),
    ...panels.map((panel) => el("option", { value: String(panel.number), textContent: `${FILE.plans.length > 1 ? `${shorten(panel.plan.title, 24)} · ` : ""}${shorten(panel.seg.name, 30) || "memory"} (${grouped(panel.seg.n)})` })));
  choice.parentElement.hidden = panels.length < 2;
  byName("beside").parentElement.hidden = FILE.plans.length !== 2;
  byName("beside").checked = state.compare;
  byName("tab-compare").hidden = FILE.plans.length !== 2;
  const title = FILE.plans.map((plan) => shorten(plan.title, 60) || "memory plan").join(" and ");
  byName("title").textContent = title;
  byName("title").title = FILE.plans.map((plan) => visible(plan.title)).join(" and ");
  legend();
  details();
  showTab(state.compare && FILE.plans.length === 2 ? "compare" : "details");
  redraw();
};
// The ticks asked for, or null; what is no range is said.
const rangeOf = () => {
  const [from, till] = ["from", "till"].map((name) => byName(name).value.trim());
  if (!from && !till) return null;
  if (![from, till].every((text) => /^\d*$/.test(text))) throw new Error("ticks are whole numbers");
  const range = [BigInt(from || 0), till ? BigInt(till) : 1n << 64n];
  if (!(range[0] < range[1])) throw new Error(`there is no tick from ${range[0]} to before ${range[1]}`);
  return range;
};
const applyRange = () => {
  try {
    const range = rangeOf();
    problem(null);
    // The last tick of all.
    const end = FILE.plans.flatMap((plan) => plan.segments).reduce((most, { exact, base }) => {
      const last = base + BigInt(exact.till.reduce((latest, tick) => (tick > latest ? tick : latest), exact.zero));
      return last > most ? last : most;
    }, 1n);
    // Behind the end there is nothing, which is shown over the ticks that were asked for.
    state.range = range && [range[0], range[0] < end ? (range[1] < end ? range[1] : end) : byName("till").value.trim() ? range[1] : range[0] + 1n];
    rebuild();
  } catch (error) { problem(error); }
};

// Files of the form: one is shown, two are compared. Only the ticks asked for are looked at.
const openFiles = async (files) => {
  try {
    const range = rangeOf();
    const plans = [];
    for (const file of Array.from(files).slice(0, 2)) plans.push(readForm(file.name, await file.text(), range));
    if (!plans.length) return;
    FILE = regroup(plans);
    state.compare = plans.length === 2;
    problem(null);
    applyRange();
  } catch (error) { problem(error); }
};

const listen = () => {
  byName("segment").addEventListener("change", () => chooseSegment(byName("segment").value));
  byName("colour").addEventListener("change", () => setColour(byName("colour").value));
  byName("beside").addEventListener("change", () => { state.compare = byName("beside").checked; rebuild(); });
  byName("fit").addEventListener("click", wholeView);
  byName("theme").addEventListener("click", () => setTheme(state.theme === "dark" ? "light" : "dark"));
  byName("save").addEventListener("click", saveView);
  byName("open").addEventListener("click", () => byName("file").click());
  byName("file").addEventListener("change", () => openFiles(byName("file").files));
  for (const name of ["from", "till"]) byName(name).addEventListener("change", applyRange);
  for (const tab of TABS) byName(`tab-${tab}`).addEventListener("click", () => { if (tab === "details") details(); showTab(tab); });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => { event.preventDefault(); if (event.dataTransfer.files.length) openFiles(event.dataTransfer.files); });
  const field = byName("search");
  let waiting = 0;
  field.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => search(field.value), 120); });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(waiting);
    search(field.value);
    const first = document.querySelector("#search-results .block-link");
    if (first) first.click();
  });
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
  return dark.matches;
};

const timing = { parsed: 0, ready: 0 };
const start = () => {
  const began = performance.now();
  DATA = JSON.parse(document.getElementById("data").textContent);
  timing.parsed = performance.now() - began;
  const opened = performance.now();
  if (DATA === null || typeof DATA !== "object") throw new Error("the data in this page is not that of a memory plan");
  KINDS = DATA.kinds || [];
  FILE = decode(DATA);
  const dark = listen();
  Object.assign(state, { colour: DATA.start.colour, names: DATA.start.names, compare: DATA.start.compare && FILE.plans.length === 2 });
  byName("colour").value = state.colour;
  setTheme(dark || DATA.start.dark ? "dark" : "light");
  resize();
  if (DATA.start.ticks) { byName("from").value = DATA.start.ticks[0]; byName("till").value = DATA.start.ticks[1]; applyRange(); } else rebuild();
  draw();
  timing.ready = performance.now() - opened;
};
try { start(); } catch (error) { problem(new Error(`This page cannot be shown: ${error.message}`)); }

// What a test may ask: copies of the state, where a block is on the screen, the time of one frame.
window.circleLineage = Object.freeze({
  timing: () => ({ ...timing }),
  state: () => ({ theme: state.theme, colour: state.colour, compare: state.compare, choice: state.choice, search: state.search, tick: state.tick,
    pin: state.pin && { panel: state.pin.panel.number, block: state.pin.panel.seg.at[state.pin.k] }, hover: state.hover && { panel: state.hover.panel.number, block: state.hover.panel.seg.at[state.hover.k] },
    emphasised: state.emphasis && panels.map(({ seg }) => state.emphasis.get(seg).count), problem: byName("problem").textContent,
    panels: panels.map(({ seg, x, y, rect }) => ({ name: seg.name, blocks: seg.n, x: [x.low, x.high], y: [y.low, y.high], rect })) }),
  figures: () => panels.map(({ seg }) => { const f = figures(seg); return { peak: f.peak, peakTick: f.peakTick, bound: f.bound, gaps: f.gaps, rest: f.rest, told: seg.told }; }),
  // What is wrong: of the files, then of each segment, with the places of its blocks.
  faults: () => FILE.plans.flatMap((plan) => [
    ...plan.marks.map(([message, count, odd]) => ({ warning: odd, segment: null, message, count, least: false, blocks: [] })),
    ...plan.segments.flatMap((seg, segment) => [
      ...seg.marks.map(([one, message, other = -1, count = 1, rest = [], least = false]) => ({ warning: false, segment, message, count, least, blocks: [one, other, ...rest].filter((entry) => entry >= 0).map((entry) => seg.at[entry]).sort((a, b) => a - b) })),
      ...seg.warnings.map(([message, count]) => ({ warning: true, segment, message, count, least: false, blocks: [] })),
    ]),
  ]),
  onScreen: (number, tick, address) => { const { left, top } = canvas.getBoundingClientRect(); return [left + px(panels[number], tick), top + py(panels[number], address)]; },
  blockOnScreen: (number, block) => {
    const panel = panels[number], { seg } = panel, k = Array.prototype.indexOf.call(seg.at, block), { left, top } = canvas.getBoundingClientRect();
    return [left + px(panel, (seg.from[k] + seg.till[k]) / 2), top + py(panel, seg.low[k] + seg.first[k] / 2)];
  },
  svg: () => viewAsSvg(),
  // Milliseconds of drawing a frame, its pixels included: reading one back waits for all. `exact` draws all blocks anew.
  frame: (exact = false) => { const began = performance.now(); draw(exact); pen.getImageData(0, 0, 1, 1); return performance.now() - began; },
});
