// The panels beside the plots.

const SHOWN = 200;
const entry = (list, name, value) => { if (value !== "") list.append(el("dt", { textContent: name }), el("dd", {}, value)); };
const blockLink = (panel, k, text) => el("button", { className: "link block-link", textContent: text || shorten(blockName(panel.seg, k), 80), title: visible(blockName(panel.seg, k)), click: () => pin({ panel, k }, true) });
const patch = (seg, k) => { return swatch(makePalette().classes[classesOf(seg)[k]]); };
const swatch = (found) => {
  const box = el("span", { className: found && found.hatched ? "patch hatched" : "patch" });
  if (found) box.style.backgroundColor = found.colour;
  return box;
};

const restSwatch = () => { const box = el("span", { className: "patch reserved" }); box.style.backgroundColor = skin().blank; return box; };

// Everything about a block. `full` leaves nothing out.
const blockFacts = (panel, k, full) => {
  const { seg, plan } = panel, most = full ? 100000 : 200;
  const list = el("dl");
  const show = (text) => (full ? visible(text) : shorten(text, most));
  const origins = originsOf(seg, k);
  entry(list, origins.length > 1 ? "layers" : "layer", origins.slice(0, full ? 500 : 6).map((origin) => show(originName(plan, origin))).join(" + ") + (origins.length > (full ? 500 : 6) ? ` and ${origins.length - (full ? 500 : 6)} more` : ""));
  if (!origins.length && FILE.layered) entry(list, "layer", "unknown");
  entry(list, "written by", show(optionalText(seg, seg.writer, k)));
  entry(list, "read by", show(optionalText(seg, seg.readers, k)));
  entry(list, "tensor", show(optionalText(seg, seg.tensor, k)));
  entry(list, "kind", kindOf(seg, k) < 0 ? "" : KINDS[kindOf(seg, k)]);
  const { exact } = seg;
  entry(list, "size", exactly(exact.bytes[k]));
  entry(list, "address", pieces(exact, k).map(([offset, size]) => `${grouped(offset)} to before ${grouped(offset + size)}`).join(", then "));
  entry(list, "alive", exact.till[k] > exact.from[k] ? `${tickWords(seg, exact.from[k])} to before ${grouped(wholeTick(seg, exact.till[k]))}${seg.stays.has(k) ? " and after" : ""}, ${grouped(exact.till[k] - exact.from[k])} in all` : "never");
  if (spaceOf(seg, k) >= 0) {
    const space = exact.spaces.find(({ id }) => id === spaceOf(seg, k));
    entry(list, "space", space ? `${space.id}, ${space.reason}: ${bytes(space.size)} from ${grouped(space.offset)}, ${space.open ? "open: what its blocks leave is free for others" : "reserved as a whole"}` : `${spaceOf(seg, k)}, which the file does not describe`);
  }
  entry(list, "id", show(optionalText(seg, seg.ident, k)));
  return list;
};
// How a space is called, and what of it no block takes.
const spaceWords = ({ id, reason }) => `space ${id}, ${reason}`;
// Bytes between two addresses that closed spaces have reserved at a tick.
const restWithin = (seg, tick, low, high) => {
  let at = low, bytes = seg.exact.zero;
  const spans = closedOf(seg, tick, tick + seg.exact.one).map(({ offset, size }) => [offset, offset + size]).sort((a, b) => order(a[0], b[0]));
  for (const [start, end] of spans) {
    const from = start > at ? start : at, till = end < high ? end : high;
    if (till > from) { bytes += till - from; at = till; }
  }
  return bytes;
};
// What lies next below and above at a tick.
const neighbours = (panel, k, tick) => {
  const { seg } = panel, { exact } = seg, start = exact.low[k], end = start + exact.first[k];
  let below = -1, above = -1, low = -1, high = Infinity;
  atTick(seg, tick, (a, b) => {
    for (let other = a; other < b; other++) {
      if (other === k || exact.from[other] > tick || exact.till[other] <= tick) continue;
      for (const [offset, size] of pieces(exact, other)) {
        if (offset + size <= start && offset + size > low) { low = offset + size; below = other; }
        if (offset >= end && offset < high) { high = offset; above = other; }
      }
    }
  });
  const gapBelow = below < 0 ? start : start - low, gapAbove = above < 0 ? null : high - end;
  const restBelow = restWithin(seg, tick, start - gapBelow, start), restAbove = gapAbove === null ? restWithin(seg, tick, end, Infinity) : restWithin(seg, tick, end, high);
  return { below, above, gapBelow, gapAbove, restBelow, restAbove };
};
const neighbourRows = (list, panel, k, tick, link) => {
  const { below, above, gapBelow, gapAbove, restBelow, restAbove } = neighbours(panel, k, tick);
  const of = (rest) => (rest ? `, ${bytes(rest)} of it reserved by spaces` : "");
  const row = (name, other, gap, rest, nothing) => {
    const text = other < 0 ? nothing : `${shorten(blockName(panel.seg, other), 80)}${gap ? `, ${bytes(gap)} between${of(rest)}` : ""}`;
    entry(list, name, link && other >= 0 ? blockLink(panel, other, text) : text);
  };
  row("above", above, gapAbove, restAbove, restAbove ? `nothing, ${bytes(restAbove)} reserved by spaces` : "nothing");
  row("below", below, gapBelow, restBelow, gapBelow ? `nothing, ${bytes(gapBelow)} free${of(restBelow)}` : "the first byte");
};

