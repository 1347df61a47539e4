// Plots on the canvas: axes, blocks, lines, outlines.

const canvas = byName("canvas");
const pen = canvas.getContext("2d");
const FONT = '"DejaVu Sans", Verdana, sans-serif';
const AXIS = 84, HEAD = 40, FOOT = 38, RIGHT = 14, LEAST_PLOT = 48;
const view = { width: 1, height: 1 };
let panels = [], hiddenPanels = 0;

const figuresCache = new Map();
// The ticks asked for as a segment counts them, or null.
const rangeIn = (seg) => state.range && state.range.map((tick) => seg.exact.of(tick - seg.base));
const figures = (seg) => {
  const key = state.range ? state.range.join(" ") : "";
  let found = figuresCache.get(seg);
  if (!found || found.key !== key) { found = { key, value: figuresOf(seg, rangeIn(seg)) }; figuresCache.set(seg, found); }
  return found.value;
};

// Where an address axis begins: 0, but where blocks would have less than a fifth of it, a round address below them.
const lowestOf = (seg) => {
  let low = Infinity;
  for (let k = 0; k < seg.n; k++) if (seg.low[k] < low) low = seg.low[k];
  for (const [offset] of seg.wraps.values()) if (offset < low) low = offset;
  for (const space of seg.spaces) if (space.offset < low) low = space.offset;
  return low;
};
const baseOf = (low, most) => {
  const span = Math.max(1, most - low);
  if (!(low < Infinity) || Math.floor(low / 4) < span) return 0;
  const step = 2 ** Math.floor(Math.log2(Math.max(1, Math.floor(span / 8))));
  return Math.floor(low / step) * step;
};

// Panels of the present choice, with axes: segments that count in one unit share that of time, compared ones that of
// addresses. Operators of two plans are not one time: a fused model has fewer.
const makePanels = () => {
  const list = [];
  const axes = new Map();
  const add = (plan, seg, y) => {
    const number = FILE.plans.indexOf(plan);
    const key = `${seg.unit} ${seg.base} ${state.compare && isStretch(seg.unit) ? number : ""}`;
    const f = figures(seg);
    if (!axes.has(key)) axes.set(key, { low: 0, high: 1, least: Infinity, most: -Infinity });
    const x = axes.get(key);
    if (Number.isFinite(f.first)) { x.least = Math.min(x.least, f.first); x.most = Math.max(x.most, f.end); }
    const peak = Number(f.peak);
    x.wide = x.wide || seg.exact.wide;
    y.wide = y.wide || seg.exact.wide;
    y.most = Math.max(y.most, peak, seg.size !== null && seg.size <= 2 * peak ? seg.size : 0);
    y.lowest = Math.min(y.lowest, lowestOf(seg));
    list.push({ plan, seg, x, y, number: list.length });
  };
  const fresh = () => ({ low: 0, high: 1, most: 1, lowest: Infinity, base: 0 });
  if (state.compare && FILE.plans.length === 2) {
    for (const [before, after] of pairSegments(...FILE.plans)) {
      const y = fresh();
      if (before) add(FILE.plans[0], before, y);
      if (after) add(FILE.plans[1], after, y);
    }
  } else for (const plan of FILE.plans) for (const seg of plan.segments) add(plan, seg, fresh());
  for (const x of axes.values()) {
    // An axis on which nothing lives is not drawn.
    x.none = x.least > x.most && !state.range;
    if (x.least > x.most) { x.least = 0; x.most = 1; }
    if (x.least <= (x.most - x.least) / 4) x.least = 0;
  }
  for (const { y, seg } of list) seg.floor = y.base = baseOf(y.lowest, y.most);
  // Ticks of a segment's own count; segments of one axis have one base.
  if (state.range) for (const { x, seg } of list) [x.least, x.most] = state.range.map((tick) => Number(tick - seg.base));
  panels = list;
  wholeView();
};
const wholeView = () => {
  for (const { x, y } of panels) { x.low = x.least; x.high = Math.max(x.most, x.least + 1); y.low = y.base; y.high = y.base + (y.most - y.base) * 1.06; }
  redraw();
};

