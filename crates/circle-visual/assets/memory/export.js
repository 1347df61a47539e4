// What is in sight, as an SVG file. It is made of elements, so that names stay text.

const SVG_NAME = "http://www.w3.org/2000/svg";
const MOST_ELEMENTS = 20000, MOST_OUTLINES = 1500;

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
  for (const panel of arrange()) {
    const { rect, seg } = panel;
    const clip = `plot${panel.number}`, def = make("clipPath", { id: clip });
    def.append(make("rect", { x: rect.x, y: rect.y, width: rect.w, height: rect.h }));
    const group = make("g", { "clip-path": `url(#${clip})` });
    group.append(make("rect", { x: rect.x, y: rect.y, width: rect.w, height: rect.h, fill: s.terminal }));
    const closed = seg.spaces.filter(({ open }) => !open).slice(0, MOST_OUTLINES);
    if (closed.length) {
      // As in the picture: what is reserved stays striped where no block lies.
      const stripes = make("pattern", { id: `hatch${panel.number}`, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-45)" });
      stripes.append(make("rect", { width: 7, height: 7, fill: s.blank }), make("rect", { width: 2, height: 7, fill: s.hatch }));
      root.append(stripes);
    }
    const seen = [];
    inWindow(seg, panel.x.low, panel.x.high, panel.y.low, panel.y.high, (start, end) => {
      for (let k = start; k < end; k++) if (seg.till[k] > panel.x.low) for (const [offset, size] of pieces(seg, k)) if (offset < panel.y.high && offset + size > panel.y.low && size > 0) seen.push([k, offset, size]);
    });
    for (const space of closed) {
      const x = px(panel, space.from), y = py(panel, space.offset + space.size), w = Math.max(0, px(panel, space.till) - x), h = Math.max(0, py(panel, space.offset) - y);
      group.append(make("rect", { x: x.toFixed(2), y: y.toFixed(2), width: w.toFixed(2), height: h.toFixed(2), fill: `url(#hatch${panel.number})` }));
    }
    if (seen.length > MOST_ELEMENTS) {
      // The blocks as they are drawn; axes and names stay text.
      const bitmap = el("canvas", { width: panel.image.width, height: panel.image.height });
      bitmap.getContext("2d").putImageData(panel.image, 0, 0);
      group.append(make("image", { x: rect.x, y: rect.y, width: rect.w, height: rect.h, href: bitmap.toDataURL("image/png") }));
    } else for (const [k, offset, size] of seen) {
      const x = px(panel, seg.from[k]), y = py(panel, offset + size), w = Math.max(0.2, px(panel, seg.till[k]) - x), h = Math.max(0.2, py(panel, offset) - y), colour = classesOf(seg)[k];
      const box = make("rect", { x: x.toFixed(2), y: y.toFixed(2), width: w.toFixed(2), height: h.toFixed(2), fill: classes[colour].hatched ? s.hatch : classes[colour].colour, stroke: w > 2 && h > 2 ? s.border : "none", "stroke-width": 0.5 });
      box.append(make("title", {}, `${visible(blockName(seg, k))}\n${exactly(seg.exact.bytes[k])}`));
      group.append(box);
    }
    const outline = (from, till, offset, size, attributes) => {
      const x = px(panel, from), y = py(panel, offset + size), w = px(panel, till) - x, h = py(panel, offset) - y;
      if (w < 4 || h < 4) return false;
      group.append(make("rect", { x: x.toFixed(2), y: y.toFixed(2), width: w.toFixed(2), height: h.toFixed(2), fill: "none", ...attributes }));
      return true;
    };
    const spaces = seg.spaces.filter((space) => space.from < panel.x.high && space.till > panel.x.low && space.offset < panel.y.high && space.offset + space.size > panel.y.low);
    for (const space of spaces.slice(0, MOST_OUTLINES)) outline(space.from, space.till, space.offset, space.size, { stroke: s.text, "stroke-width": 1.3, "stroke-dasharray": "4 2.5" });
    let outlined = 0, unmarked = 0;
    for (const [k, message] of seg.faulty) {
      const inSight = pieces(seg, k).filter(([offset, size]) => boxInSight(panel, k, offset, size));
      if (!inSight.length) continue;
      let drawn = false;
      if (outlined < MOST_OUTLINES) for (const [offset, size] of inSight) if (outline(seg.from[k], seg.till[k], offset, size, { class: "fault", "aria-label": visible(message), stroke: alarm(), "stroke-width": 2.4, "stroke-dasharray": "6 2" })) drawn = true;
      if (drawn) outlined++; else unmarked++;
    }
    const several = (count, what) => (count > 0 ? [`${grouped(count)} ${what}${count === 1 ? " is" : "s are"} not outlined`] : []);
    const missing = [...several(unmarked, "faulty block"), ...several(spaces.length - MOST_OUTLINES, "space")].join(" · ");
    if (missing) root.append(make("text", { class: "missing", x: rect.x + rect.w, y: rect.y + rect.h + 31, "text-anchor": "end", fill: alarm() }, missing));
    const f = figures(seg), lines = linesOf(panel), bold = { "font-weight": "bold", fill: s.text };
    const line = (d, width, dash) => { for (const [stroke, wide, more] of [[s.background, width + 1.6, { "stroke-opacity": 0.6 }], [s.text, width, { "stroke-dasharray": dash.join(" ") || "none" }]]) group.append(make("path", { d, stroke, "stroke-width": wide, fill: "none", ...more })); };
    if (lines.tick !== null) line(`M${lines.tick.toFixed(2)} ${rect.y}v${rect.h}`, 1.2, [2, 3]);
    for (const [y, dash] of lines.across.slice().reverse()) line(`M${rect.x} ${y.toFixed(2)}h${rect.w}`, 1.6, dash);
    // Names lie on the lines, so that these go through none.
    const ratio = canvas.width / view.width, large = panel.last.large.map((item) => ({ ...item, x: item.x / ratio, y: item.y / ratio, w: item.w / ratio, h: item.h / ratio }));
    for (const { text, x, y, crossed, turned, colour } of state.names ? namesOf(panel, large, lines) : []) {
      const halo = crossed || classes[colour].hatched ? { stroke: classes[colour].hatched ? s.hatch : classes[colour].colour, "stroke-width": 2.5, "paint-order": "stroke" } : {};
      const place = turned ? { transform: `translate(${(x + NAME_SIZE * 0.36).toFixed(2)} ${y.toFixed(2)}) rotate(-90)` } : { x: x.toFixed(2), y: (y + NAME_SIZE * 0.36).toFixed(2) };
      group.append(make("text", { class: "name", ...place, "text-anchor": "middle", "font-size": NAME_SIZE, fill: inks[colour], ...halo }, text));
    }
    for (const { x, y, w, h, text } of lines.labels) group.append(make("rect", { x: x.toFixed(2), y: y.toFixed(2), width: w.toFixed(2), height: h, fill: s.background, "fill-opacity": 0.9 }), make("text", { x: (x + w - 4).toFixed(2), y: (y + 11).toFixed(2), "text-anchor": "end", ...bold }, text));
    root.append(def, group);
    const { ticks, step } = addressPlaces(panel);
    for (const at of ticks) root.append(make("text", { x: rect.x - 8, y: py(panel, at) + 4, "text-anchor": "end", fill: s.text }, addressLabel(panel, at, step)));
    const span = panel.x.high - panel.x.low;
    for (const at of timePlaces(panel, rect.w / 90)) root.append(make("text", { class: "tick", x: withinView(tickText(seg, at, span), px(panel, Number(at))), y: rect.y + rect.h + 16, "text-anchor": "middle", fill: s.text }, tickText(seg, at, span)));
    if (f.peakTick === null) root.append(make("text", { x: rect.x + rect.w / 2, y: rect.y + rect.h / 2 + 5, "font-size": 13, "text-anchor": "middle", fill: s.text }, neverAlive(seg)));
    root.append(make("text", { x: rect.x + rect.w / 2, y: rect.y + rect.h + 31, "text-anchor": "middle", fill: s.faint }, panel.x.none ? "" : TIME_CAPTIONS[seg.unit]),
      make("text", { x: 24, y: rect.y - 22, "font-size": 12.5, "font-weight": "bold", fill: s.text }, `${FILE.plans.length > 1 ? `${shorten(panel.plan.title, 60)} · ` : ""}${shorten(seg.name, 60)}`),
      make("text", { x: 24, y: rect.y - 7, fill: s.text }, fitFigures(seg, f, rect.w + 60)));
  }
  return new XMLSerializer().serializeToString(root);
};

const saveView = () => {
  const link = el("a", { href: URL.createObjectURL(new Blob([viewAsSvg()], { type: "image/svg+xml" })), download: "memory.svg" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