// The number nearest to `value` in a range.
const within = (value, least, most) => (value > most ? most > least ? most : least : value < least ? least : value);
const placeCard = (place, parts) => {
  const card = byName("card");
  card.hidden = false;
  card.replaceChildren(...parts);
  const width = Math.min(400, view.width - 20);
  card.style.left = `${Math.max(6, Math.min(place[0] + 16, view.width - width))}px`;
  card.style.top = `${Math.max(6, Math.min(place[1] + 16, view.height - card.offsetHeight - 8))}px`;
};
// What is reserved where no block lies.
const showSpace = (panel, space, place) => {
  const { seg } = panel, list = el("dl");
  const tick = within(seg.exact.of(Math.floor(toTick(panel, place[0]))), space.from, space.till - seg.exact.one);
  const rest = aliveAt(seg, tick).reserved.find(([other]) => other === space);
  entry(list, "reserved", `${exactly(space.size)} as a whole`);
  entry(list, "taken by no block", rest ? `${exactly(rest[1])} at ${tickWords(seg, tick)}` : "");
  entry(list, "address", `${grouped(space.offset)} to before ${grouped(space.offset + space.size)}`);
  entry(list, "from", `${tickWords(seg, space.from)} to before ${grouped(wholeTick(seg, space.till))}`);
  placeCard(place, [el("b", {}, restSwatch(), spaceWords(space)), list]);
};
const showCard = (panel, k, place) => {
  byName("card").hidden = true;
  if (k < 0) { const space = panel && place ? spaceUnder(panel, place) : null; if (space) showSpace(panel, space, place); return; }
  const { seg } = panel;
  const list = blockFacts(panel, k, false);
  const tick = within(seg.exact.of(Math.floor(toTick(panel, place[0]))), seg.exact.from[k], seg.exact.till[k] - seg.exact.one);
  neighbourRows(list, panel, k, tick, false);
  const parts = [el("b", {}, patch(seg, k), shorten(blockName(seg, k), 200)), list];
  if (seg.faulty.has(k)) parts.push(el("p", { className: "warn", textContent: shorten(seg.faulty.get(k), 400) }));
  placeCard(place, parts);
};

// What is wrong with a file or a segment: entry, words, the other entry, how many it stands for, entries of these, whether
// there may be more; and what is odd: words and how many.
const tell = (pane, faults, odd, panel) => {
  const several = (count, one, least) => (count === 1 ? `One ${one}` : `${least ? "At least " : ""}${grouped(count)} ${one}s`);
  const rest = (left) => { if (left) pane.append(el("p", { className: "quiet", textContent: `and ${grouped(left)} more` })); };
  const many = (list) => list.reduce((sum, [, , , count = 1]) => sum + count, 0), told = (list) => list.reduce((sum, [, count]) => sum + count, 0);
  if (faults.length) {
    pane.append(el("h3", { className: "faults", textContent: several(many(faults), "fault", faults.some(([, , , , , least]) => least)) }));
    for (const [k, message] of faults.slice(0, SHOWN)) pane.append(el("p", { className: "warn fault" }, k >= 0 && panel ? blockLink(panel, k, visible(message)) : visible(message)));
    rest(many(faults.slice(SHOWN)));
  }
  if (odd.length) {
    pane.append(el("h3", { textContent: several(told(odd), "warning") }));
    for (const [message] of odd.slice(0, SHOWN)) pane.append(el("p", { className: "quiet", textContent: visible(message) }));
    rest(told(odd.slice(SHOWN)));
  }
};

