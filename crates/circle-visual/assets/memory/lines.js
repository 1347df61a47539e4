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

const label = (text, right, y, below) => {
  const w = textWidth(text, 11) * 1.12 + 8, top = below ? y + 2 : y - 16;
  pen.globalAlpha = 0.9;
  pen.fillStyle = skin().background;
  pen.fillRect(right - w, top, w, 14);
  pen.globalAlpha = 1;
  pen.fillStyle = skin().text;
  pen.font = `bold 11px ${FONT}`;
  pen.textAlign = "right";
  pen.fillText(text, right - 4, top + 11);
};

const drawLines = (panel) => {
  const { rect, seg } = panel, f = figures(seg), s = skin();
  const inside = (y) => y >= rect.y - 1 && y <= rect.y + rect.h + 1;
  const level = (address, dash, text, below, left) => {
    const y = py(panel, address);
    if (!inside(y)) return;
    pen.strokeStyle = s.text;
    pen.lineWidth = 1.6;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(rect.x, y);
    pen.lineTo(rect.x + rect.w, y);
    pen.stroke();
    pen.setLineDash([]);
    if (text && rect.h > 60) label(text, left ? rect.x + textWidth(text, 11) * 1.12 + 12 : rect.x + rect.w - 4, y, below);
  };
  if (f.peakTick === null) return;
  if (seg.size !== null && seg.size <= panel.y.most) level(seg.size, [2, 3], Math.abs(py(panel, seg.size) - py(panel, f.peak)) < 17 ? "" : `end of memory ${bytes(seg.size)}`, seg.size < f.peak, true);
  if (f.bound === f.peak) level(f.peak, [], `peak ${bytes(f.peak)} = lower bound`);
  else {
    level(f.peak, [], `peak ${bytes(f.peak)}`);
    if (f.bound < f.peak) level(f.bound, [7, 4], `lower bound ${bytes(f.bound)}`, true);
  }
  const upright = (tick, colour, dash, width) => {
    const x = px(panel, tick) + (isStretch(seg.unit) ? rect.w / (panel.x.high - panel.x.low) / 2 : 0);
    if (x < rect.x || x > rect.x + rect.w) return;
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(x, rect.y);
    pen.lineTo(x, rect.y + rect.h);
    pen.stroke();
    pen.setLineDash([]);
  };
  upright(f.peakTick, s.text, [2, 3], 1.2);
  if (state.tick !== null && panels[state.tickPanel] && panels[state.tickPanel].x === panel.x) upright(state.tick, accent(), [], 1.6);
};

const drawMarks = (panel) => {
  const { seg } = panel;
  for (const k of seg.faulty.keys()) {
    outlines(panel, k, skin().background, 4.5);
    pen.setLineDash([6, 2]);
    outlines(panel, k, alarm(), 2.4);
    pen.setLineDash([]);
    const x = px(panel, seg.from[k]) + 8, y = py(panel, seg.low[k] + seg.bytes[k]) + 8;
    pen.fillStyle = alarm();
    pen.beginPath();
    pen.arc(x, y, 6.5, 0, 7);
    pen.fill();
    pen.fillStyle = skin().background;
    pen.font = `bold 10px ${FONT}`;
    pen.textAlign = "center";
    pen.fillText("!", x, y + 3.7);
  }
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
