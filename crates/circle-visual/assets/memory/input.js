// Moving about: wheel, pointers, keys.

const keepInside = ({ x, y }) => {
  const fit = (axis, least, most, smallest) => {
    const span = Math.max(smallest, Math.min(axis.high - axis.low, most - least));
    const middle = (axis.low + axis.high) / 2;
    axis.low = Math.max(least, Math.min(most - span, middle - span / 2));
    axis.high = axis.low + span;
  };
  // What is rounded where it is drawn is not looked at so closely that this could be seen.
  const closest = (axis, smallest) => (axis.wide ? Math.max(smallest, axis.most * 2 ** -36) : smallest);
  fit(x, x.least, Math.max(x.most, x.least + 1), closest(x, Math.min(2, x.most - x.least || 1)));
  fit(y, 0, y.most * 1.06, closest(y, Math.min(8, y.most)));
};
const panelAt = (place) => chosenPanels().find(({ rect }) => rect && place[1] >= rect.y - HEAD && place[1] <= rect.y + rect.h + FOOT) || null;
const toTick = (panel, x) => panel.x.low + (x - panel.rect.x) / panel.rect.w * (panel.x.high - panel.x.low);
const toAddress = (panel, y) => panel.y.low + (panel.rect.y + panel.rect.h - y) / panel.rect.h * (panel.y.high - panel.y.low);

// Zooms around a place; `across` and `up` say on which axes.
const zoomAt = (panel, factor, place, across, up) => {
  const tick = toTick(panel, place[0]), address = toAddress(panel, place[1]);
  if (across) { panel.x.low = tick - (tick - panel.x.low) / factor; panel.x.high = tick + (panel.x.high - tick) / factor; }
  if (up) { panel.y.low = address - (address - panel.y.low) / factor; panel.y.high = address + (panel.y.high - address) / factor; }
  keepInside(panel);
  redraw();
};
const moveBy = (panel, dx, dy) => {
  const ticks = dx / panel.rect.w * (panel.x.high - panel.x.low), addresses = dy / panel.rect.h * (panel.y.high - panel.y.low);
  panel.x.low -= ticks; panel.x.high -= ticks;
  panel.y.low += addresses; panel.y.high += addresses;
  keepInside(panel);
  redraw();
};
// Brings a block into sight, large enough to be seen.
const showBlock = (panel, k) => {
  const { seg, x, y } = panel;
  const life = Math.max(1, seg.till[k] - seg.from[k]), size = Math.max(1, seg.first[k]);
  const spanX = Math.min(x.high - x.low, life * 12), spanY = Math.min(y.high - y.low, size * 10);
  const middleX = (seg.from[k] + seg.till[k]) / 2, middleY = seg.low[k] + seg.first[k] / 2;
  x.low = middleX - spanX / 2; x.high = middleX + spanX / 2;
  y.low = middleY - spanY / 2; y.high = middleY + spanY / 2;
  keepInside(panel);
  redraw();
};

const placeOf = (event) => { const { left, top } = canvas.getBoundingClientRect(); return [event.clientX - left, event.clientY - top]; };
const blockUnder = (panel, place) => {
  const { rect } = panel;
  if (place[0] < rect.x || place[0] > rect.x + rect.w || place[1] < rect.y || place[1] > rect.y + rect.h) return -1;
  return blockAt(panel, toTick(panel, place[0]), toAddress(panel, place[1]), (panel.x.high - panel.x.low) / rect.w, (panel.y.high - panel.y.low) / rect.h);
};

// The closed space at a place, the last one; null where there is none.
const spaceUnder = (panel, place) => {
  const { rect, seg } = panel;
  if (place[0] < rect.x || place[0] > rect.x + rect.w || place[1] < rect.y || place[1] > rect.y + rect.h) return null;
  const tick = toTick(panel, place[0]), address = toAddress(panel, place[1]);
  const at = seg.spaces.findLastIndex(({ open, from, till, offset, size }) => !open && from <= tick && tick < till && offset <= address && address < offset + size);
  return at < 0 ? null : seg.exact.spaces[at];
};