const overview = () => {
  const pane = el("div", { id: "overview-details" });
  for (const plan of FILE.plans) {
    pane.append(el("h2", { textContent: visible(plan.title) || "memory plan" }));
    const list = el("dl");
    for (const [name, value] of plan.about) entry(list, name, visible(value));
    const count = (of) => plan.segments.reduce((sum, seg) => sum + of(seg), 0), blocks = count((seg) => seg.n);
    entry(list, "blocks", `${grouped(blocks)}${withoutLifetime(blocks, count((seg) => figures(seg).blocks))}`);
    pane.append(list);
    tell(pane, plan.marks.filter(([, , odd]) => !odd).map(([message, count]) => [-1, message, -1, count]), plan.marks.filter(([, , odd]) => odd), null);
    if (plan.unchecked) pane.append(el("p", { className: "quiet unchecked", textContent: plan.unchecked }));
    for (const seg of plan.segments) {
      const f = figures(seg), rows = el("dl", { className: "figures" });
      if (plan.segments.length > 1 || seg.name) pane.append(el("h3", { textContent: visible(seg.name) }));
      entry(rows, "peak", f.peakTick === null ? neverAlive(seg) : `${exactly(f.peak)} at ${tickWords(seg, f.peakTick)}`);
      if (f.peakTick !== null) {
        entry(rows, "lower bound", `${exactly(f.bound)} at ${tickWords(seg, f.boundTick)}`);
        entry(rows, "above it", f.overlapping ? "overlapping blocks would need more than there is" : `${exactly(aboveBound(seg, f))} = ${percent(aboveBound(seg, f), f.bound)}`);
        if (f.rest) entry(rows, "reserved by spaces", `${exactly(f.rest)} = ${percent(f.rest, f.peak)} at the peak, taken by no block`);
        entry(rows, "gaps at the peak", `${exactly(f.gaps)} = ${percent(f.gaps, f.peak)}`);
      }
      entry(rows, "memory", seg.size === null ? "" : exactly(seg.exact.size));
      pane.append(rows);
      if (seg.note) pane.append(el("p", { className: "quiet", textContent: visible(seg.note) }));
      tell(pane, seg.marks, seg.warnings, panels.find((one) => one.seg === seg));
    }
  }
  return pane;
};

const blockDetails = (panel, k) => {
  const { seg } = panel, pane = el("div", { id: "block-details" });
  pane.append(el("h2", {}, patch(seg, k), visible(blockName(seg, k))));
  if (seg.faulty.has(k)) pane.append(el("p", { className: "warn", textContent: visible(seg.faulty.get(k)) }));
  const list = blockFacts(panel, k, true);
  entry(list, "place", `block ${grouped(seg.at[k])} of ${visible(seg.name) || "the segment"}`);
  const { from, till, of: counted } = seg.exact;
  if (till[k] > from[k]) neighbourRows(list, panel, k, state.tick !== null && state.tick >= from[k] && state.tick < till[k] ? counted(state.tick) : from[k], true);
  pane.append(list);
  const found = relatives(seg, k).get(seg);
  const of = originsOf(seg, k).length ? "of the same layers" : "of the same name";
  pane.append(el("h3", { textContent: `${grouped(found.count)} block${found.count === 1 ? "" : "s"} ${of} here` }));
  const items = el("ul", { className: "plain relatives" });
  let left = 100;
  for (let other = 0; other < seg.n && left > 0; other++) if (found.marked[other]) { items.append(el("li", {}, blockLink(panel, other))); left--; }
  pane.append(items);
  pane.append(el("p", {}, el("button", { textContent: "list what is alive with it", click: () => chooseTick(panel, from[k]) })));
  return pane;
};