const chosenPanels = () => (state.choice === "all" ? panels : panels.filter((panel) => String(panel.number) === state.choice));

// Where each plot lies.
const arrange = () => {
  const chosen = chosenPanels();
  const most = Math.max(1, Math.floor((view.height - 6) / (HEAD + FOOT + LEAST_PLOT)));
  const shown = chosen.slice(0, most);
  hiddenPanels = chosen.length - shown.length;
  const each = (view.height - 6) / Math.max(1, shown.length);
  shown.forEach((panel, at) => {
    panel.rect = { x: AXIS, y: Math.round(at * each + HEAD), w: Math.max(40, Math.floor(view.width - AXIS - RIGHT)), h: Math.max(20, Math.floor(each - HEAD - FOOT)) };
  });
  return shown;
};

const px = (panel, tick) => panel.rect.x + (tick - panel.x.low) / (panel.x.high - panel.x.low) * panel.rect.w;
const py = (panel, address) => panel.rect.y + panel.rect.h - (address - panel.y.low) / (panel.y.high - panel.y.low) * panel.rect.h;

const drawSpaces = (panel) => {
  const { seg } = panel;
  let left = 1500;
  const wide = new Path2D(), narrow = new Path2D();
  for (const space of seg.spaces) {
    const x = px(panel, space.from), w = px(panel, space.till) - x, y = py(panel, space.offset + space.size), h = py(panel, space.offset) - y;
    if (w < 4 || h < 4 || x > view.width || x + w < 0 || y > view.height || y + h < 0 || left-- <= 0) continue;
    (w >= 12 && h >= 12 ? wide : narrow).rect(x, y, w, h);
  }
  pen.strokeStyle = skin().text;
  pen.lineWidth = 1.3;
  pen.setLineDash([4, 2.5]);
  pen.stroke(wide);
  pen.setLineDash([]);
  pen.lineWidth = 0.8;
  pen.globalAlpha = 0.6;
  pen.stroke(narrow);
  pen.globalAlpha = 1;
};

