// Drawing on the canvas: only what can be seen, with as much detail as the scale can show.

const canvas = document.getElementById("canvas");
const pen = canvas.getContext("2d");
const FONT = '"DejaVu Sans", Verdana, sans-serif';
const MANY = 6000; // boxes in sight from which on the overview bitmap is shown
const view = { scale: 1, x: 0, y: 0, width: 1, height: 1 };
const state = { graph: 0, colour: DATA.start.metric, theme: "light", hover: -1, chosen: null, marked: null, search: "" };

const skin = () => DATA.skins[state.theme];
const luminance = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
  .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
const inks = new Map();
// Black or white, whichever has more contrast.
const ink = (hex) => {
  if (!inks.has(hex)) { const l = luminance(hex); inks.set(hex, (l + 0.05) / 0.05 >= 1.05 / (l + 0.05) ? "#000000" : "#ffffff"); }
  return inks.get(hex);
};

const rampColour = (value, metric) => {
  const { low, high } = DATA.metrics[metric];
  const base = Math.min(0, Number(low)), span = Number(high) - base;
  const share = span > 0 ? (Number(value) - base) / span : 0;
  const place = base < 0 ? share : Math.sqrt(Math.max(0, share));
  const ramp = DATA.ramps[state.theme];
  return ramp[Math.max(0, Math.min(ramp.length - 1, Math.round(place * (ramp.length - 1))))];
};
const fillOf = (graph, node) => {
  if (state.colour >= 0) {
    const value = valueOf(graph, node, state.colour);
    return value === undefined || isText(value) ? skin().blank : rampColour(value, state.colour);
  }
  const group = graph.group[node];
  return group < 0 ? skin().blank : DATA.categories[state.theme][group];
};

let hatch = { theme: "", pattern: null };
const hatching = () => {
  if (hatch.theme !== state.theme) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const tilePen = tile.getContext("2d");
    tilePen.strokeStyle = skin().hatch;
    tilePen.lineWidth = 2.5;
    for (const shift of [-8, 0, 8]) { tilePen.beginPath(); tilePen.moveTo(shift, 8); tilePen.lineTo(shift + 8, 0); tilePen.stroke(); }
    hatch = { theme: state.theme, pattern: pen.createPattern(tile, "repeat") };
  }
  return hatch.pattern;
};

// Text cut in the middle to a width at the current font.
const fitted = (value, room) => {
  let most = Math.max(2, Math.floor(room / 2));
  let shown = shorten(value, most);
  if (pen.measureText(shown).width <= room) return shown;
  let low = 1, high = [...shown].length;
  while (high - low > 1) {
    most = (low + high) >> 1;
    if (pen.measureText(shorten(shown, most)).width <= room) low = most; else high = most;
  }
  return shorten(shown, low);
};

// The lines of a box, computed when it is first drawn with text.
const lines = (scene, box) => {
  let found = scene.texts.get(box);
  if (found) return found;
  const graph = scene.graph, room = scene.boxes[box * 4 + 2] - 16;
  const font = (size, bold) => { pen.font = `${bold ? "bold " : ""}${size}px ${FONT}`; };
  if (box >= scene.low) {
    const ends = graph.inputs.concat(graph.outputs);
    const [name, label] = ends[box - scene.low].map(text);
    const what = box - scene.low < graph.inputs.length ? "input" : "output";
    font(10.5, true);
    const head = fitted(label ? `${what} · ${label}` : what, room);
    font(10.5, false);
    found = { head, name: fitted(name, room) };
  } else {
    const metric = state.colour >= 0 ? state.colour : DATA.start.shown;
    const value = metric >= 0 ? valueOf(graph, box, metric) : undefined;
    const cost = value === undefined ? "" : isText(value) ? shorten(text(value.t), 16) : quantity(value, DATA.metrics[metric].unit);
    font(10.5, false);
    const costWidth = cost ? pen.measureText(cost).width + 6 : 0;
    const origins = fitted(originLine(graph, box), room);
    const left = room - pen.measureText(origins).width - 8;
    const output = left > 30 ? fitted(text(graph.output[box]), left) : "";
    const name = fitted(text(graph.name_of[box]), room);
    font(12, true);
    found = { kind: fitted(text(graph.opcode[box]), room - costWidth), cost, name, origins, output };
    font(26, true);
    found.far = fitted(text(graph.opcode[box]), room + 8);
  }
  scene.texts.set(box, found);
  return found;
};

const strokeSegment = (to, scene, s) => {
  const k = 4 * s, { ends } = scene;
  to.moveTo(ends[k], ends[k + 1]);
  if (scene.kind[s] === CURVE) {
    const middle = (ends[k + 1] + ends[k + 3]) / 2;
    to.bezierCurveTo(ends[k], middle, ends[k + 2], middle, ends[k + 2], ends[k + 3]);
  } else to.lineTo(ends[k + 2], ends[k + 3]);
};