const number = (text) => el("td", { className: "number", textContent: text });
const table = (id, head, rows, foot) => el("table", { id }, el("thead", {}, el("tr", {}, ...head.map((name, k) => el("th", { textContent: name, className: k ? "number" : "", scope: "col" })))), el("tbody", {}, ...rows), el("tfoot", {}, ...foot));

// What is alive at the chosen tick: sums are exact.
const alivePane = () => {
  const pane = byName("pane-alive"), shown = chosenPanels();
  const panel = panels[state.tickPanel] && shown.includes(panels[state.tickPanel]) ? panels[state.tickPanel] : shown[0];
  if (!panel) { pane.replaceChildren(el("p", { textContent: "nothing is shown" })); return; }
  const { seg } = panel, f = figures(seg), { zero, one, of } = seg.exact;
  const tick = state.tick === null ? f.peakTick === null ? zero : f.peakTick : of(state.tick);
  const alive = aliveAt(seg, tick);
  const field = el("input", { id: "tick", inputMode: "numeric", value: wholeTick(seg, tick), "aria-label": "tick", size: 12 });
  field.addEventListener("change", () => { if (/^\d{1,19}$/.test(field.value.trim())) chooseTick(panel, of(BigInt(field.value.trim()) - seg.base)); });
  const go = (text, to) => el("button", { textContent: text, disabled: to === null, click: () => chooseTick(panel, to) });
  const controls = el("div", { className: "row" }, el("label", {}, `${TICK_WORDS[seg.unit]} `, field), go("peak", f.peakTick), go("most needed", f.boundTick), go("‹", tick - one), go("›", tick + one));
  const heading = el("p", { textContent: `${shorten(seg.name, 60) || "memory"}, ${tickWords(seg, tick)}: ${grouped(alive.blocks.length)} blocks alive${tick === f.peakTick ? ", the peak" : ""}` });
  // What spaces have reserved and no block takes has lines of its own.
  const rests = alive.reserved.filter(([, bytes]) => bytes > 0).map(([space, bytes]) => [seg.n, bytes, space]);
  const sorted = [...alive.blocks, ...rests].sort((a, b) => order(b[1], a[1]) || a[0] - b[0]);
  const rows = sorted.slice(0, SHOWN).map(([k, held, space]) => space ? el("tr", { className: "rest" }, el("td", {}, restSwatch(), `rest of ${spaceWords(space)}`), number(grouped(held))) : el("tr", { className: state.pin && state.pin.panel === panel && state.pin.k === k ? "chosen" : "" },
    el("td", {}, patch(seg, k), blockLink(panel, k)), number(held === zero && seg.bytes[k] > 0 ? "shared" : grouped(held))));
  if (sorted.length > SHOWN) rows.push(el("tr", {}, el("td", { textContent: `${grouped(sorted.length - SHOWN)} others` }), number(grouped(sorted.slice(SHOWN).reduce((sum, [, held]) => sum + held, zero)))));
  const foot = () => [el("tr", {}, el("td", { textContent: "gaps between them" }), number(grouped(alive.gap))), el("tr", { className: "sum" }, el("td", { textContent: tick === f.peakTick ? "peak" : "highest byte in use" }), number(grouped(alive.top)))];
  const sums = [...layerSums(seg, alive)].sort((a, b) => order(b[1], a[1]) || (a[0] === null ? 1 : b[0] === null ? -1 : a[0] < b[0] ? -1 : 1));
  const layers = sums.slice(0, SHOWN).map(([name, held]) => el("tr", {}, el("td", { textContent: name === null ? "unknown" : shorten(name, 80) }), number(grouped(held))));
  if (alive.rest) layers.push(el("tr", { className: "rest" }, el("td", { textContent: "reserved by spaces" }), number(grouped(alive.rest))));
  if (sums.length > SHOWN) layers.push(el("tr", {}, el("td", { textContent: `${grouped(sums.length - SHOWN)} others` }), number(grouped(sums.slice(SHOWN).reduce((sum, [, held]) => sum + held, zero)))));
  pane.replaceChildren(controls, heading, table("alive", ["block", "bytes"], rows, foot()), ...(FILE.layered ? [el("h3", { textContent: "by layer" }), table("layers", ["layer", "bytes"], layers, foot())] : []));
};

