// Lines over the plots: peak and bound, ticks, outlines, marks of faults.

const outlines = (panel, k, colour, width) => {
  const { seg } = panel;
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  for (const [offset, size] of pieces(seg, k)) {
    const x = px(panel, seg.from[k]), w = px(panel, seg.till[k]) - x, y = py(panel, offset + size), h = py(panel, offset) - y;
    pen.strokeRect(x, y, Math.max(2, w), Math.max(2, h));
  }
};
const accent = () => (state.theme === "dark" ? "#79b8ff" : "#0550ae");
const alarm = () => (state.theme === "dark" ? "#ff7a70" : "#c00018");

// What lies across a plot: heights with dashes, labels, and where the tick of the peak is.
const linesOf = (panel) => {
  const { rect, seg } = panel, f = figures(seg), across = [], labels = [];
  if (f.peakTick === null) return { across, labels, tick: null, top: 0 };
  const top = py(panel, Number(f.peak)), last = rect.x + rect.w - 4;
  const at = px(panel, Number(f.peakTick)) + (isStretch(seg.unit) ? rect.w / (panel.x.high - panel.x.low) / 2 : 0);
  const tick = at < rect.x || at > rect.x + rect.w ? null : at;
  const level = (address, dash, text, below, left) => {
    const y = py(panel, address);
    if (y < rect.y - 1 || y > rect.y + rect.h + 1) return;
    across.push([y, dash]);
    if (!text || rect.h <= 60) return;
    // Above the plot it would be cut off.
    const place = { w: textWidth(text, 11) * 1.12 + 8, h: 14, y: (below && y + 16 <= rect.y + rect.h) || y - 16 < rect.y ? y + 2 : y - 16, text };
    place.x = left ? rect.x + 4 : last - place.w;
    // Beside the tick of the peak, if that would go through it; nowhere, where another label is.
    if (tick !== null && place.x < tick + 8 && tick - 8 < place.x + place.w && place.y + place.h > top) {
      const beside = [tick - 8 - place.w, tick + 8];
      const moved = (left ? beside.reverse() : beside).find((x) => x >= rect.x && x + place.w <= last);
      if (moved !== undefined) place.x = moved;
    }
    if (!labels.some((other) => meets(other, place))) labels.push(place);
  };
  const end = seg.size !== null && seg.size <= panel.y.most ? seg.exact.size : null, same = end !== null && end === f.bound && !f.overlapping;
  level(Number(f.peak), [], `peak ${bytes(f.peak)}${f.bound === f.peak && !f.overlapping ? " = lower bound" : ""}`);
  if (f.bound < f.peak && !f.overlapping) level(Number(f.bound), [7, 4], `lower bound${same ? " = end of memory" : ""} ${bytes(f.bound)}`, true);
  if (end !== null && !same) level(Number(end), [2, 3], Math.abs(py(panel, Number(end)) - top) < 17 ? "" : `end of memory ${bytes(end)}`, end < f.peak, true);
  return { across, labels, tick, top };
};
const meets = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// Lines with an edge in the colour of the background: they cross blocks of any colour.
const drawLines = (panel, { across, tick }) => {
  const { rect } = panel, s = skin();
  const stroke = (width, dash, x, y, right, low) => {
    for (const [colour, wide, strength, dashes] of [[s.background, width + 1.6, 0.6, []], [s.text, width, 1, dash]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = wide;
      pen.globalAlpha = strength;
      pen.setLineDash(dashes);
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(right, low);
      pen.stroke();
    }
    pen.setLineDash([]);
  };
  if (tick !== null) stroke(1.2, [2, 3], tick, rect.y, tick, rect.y + rect.h);
  for (const [y, dash] of across.slice().reverse()) stroke(1.6, dash, rect.x, y, rect.x + rect.w, y);
};

const drawLabels = (panel, { labels }) => {
  const { rect, seg } = panel;
  for (const { x, y, w, h, text } of labels) {
    pen.globalAlpha = 0.9;
    pen.fillStyle = skin().background;
    pen.fillRect(x, y, w, h);
    pen.globalAlpha = 1;
    pen.fillStyle = skin().text;
    pen.font = `bold 11px ${FONT}`;
    pen.textAlign = "right";
    pen.fillText(text, x + w - 4, y + 11);
  }
  if (state.tick === null || !panels[state.tickPanel] || panels[state.tickPanel].x !== panel.x) return;
  const x = px(panel, Number(state.tick)) + (isStretch(seg.unit) ? rect.w / (panel.x.high - panel.x.low) / 2 : 0);
  if (x < rect.x || x > rect.x + rect.w) return;
  pen.strokeStyle = accent();
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.moveTo(x, rect.y);
  pen.lineTo(x, rect.y + rect.h);
  pen.stroke();
};

// The middle of a name of w by h in the box: beside lines and labels, as near to the middle as may be; null where it would
// be under a label.
const namePlace = (lines, box, w, h) => {
  const cx = box.x + box.w / 2, cy = box.y + box.h / 2;
  const dx = Math.max(0, box.w - w - 4) / 2, dy = Math.max(0, box.h - h - 3) / 2;
  const covered = (x, y) => lines.labels.some((label) => meets(label, { x: x - w / 2, y: y - h / 2, w, h }));
  const crossed = (x, y) => lines.across.some(([at]) => y - h / 2 < at + 1 && at - 1 < y + h / 2)
    || (lines.tick !== null && x - w / 2 < lines.tick + 1 && lines.tick - 1 < x + w / 2);
  if (!covered(cx, cy) && !crossed(cx, cy)) return [cx, cy, false];
  const places = [];
  for (let i = -4; i <= 4; i++) for (let j = -4; j <= 4; j++) places.push([cx + dx * i / 4, cy + dy * j / 4]);
  places.sort((a, b) => Math.hypot(a[0] - cx, a[1] - cy) - Math.hypot(b[0] - cx, b[1] - cy));
  const seen = places.filter(([x, y]) => !covered(x, y)), free = seen.find(([x, y]) => !crossed(x, y));
  return free ? [...free, false] : seen.length ? [...seen[0], true] : null;
};

// Where a piece of a block lies in a plot, or null where it is out of sight; what is far outside is cut off.
const boxInSight = (panel, k, offset, size) => {
  const { rect, seg } = panel, edge = 8;
  const x = px(panel, seg.from[k]), right = Math.max(x + 2, px(panel, seg.till[k])), y = py(panel, offset + size), low = Math.max(y + 2, py(panel, offset));
  if (x > rect.x + rect.w || right < rect.x || y > rect.y + rect.h || low < rect.y) return null;
  const [left, top] = [Math.max(x, rect.x - edge), Math.max(y, rect.y - edge)];
  return [left, top, Math.min(right, rect.x + rect.w + edge) - left, Math.min(low, rect.y + rect.h + edge) - top];
};

// Marks of faults in sight. There may be tens of thousands: blocks that are smaller than a mark, and those beyond so many
// outlines or pixels of outlines, have a dot, and of what falls into one place one is drawn.
const SMALL = 8, MOST_MARKED = 1500, MOST_DASHED = 60000, STRETCH = 100;
const drawMarks = (panel) => {
  const { seg } = panel, boxes = [], dots = [], badges = [], taken = [new Set(), new Set(), new Set()];
  let dashed = 0;
  const isFree = (set, ...numbers) => {
    const key = numbers.reduce((sum, number) => sum * 4096 + (Math.round(number) & 4095), 0), before = set.size;
    return set.add(key).size > before;
  };
  for (const k of seg.faulty.keys()) {
    for (const [offset, size] of pieces(seg, k)) {
      const box = boxInSight(panel, k, offset, size);
      if (!box) continue;
      const [x, y, w, h] = box;
      if ((w >= SMALL || h >= SMALL) && boxes.length < MOST_MARKED && dashed < MOST_DASHED) { if (isFree(taken[0], x / 2, y / 2, w / 2, h / 2)) { boxes.push(box); dashed += 2 * (w + h); } } else if (isFree(taken[1], x / 5, y / 5)) dots.push(box);
    }
    const x = px(panel, seg.from[k]) + 8, y = py(panel, seg.low[k] + seg.bytes[k]) + 8;
    if (boxInSight(panel, k, seg.low[k], seg.bytes[k]) && isFree(taken[2], x / 20, y / 20)) badges.push([x, y]);
  }
  // Very long paths take more time than their parts.
  const paths = (list, add, paint) => {
    for (let from = 0; from < list.length; from += STRETCH) {
      pen.beginPath();
      for (const one of list.slice(from, from + STRETCH)) add(one);
      paint();
    }
  };
  for (const [colour, width, dash] of [[skin().background, 4.5, []], [alarm(), 2.4, [6, 2]]]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    paths(boxes, (box) => pen.rect(...box), () => pen.stroke());
  }
  pen.setLineDash([]);
  pen.fillStyle = alarm();
  paths(dots, ([x, y]) => pen.rect(x, y, 3, 3), () => pen.fill());
  paths(badges, ([x, y]) => { pen.moveTo(x, y); pen.arc(x, y, 6.5, 0, 7); }, () => pen.fill());
  pen.fillStyle = skin().background;
  pen.font = `bold 10px ${FONT}`;
  pen.textAlign = "center";
  for (const [x, y] of badges) pen.fillText("!", x, y + 3.7);
};

// Outlines of the blocks that share an origin with the one at the pointer: those in sight, at most some thousand.
const drawRelatives = (panel) => {
  if (!state.hover || !state.hover.flags) return;
  const found = state.hover.flags.get(panel.seg);
  if (!found || found.count > 5000) return;
  pen.strokeStyle = accent();
  pen.lineWidth = 1.6;
  pen.beginPath();
  inWindow(panel.seg, panel.x.low, panel.x.high, panel.y.low, panel.y.high, (start, end) => {
    for (let k = start; k < end; k++) {
      if (!found.marked[k]) continue;
      for (const [offset, size] of pieces(panel.seg, k)) {
        const x = px(panel, panel.seg.from[k]), y = py(panel, offset + size);
        pen.rect(x, y, Math.max(1.5, px(panel, panel.seg.till[k]) - x), Math.max(1.5, py(panel, offset) - y));
      }
    }
  });
  pen.stroke();
};