const drawBox = (scene, box, detail) => {
  const k = box * 4, x = scene.boxes[k], y = scene.boxes[k + 1], w = scene.boxes[k + 2], h = scene.boxes[k + 3];
  const graph = scene.graph, s = skin();
  if (box >= scene.low) {
    pen.fillStyle = s.terminal;
    pen.beginPath();
    pen.roundRect(x, y, w, h, 16);
    pen.fill();
    if (detail > 0) { pen.strokeStyle = s.border; pen.stroke(); }
    if (detail > 1) {
      const shown = lines(scene, box);
      pen.fillStyle = s.text;
      pen.textAlign = "center";
      pen.font = `bold 10.5px ${FONT}`;
      pen.fillText(shown.head, x + w / 2, y + 14);
      pen.font = `10.5px ${FONT}`;
      pen.fillText(shown.name, x + w / 2, y + 27);
    }
    return;
  }
  const fill = fillOf(graph, box), unknown = isUnknown(graph, box);
  pen.fillStyle = fill;
  if (detail === 0) { pen.fillRect(x, y, w, h); } else {
    pen.beginPath();
    pen.roundRect(x, y, w, h, 4);
    pen.fill();
  }
  if (unknown) {
    pen.fillStyle = hatching();
    const measured = state.colour >= 0 && fill !== s.blank;
    pen.fillRect(x, y, measured ? 6 : w, h);
  }
  if (detail > 0) {
    pen.strokeStyle = s.border;
    if (unknown) pen.setLineDash([2, 2]); else if (isHelper(graph, box)) pen.setLineDash([5, 3]);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (detail === 0) return;
  const shown = lines(scene, box);
  pen.fillStyle = ink(fill);
  pen.textAlign = "left";
  if (detail === 1) {
    pen.font = `bold 26px ${FONT}`;
    pen.fillText(shown.far, x + 4, y + 35);
    return;
  }
  pen.font = `bold 12px ${FONT}`;
  pen.fillText(shown.kind, x + 8, y + 15);
  pen.font = `10.5px ${FONT}`;
  pen.fillText(shown.name, x + 8, y + 29);
  pen.fillText(shown.origins, x + 8, y + h - 7);
  pen.textAlign = "right";
  pen.fillText(shown.cost, x + w - 8, y + 15);
  pen.fillText(shown.output, x + w - 8, y + h - 7);
};

// The whole graph as one bitmap, for scales at which single boxes are a few pixels large.
const overviewOf = (scene) => {
  const key = `${state.theme} ${state.colour}`;
  if (scene.overview && scene.overview.key === key) return scene.overview;
  const { graph } = scene;
  const scale = Math.min(1, 4096 / Math.max(graph.width, graph.height, 1));
  const bitmap = document.createElement("canvas");
  bitmap.width = Math.max(1, Math.ceil(graph.width * scale));
  bitmap.height = Math.max(1, Math.ceil(graph.height * scale));
  const to = bitmap.getContext("2d");
  to.scale(scale, scale);
  to.strokeStyle = skin().line;
  to.globalAlpha = 0.5;
  to.lineWidth = Math.max(1.2, 0.5 / scale);
  for (let s = 0; s < scene.kind.length; s += 5000) {
    to.beginPath();
    for (let k = s; k < Math.min(s + 5000, scene.kind.length); k++) strokeSegment(to, scene, k);
    to.stroke();
  }
  to.globalAlpha = 1;
  for (let box = 0; box < scene.count; box++) {
    to.fillStyle = box < scene.low ? fillOf(graph, box) : skin().border;
    const k = box * 4;
    to.fillRect(scene.boxes[k], scene.boxes[k + 1], scene.boxes[k + 2], scene.boxes[k + 3]);
  }
  scene.overview = { key, bitmap, scale };
  return scene.overview;
};

const drawLines = (scene, x0, y0, x1, y1) => {
  const s = skin();
  const seen = new Set();
  const near = [], far = [];
  for (const cell of scene.segments.near(x0, y0, x1, y1)) {
    for (const segment of cell) {
      if (seen.has(segment)) continue;
      seen.add(segment);
      (scene.kind[segment] === FAR ? far : near).push(segment);
    }
  }
  pen.lineWidth = Math.max(1.2, 0.6 / view.scale);
  pen.strokeStyle = s.line;
  pen.beginPath();
  for (const segment of near) strokeSegment(pen, scene, segment);
  pen.stroke();
  pen.strokeStyle = s.continuation;
  pen.setLineDash(view.scale > 0.2 ? [5, 3] : []);
  pen.beginPath();
  for (const segment of far) strokeSegment(pen, scene, segment);
  pen.stroke();
  pen.setLineDash([]);
  if (view.scale > 0.3) {
    pen.fillStyle = s.line;
    pen.beginPath();
    for (const cell of scene.heads.near(x0, y0, x1, y1)) {
      for (const tip of cell) {
        const [x, y] = scene.tips[tip];
        pen.moveTo(x - 3.5, y - 7); pen.lineTo(x, y); pen.lineTo(x + 3.5, y - 7); pen.closePath();
      }
    }
    pen.fill();
  }
};

const boxName = (scene, box) => (box < scene.low ? `#${scene.graph.operator[box]}`
  : box - scene.low < scene.graph.inputs.length ? `input ${box - scene.low}` : `output ${box - scene.low - scene.graph.inputs.length}`);

const drawStubs = (scene, x0, y0, x1, y1) => {
  pen.strokeStyle = skin().line;
  pen.fillStyle = skin().faint;
  pen.font = `8px ${FONT}`;
  pen.textAlign = "center";
  pen.setLineDash([2, 2]);
  for (const [x, y, , out, others] of scene.graph.stubs) {
    if (x < x0 || x > x1 || y < y0 - 20 || y > y1 + 20) continue;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x, out ? y + 9 : y - 9);
    pen.stroke();
    const name = boxName(scene, others[0]) + (others.length > 1 ? ` +${others.length - 1}` : "");
    pen.fillText(out ? `→ ${name}` : `${name} →`, x, out ? y + 17 : y - 11);
  }
  pen.setLineDash([]);
};

