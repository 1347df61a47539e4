// Moving about: wheel, pointers, keys.

const LEAST = 0.002, MOST = 6;

const resize = () => {
  const ratio = window.devicePixelRatio || 1;
  const { width, height } = canvas.parentElement.getBoundingClientRect();
  view.width = Math.max(1, width);
  view.height = Math.max(1, height);
  canvas.width = Math.round(view.width * ratio);
  canvas.height = Math.round(view.height * ratio);
  redraw();
};

const zoomAt = (factor, x, y) => {
  const scale = Math.max(LEAST, Math.min(MOST, view.scale * factor));
  const by = scale / view.scale;
  view.x = x - (x - view.x) * by;
  view.y = y - (y - view.y) * by;
  view.scale = scale;
  redraw();
};

const fit = () => {
  const { graph } = sceneOf(state.graph);
  const scale = Math.min((view.width - 40) / Math.max(1, graph.width), (view.height - 40) / Math.max(1, graph.height), 1.4);
  view.scale = Math.max(LEAST, scale);
  view.x = (view.width - graph.width * view.scale) / 2;
  view.y = Math.max(20, (view.height - graph.height * view.scale) / 2);
  redraw();
};

// Brings a box to the middle, at a scale at which it can be read.
const centre = (box) => {
  const { boxes } = sceneOf(state.graph), k = box * 4;
  view.scale = Math.max(view.scale, 0.8);
  view.x = view.width / 2 - (boxes[k] + boxes[k + 2] / 2) * view.scale;
  view.y = view.height / 2 - (boxes[k + 1] + boxes[k + 3] / 2) * view.scale;
  redraw();
};

const placeOf = (event) => {
  const { left, top } = canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
};
const boxUnder = ([x, y]) => boxAt(sceneOf(state.graph), (x - view.x) / view.scale, (y - view.y) / view.scale);

canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const amount = event.deltaY * (event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 300 : 1);
  zoomAt(Math.exp(-Math.max(-400, Math.min(400, amount)) * 0.0016), ...placeOf(event));
}, { passive: false });

const pointers = new Map();
let moved = 0;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, placeOf(event));
  moved = 0;
});
canvas.addEventListener("pointermove", (event) => {
  const place = placeOf(event);
  const before = pointers.get(event.pointerId);
  if (!before) { hover(boxUnder(place), place); return; }
  if (pointers.size === 1) {
    moved += Math.abs(place[0] - before[0]) + Math.abs(place[1] - before[1]);
    if (moved > 4) {
      canvas.classList.add("dragging");
      hover(-1);
      view.x += place[0] - before[0];
      view.y += place[1] - before[1];
      redraw();
    }
  } else {
    // Two fingers: their distance zooms, their middle moves.
    const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
    const distance = (a, b) => Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1]));
    view.x += (place[0] - before[0]) / 2;
    view.y += (place[1] - before[1]) / 2;
    zoomAt(distance(place, other) / distance(before, other), (place[0] + other[0]) / 2, (place[1] + other[1]) / 2);
    moved += 10;
  }
  pointers.set(event.pointerId, place);
});
const release = (event) => {
  const clicked = event.type === "pointerup" && pointers.size === 1 && moved <= 4;
  pointers.delete(event.pointerId);
  canvas.classList.remove("dragging");
  if (!clicked) return;
  const box = boxUnder(placeOf(event));
  if (box < 0) choose(null);
  else if (box < sceneOf(state.graph).low) choose({ kind: "op", graph: state.graph, node: box }, false);
};
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("pointerleave", () => hover(-1));

document.addEventListener("keydown", (event) => {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (event.key === "Escape") {
    search("");
    choose(null);
    canvas.focus();
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const middle = [view.width / 2, view.height / 2];
  const step = 80;
  const actions = {
    "+": () => zoomAt(1.25, ...middle), "=": () => zoomAt(1.25, ...middle), "-": () => zoomAt(0.8, ...middle), 0: fit,
    ArrowLeft: () => { view.x += step; redraw(); }, ArrowRight: () => { view.x -= step; redraw(); },
    ArrowUp: () => { view.y += step; redraw(); }, ArrowDown: () => { view.y -= step; redraw(); },
    "/": () => document.getElementById("search").focus(),
  };
  const scrolls = event.key.startsWith("Arrow") && event.target.closest(".pane, nav");
  if (Object.hasOwn(actions, event.key) && !scrolls) { event.preventDefault(); actions[event.key](); }
});
window.addEventListener("resize", resize);