const comparePane = () => {
  const pane = byName("pane-compare");
  pane.replaceChildren();
  if (FILE.plans.length !== 2) { pane.append(el("p", { textContent: "Two plans can be compared: open two files at once." })); return; }
  for (const [before, after] of pairSegments(...FILE.plans)) {
    const d = differencesOf(before, after), change = d.after.peak - d.before.peak;
    pane.append(el("h2", { textContent: `${shorten((before || after).name, 60) || "memory"}: peak ${change > 0 ? "+" : ""}${bytes(change)}${d.before.peak ? ` (${change > 0 ? "+" : ""}${percent(change, d.before.peak).replace("-", "−")})` : ""}` }));
    const row = (name, a, b, className) => el("tr", { className: className || "" }, el("td", { textContent: name }), number(grouped(a)), number(grouped(b)), number(signed(b - a)));
    const layers = d.layers.filter((layer) => layer.before || layer.after);
    const rows = layers.slice(0, SHOWN).map((layer) => row(layer.name === null ? "origin unknown" : shorten(layer.name, 80), layer.before, layer.after));
    const others = layers.slice(SHOWN), sum = (side) => others.reduce((total, layer) => total + layer[side], d.zero);
    if (others.length) rows.push(row(`${grouped(others.length)} others`, sum("before"), sum("after")));
    const box = table("", ["layer", "before", "after", "change"], rows, [...(d.before.rest || d.after.rest ? [row("reserved by spaces", d.before.rest, d.after.rest)] : []), row("gaps", d.before.gaps, d.after.gaps), row("peak", d.before.peak, d.after.peak, "sum")]);
    box.className = "differences";
    pane.append(box);
  }
};

// Names of the legend are cut in their middle: layers of one model differ at either end.
const fitLabels = () => {
  for (const label of document.querySelectorAll("#legend .class .label")) {
    const line = label.parentElement, whole = line.title, room = line.clientWidth - (label.offsetLeft - line.offsetLeft) - 2;
    label.textContent = room > 0 ? fitLine(whole, room, 12) : shorten(whole, 24);
    // Fonts of the page and of the canvas that measured need not be set alike to the pixel.
    for (let less = 4; less < room && line.scrollWidth > line.clientWidth; less += 4) label.textContent = fitLine(whole, room - less, 12);
  }
};
const legend = () => {
  const box = byName("legend"), { classes } = makePalette();
  const weights = new Float64Array(classes.length);
  for (const { seg } of chosenPanels()) {
    const [low, high] = (rangeIn(seg) ?? [-Infinity, Infinity]).map(Number), of = classesOf(seg);
    for (let k = 0; k < seg.n; k++) weights[of[k]] += seg.bytes[k] * Math.max(0, Math.min(seg.till[k], high) - Math.max(seg.from[k], low));
  }
  let used = classes.map((found, k) => ({ ...found, k })).filter(({ k }) => weights[k] > 0);
  const more = Math.max(0, used.length - 40);
  if (more) { const heavy = new Set(used.slice().sort((a, b) => weights[b.k] - weights[a.k]).slice(0, 40)); used = used.filter((one) => heavy.has(one)); }
  const caption = { origin: FILE.layered ? "Colour: original layers, by name" : "Colour: blocks, by name", kind: "Colour: what a block holds", size: "Colour: size of a block" }[state.colour];
  box.replaceChildren(...used.length === 0 ? [] : [el("b", { textContent: caption }), el("div", { className: "classes" }, ...used.map((found) => el("span", { className: "class", title: visible(found.label) }, swatch(found), el("span", { className: "label", textContent: shorten(found.label, 200) }))))]);
  fitLabels();
  if (more) box.append(el("div", { className: "quiet", textContent: `and ${grouped(more)} more` }));
  const marks = [];
  if (chosenPanels().some(({ seg }) => seg.spaces.some(({ open }) => !open))) marks.push("dashed: space reserved for its blocks, striped where none lies");
  if (chosenPanels().some(({ seg }) => seg.spaces.some(({ open }) => open))) marks.push("dashed, not striped: open space, what its blocks leave is free");
  if (chosenPanels().some(({ seg }) => seg.wraps.size)) marks.push("↻ with bracket: one block in two pieces");
  if (marks.length) box.append(el("div", { className: "quiet", textContent: marks.join(" · ") }));
};