// Lines of a box's tensors, thick; a tensor with very many readers only in part.
const drawTouching = (scene, box, colour) => {
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(2.4, 1.6 / view.scale);
  pen.beginPath();
  let left = 5000;
  for (const net of scene.netsAt.get(box) || []) {
    for (let s = scene.netStart[net]; s < scene.netStart[net + 1] && left > 0; s++, left--) strokeSegment(pen, scene, s);
  }
  pen.stroke();
};

const outline = (scene, box, colour, width) => {
  const k = box * 4, grow = width / view.scale / 2;
  pen.strokeStyle = colour;
  pen.lineWidth = width / view.scale;
  pen.strokeRect(scene.boxes[k] - grow, scene.boxes[k + 1] - grow, scene.boxes[k + 2] + 2 * grow, scene.boxes[k + 3] + 2 * grow);
};

const draw = () => {
  const ratio = window.devicePixelRatio || 1;
  const scene = sceneOf(state.graph);
  const accent = state.theme === "dark" ? "#79b8ff" : "#0550ae";
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = skin().background;
  pen.fillRect(0, 0, view.width, view.height);
  pen.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  pen.direction = "ltr";
  const x0 = -view.x / view.scale, y0 = -view.y / view.scale;
  const x1 = x0 + view.width / view.scale, y1 = y0 + view.height / view.scale;
  if (view.scale < 0.5 && scene.nodes.count(x0, y0, x1, y1) > MANY) {
    const { bitmap, scale } = overviewOf(scene);
    pen.drawImage(bitmap, 0, 0, bitmap.width / scale, bitmap.height / scale);
  } else {
    drawLines(scene, x0, y0, x1, y1);
    if (view.scale > 0.5) drawStubs(scene, x0, y0, x1, y1);
    for (const box of [state.hover, chosenBox()]) if (box >= 0) drawTouching(scene, box, accent);
    const detail = view.scale >= 0.55 ? 2 : view.scale >= 0.22 ? 1 : 0;
    pen.lineWidth = 1;
    const seen = new Set();
    for (const cell of scene.nodes.near(x0, y0, x1, y1)) {
      for (const box of cell) {
        const k = box * 4;
        if (seen.has(box) || scene.boxes[k] > x1 || scene.boxes[k + 1] > y1 || scene.boxes[k] + scene.boxes[k + 2] < x0 || scene.boxes[k + 1] + scene.boxes[k + 3] < y0) continue;
        seen.add(box);
        drawBox(scene, box, detail);
      }
    }
  }
  if (state.marked) {
    let left = 4000;
    for (const box of state.marked) {
      if (left-- <= 0) break;
      const k = box * 4;
      if (scene.boxes[k] <= x1 && scene.boxes[k + 1] <= y1 && scene.boxes[k] + scene.boxes[k + 2] >= x0 && scene.boxes[k + 1] + scene.boxes[k + 3] >= y0) outline(scene, box, accent, 4);
    }
  }
  if (state.hover >= 0) outline(scene, state.hover, accent, 2);
  if (chosenBox() >= 0) outline(scene, chosenBox(), accent, 4);
};
const chosenBox = () => (state.chosen && state.chosen.kind === "op" && state.chosen.graph === state.graph ? state.chosen.node : -1);

let pending = 0;
const redraw = () => { if (!pending) pending = requestAnimationFrame(() => { pending = 0; draw(); }); };