// Brackets that join the two pieces of a wrapped block.
const drawJoins = (panel) => {
  const { seg } = panel, s = skin();
  let left = 800;
  for (const [k, [offset, size]] of seg.wraps) {
    const x = px(panel, seg.from[k]) + 3, end = px(panel, seg.till[k]);
    if (end - x < 3 || end < panel.rect.x || x > panel.rect.x + panel.rect.w || left-- <= 0) continue;
    const a = py(panel, seg.low[k] + seg.first[k] / 2), b = py(panel, offset + size / 2);
    for (const [width, colour] of [[3, s.background], [1.2, s.text]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      pen.moveTo(x, a);
      pen.bezierCurveTo(x - 12, a, x - 12, b, x, b);
      pen.stroke();
    }
    pen.fillStyle = s.text;
    for (const y of [a, b]) { pen.beginPath(); pen.arc(x, y, 2, 0, 7); pen.fill(); }
  }
};

// An address on the axis; where that begins far above 0, by how much it lies above the beginning.
const addressLabel = ({ y }, at, step) => {
  if (!y.base || at < y.base) return addressText(at, step, y.high);
  return at === y.base ? fitLine(`0x${BigInt(at).toString(16)}`, AXIS - 12, 11) : `+${addressText(at - y.base, step, y.high - y.base)}`;
};

// Round places along the axes. Of a plot in which nothing lies there are no addresses to tell, though of a compared one there
// may be, and no ticks where nothing lives.
const addressPlaces = (panel) => (figures(panel.seg).peakTick === null && panel.y.most <= 1 ? { ticks: [], step: 1 } : addressTicks(panel.y.low, panel.y.high, Math.min(12, panel.rect.h / 34), panel.y.base));
const timePlaces = (panel, most) => (panel.x.none ? [] : timeTicks(panel.x.low, panel.x.high, most));
// Where the middle of a label stands that is to be read to its end.
const withinView = (label, middle) => Math.min(middle, view.width - 4 - textWidth(label, 11) * 0.56);
const drawAxes = (panel) => {
  const { rect, seg } = panel, s = skin(), f = figures(seg);
  pen.strokeStyle = s.line;
  pen.fillStyle = s.text;
  pen.lineWidth = 1;
  pen.font = `11px ${FONT}`;
  pen.textAlign = "right";
  const nothing = f.peakTick === null ? neverAlive(seg) : "", { ticks, step } = addressPlaces(panel);
  for (const at of ticks) {
    const y = py(panel, at);
    pen.globalAlpha = 0.35;
    pen.beginPath();
    pen.moveTo(rect.x - 4, y);
    pen.lineTo(rect.x, y);
    pen.stroke();
    pen.globalAlpha = 1;
    // The line of figures lies above the plot.
    if (y > rect.y + 6) pen.fillText(addressLabel(panel, at, step), rect.x - 8, y + 4);
  }
  pen.textAlign = "center";
  const span = panel.x.high - panel.x.low;
  const widest = textWidth(tickText(seg, Math.ceil(panel.x.high), span), 11) + 26;
  const perTick = rect.w / span, times = timePlaces(panel, Math.max(1, rect.w / Math.max(64, widest)));
  const apart = times.length > 1 ? Number(times[1] - times[0]) * perTick : rect.w;
  for (const at of times) {
    const x = px(panel, Number(at)), middle = isStretch(seg.unit) ? x + perTick / 2 : x;
    pen.beginPath();
    pen.moveTo(x, rect.y + rect.h);
    pen.lineTo(x, rect.y + rect.h + 4);
    pen.stroke();
    if (middle > rect.x + rect.w) continue;
    const name = perTick >= 48 ? tickName(seg, at) : "";
    // What stands beside the plot is not written over.
    const beside = 2 * Math.min(middle - rect.x + 8, rect.x + rect.w - middle + 8);
    const label = name ? fitLine(`${tickText(seg, at, span)} ${visible(name)}`, Math.min(apart - 6, beside), 11) : tickText(seg, at, span);
    pen.fillText(label, withinView(label, middle), rect.y + rect.h + 16);
  }
  pen.fillStyle = s.faint;
  if (nothing) { pen.font = `13px ${FONT}`; pen.fillText(nothing, rect.x + rect.w / 2, rect.y + rect.h / 2 + 5); pen.font = `11px ${FONT}`; }
  if (!panel.x.none) pen.fillText(TIME_CAPTIONS[seg.unit], rect.x + rect.w / 2, rect.y + rect.h + 31);
  pen.save();
  pen.translate(12, rect.y + rect.h / 2);
  pen.rotate(-Math.PI / 2);
  if (rect.h > 90 && ticks.length > 0) pen.fillText("address", 0, 0);
  pen.restore();
  pen.strokeStyle = s.border;
  pen.strokeRect(rect.x - 0.5, rect.y - 0.5, rect.w + 1, rect.h + 1);
  pen.textAlign = "left";
  pen.fillStyle = s.text;
  pen.font = `bold 12.5px ${FONT}`;
  const title = FILE.plans.length > 1 ? `${shorten(panel.plan.title, 60)} · ${shorten(seg.name, 60)}` : shorten(seg.name, 80);
  pen.fillText(fitLine(title || "memory", rect.w + 60, 12.5, true), 24, rect.y - 22);
  pen.font = `11px ${FONT}`;
  pen.fillText(fitFigures(seg, f, rect.w + 60), 24, rect.y - 7);
};

// The last picture of a panel's blocks, made when it is first stretched.
const keepPicture = (panel, width, height) => {
  if (panel.last.kept) return;
  if (!panel.bitmap) panel.bitmap = document.createElement("canvas");
  if (panel.bitmap.width !== width || panel.bitmap.height !== height) { panel.bitmap.width = width; panel.bitmap.height = height; }
  panel.bitmap.getContext("2d").putImageData(panel.image, 0, 0);
  panel.last.kept = true;
};

// A view that changes quickly is shown as the last picture of its blocks, moved and stretched, and drawn anew a moment
// later; one that does not change, as when the pointer moves, is not drawn anew at all.
const QUICK = 10, FRESH = 120, REST = 70;
let resting = 0;
const drawBlocks = (panel, left, top, width, height, exact) => {
  const now = performance.now(), { x, y } = panel;
  const key = [width, height, makePalette(), state.emphasis, x.low, x.high, y.low, y.high], last = panel.last;
  const like = (count) => last && key.slice(0, count).every((value, k) => value === last.key[k]);
  if (like(key.length)) {
    pen.putImageData(panel.image, left, top);
    return last.large.map((item) => ({ ...item }));
  }
  if (!exact && like(4) && last.cost > QUICK && now - last.at < FRESH) {
    const [x0, x1, y0, y1] = last.key.slice(4), wide = (x1 - x0) / (x.high - x.low), high = (y1 - y0) / (y.high - y.low);
    const dx = (x0 - x.low) / (x.high - x.low) * width, dy = (y.high - y1) / (y.high - y.low) * height;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    pen.fillStyle = skin().terminal;
    pen.fillRect(left, top, width, height);
    pen.imageSmoothingEnabled = false;
    keepPicture(panel, width, height);
    pen.drawImage(panel.bitmap, left + dx, top + dy, width * wide, height * high);
    pen.restore();
    clearTimeout(resting);
    resting = setTimeout(() => draw(true), REST);
    return last.large.map((item) => ({ ...item, x: item.x * wide + dx, y: item.y * high + dy, w: item.w * wide, h: item.h * high }));
  }
  const large = rasterise(panel, width, height);
  pen.putImageData(panel.image, left, top);
  const cost = performance.now() - now;
  panel.last = { key, cost, large, at: performance.now(), kept: false };
  return large.map((item) => ({ ...item }));
};

// `exact` draws everything anew.
const draw = (exact = false) => {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  const ratio = canvas.width / view.width, s = skin();
  pen.fillStyle = s.background;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.direction = "ltr";
  for (const panel of arrange()) {
    const { rect } = panel;
    // Blocks are drawn in device pixels, everything else in those of the page.
    const width = Math.round(rect.w * ratio), height = Math.round(rect.h * ratio);
    const large = drawBlocks(panel, Math.round(rect.x * ratio), Math.round(rect.y * ratio), width, height, exact);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (ratio !== 1) for (const item of large) { item.x /= ratio; item.y /= ratio; item.w /= ratio; item.h /= ratio; }
    pen.save();
    pen.beginPath();
    pen.rect(rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2);
    pen.clip();
    drawSpaces(panel);
    const lines = linesOf(panel);
    drawLines(panel, lines);
    if (state.names) drawNames(panel, large, lines);
    drawJoins(panel);
    drawMarks(panel);
    drawRelatives(panel);
    if (state.hover && state.hover.panel === panel) outlines(panel, state.hover.k, accent(), 2.5);
    if (state.pin && state.pin.panel === panel) outlines(panel, state.pin.k, accent(), 4);
    drawLabels(panel, lines);
    pen.restore();
    drawAxes(panel);
    pen.setTransform(1, 0, 0, 1, 0, 0);
  }
  if (hiddenPanels > 0) {
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = s.text;
    pen.textAlign = "right";
    pen.font = `11px ${FONT}`;
    pen.fillText(`${hiddenPanels} more: choose a segment above`, view.width - RIGHT, view.height - 4);
  }
  drawStrip();
};

let pending = 0;
const redraw = () => { if (!pending) pending = requestAnimationFrame(() => { pending = 0; draw(); }); };
