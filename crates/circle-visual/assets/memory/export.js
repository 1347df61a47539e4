// What is in sight, as an SVG file. It is made of elements, so that names stay text.

const SVG_NAME = "http://www.w3.org/2000/svg";
const MOST_ELEMENTS = 20000;

const viewAsSvg = () => {
  draw(true);
  const make = (tag, attributes, text) => {
    const node = document.createElementNS(SVG_NAME, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const s = skin(), { classes, ink: inks } = makePalette();
  const root = make("svg", { width: view.width, height: view.height, viewBox: `0 0 ${view.width} ${view.height}`, "font-family": "'DejaVu Sans', Verdana, sans-serif", "font-size": 11 });
  root.append(make("title", {}, visible(document.title)), make("rect", { width: view.width, height: view.height, fill: s.background }));
  for (const panel of chosenPanels()) {
    const { rect, seg } = panel;
    if (!rect) continue;
    const clip = `plot${panel.number}`, def = make("clipPath", { id: clip });
    def.append(make("rect", { x: rect.x, y: rect.y, width: rect.w, height: rect.h }));
    const group = make("g", { "clip-path": `url(#${clip})` });
    group.append(make("rect", { x: rect.x, y: rect.y, width: rect.w, height: rect.h, fill: s.terminal }));
    const seen = [];
    inWindow(seg, panel.x.low, panel.x.high, panel.y.low, panel.y.high, (start, end) => {
      for (let k = start; k < end; k++) if (seg.till[k] > panel.x.low) for (const [offset, size] of pieces(seg, k)) if (offset < panel.y.high && offset + size > panel.y.low && size > 0) seen.push([k, offset, size]);
    });
    if (seen.length > MOST_ELEMENTS) {
      // The blocks as they are drawn; axes and names stay text.
      const bitmap = el("canvas", { width: panel.image.width, height: panel.image.height });
      bitmap.getContext("2d").putImageData(panel.image, 0, 0);
      group.append(make("image", { x: rect.x, y: rect.y, width: rect.w, height: rect.h, href: bitmap.toDataURL("image/png") }));
    } else for (const [k, offset, size] of seen) {
      const x = px(panel, seg.from[k]), y = py(panel, offset + size), w = Math.max(0.2, px(panel, seg.till[k]) - x), h = Math.max(0.2, py(panel, offset) - y), colour = classesOf(seg)[k];
      const box = make("rect", { x: x.toFixed(2), y: y.toFixed(2), width: w.toFixed(2), height: h.toFixed(2), fill: classes[colour].hatched ? s.hatch : classes[colour].colour, stroke: w > 2 && h > 2 ? s.border : "none", "stroke-width": 0.5 });
      box.append(make("title", {}, `${visible(blockName(seg, k))}\n${exactly(seg.bytes[k])}`));
      group.append(box);
      const left = Math.max(x, rect.x), right = Math.min(x + w, rect.x + rect.w), top = Math.max(y, rect.y), low = Math.min(y + h, rect.y + rect.h);
      const name = low - top >= 12 && state.names ? fitName(blockName(seg, k), classes[colour].label, right - left - 6, 10.5) : "";
      if (name) group.append(make("text", { x: ((left + right) / 2).toFixed(2), y: ((top + low) / 2 + 4).toFixed(2), "text-anchor": "middle", "font-size": 10.5, fill: inks[colour] }, name));
    }
    const f = figures(seg);
    for (const [address, dash, text] of [[f.peak, "", `peak ${bytes(f.peak)}`], [f.bound, "7 4", f.bound === f.peak ? "" : `lower bound ${bytes(f.bound)}`]]) {
      const y = py(panel, address);
      group.append(make("path", { d: `M${rect.x} ${y}h${rect.w}`, stroke: s.text, "stroke-width": 1.6, "stroke-dasharray": dash || "none" }));
      if (text) group.append(make("text", { x: rect.x + rect.w - 6, y: y - 4, "text-anchor": "end", "font-weight": "bold", fill: s.text, stroke: s.background, "stroke-width": 3, "paint-order": "stroke" }, text));
    }
    root.append(def, group);
    const { ticks, step } = addressTicks(panel.y.low, panel.y.high, Math.min(12, rect.h / 34));
    for (const at of ticks) root.append(make("text", { x: rect.x - 8, y: py(panel, at) + 4, "text-anchor": "end", fill: s.text }, addressText(at, step, panel.y.high)));
    const span = panel.x.high - panel.x.low;
    for (const at of timeTicks(panel.x.low, panel.x.high, rect.w / 90)) root.append(make("text", { x: px(panel, at), y: rect.y + rect.h + 16, "text-anchor": "middle", fill: s.text }, tickText(seg, at, span)));
    root.append(make("text", { x: rect.x + rect.w / 2, y: rect.y + rect.h + 31, "text-anchor": "middle", fill: s.faint }, TIME_CAPTIONS[seg.unit]),
      make("text", { x: 24, y: rect.y - 22, "font-size": 12.5, "font-weight": "bold", fill: s.text }, `${FILE.plans.length > 1 ? `${shorten(panel.plan.title, 60)} · ` : ""}${shorten(seg.name, 60)}`),
      make("text", { x: 24, y: rect.y - 7, fill: s.text }, figureWords(seg, f)));
  }
  return new XMLSerializer().serializeToString(root);
};

const saveView = () => {
  const link = el("a", { href: URL.createObjectURL(new Blob([viewAsSvg()], { type: "image/svg+xml" })), download: "memory.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