canvas.addEventListener("wheel", (event) => {
  const place = placeOf(event), panel = panelAt(place);
  if (!panel) return;
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1;
  // Some systems turn the wheel sideways while shift is held.
  const amount = (event.deltaY || event.deltaX) * unit;
  const factor = Math.exp(-Math.max(-400, Math.min(400, amount)) * 0.0016);
  const onAxis = place[0] < panel.rect.x ? "up" : place[1] > panel.rect.y + panel.rect.h ? "across" : "";
  zoomAt(panel, factor, place, !(event.altKey || onAxis === "up"), !(event.shiftKey || onAxis === "across"));
}, { passive: false });

const pointers = new Map();
let moved = 0, dragged = null;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, placeOf(event));
  dragged = panelAt(placeOf(event));
  moved = 0;
});
canvas.addEventListener("pointermove", (event) => {
  const place = placeOf(event), before = pointers.get(event.pointerId);
  if (!before) { const panel = panelAt(place); hover(panel, panel ? blockUnder(panel, place) : -1, place); return; }
  if (!dragged) return;
  if (pointers.size === 1) {
    moved += Math.abs(place[0] - before[0]) + Math.abs(place[1] - before[1]);
    if (moved > 4) {
      canvas.classList.add("dragging");
      hover(null, -1);
      moveBy(dragged, event.altKey ? 0 : place[0] - before[0], event.shiftKey ? 0 : place[1] - before[1]);
    }
  } else {
    // Two fingers: their distance zooms, their middle moves.
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const distance = (a, b) => Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]));
    moveBy(dragged, (place[0] - before[0]) / 2, (place[1] - before[1]) / 2);
    zoomAt(dragged, distance(place, other) / distance(before, other), [(place[0] + other[0]) / 2, (place[1] + other[1]) / 2], true, true);
    moved += 10;
  }
  pointers.set(event.pointerId, place);
});
const release = (event) => {
  const clicked = event.type === "pointerup" && pointers.size === 1 && moved <= 4;
  pointers.delete(event.pointerId);
  canvas.classList.remove("dragging");
  const place = placeOf(event), panel = panelAt(place);
  if (!clicked || !panel) return;
  const k = blockUnder(panel, place);
  // Beside the blocks, and with shift, a click chooses the tick.
  if (k < 0 || event.shiftKey) {
    if (k < 0) pin(null);
    if (place[0] >= panel.rect.x) chooseTick(panel, Math.floor(toTick(panel, place[0])));
  } else pin({ panel, k });
};
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", () => hover(null, -1));

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === "Escape") { search(""); pin(null); canvas.focus(); return; }
  if (typing || event.ctrlKey || event.metaKey) return;
  const panel = stripPanel();
  if (!panel || !panel.rect) return;
  const { rect } = panel, middle = [rect.x + rect.w / 2, rect.y + rect.h / 2], step = 80;
  const zoom = (factor) => zoomAt(panel, factor, middle, !event.altKey, !event.shiftKey || event.key === "+");
  const tickBy = (by) => chooseTick(panel, (state.tick === null ? figures(panel.seg).peakTick || panel.seg.exact.zero : panel.seg.exact.of(state.tick)) + panel.seg.exact.of(by));
  const actions = {
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: wholeView,
    ArrowLeft: () => moveBy(panel, step, 0), ArrowRight: () => moveBy(panel, -step, 0), ArrowUp: () => moveBy(panel, 0, step), ArrowDown: () => moveBy(panel, 0, -step),
    "[": () => tickBy(-1), "]": () => tickBy(1), "/": () => byName("search").focus(),
  };
  const scrolls = event.key.startsWith("Arrow") && event.target.closest && event.target.closest(".pane, nav");
  if (Object.hasOwn(actions, event.key) && !scrolls) { event.preventDefault(); actions[event.key](); }
});

const resize = () => {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const { width, height } = canvas.parentElement.getBoundingClientRect();
  view.width = Math.max(1, width);
  view.height = Math.max(1, height - stripSize.height);
  stripSize.width = view.width;
  for (const [element, h] of [[canvas, view.height], [strip, stripSize.height]]) {
    element.width = Math.round(view.width * ratio);
    element.height = Math.round(h * ratio);
  }
  fitLabels();
  redraw();
};
window.addEventListener("resize", resize);
