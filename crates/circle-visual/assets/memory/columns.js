// Plans as columns. Blocks stand in the order in which they begin to live, which is that of drawing.

const VERSION = 1;
const CHUNK = 128;

// Texts that share their beginning with the one before. They are put together when they are asked for: most are names of
// blocks that are too small to show one.
const textsOf = ({ shared, strings }) => {
  const known = new Array(strings.length);
  const at = (k) => {
    if (known[k] !== undefined) return known[k];
    let from = k;
    while (from > 0 && shared[from] > 0 && known[from - 1] === undefined) from--;
    let before = from > 0 ? known[from - 1] || "" : "";
    for (; from <= k; from++) known[from] = before = before.slice(0, shared[from]) + strings[from];
    return before;
  };
  return { at, all: () => strings.map((_, k) => at(k)) };
};

// How the numbers of a segment are counted: as numbers where these are exact, else as big ones. What is counted in one way
// is never mixed with the other; comparing may be.
const PLAIN = { wide: false, zero: 0, one: 1, of: Number, array: (n) => new Float64Array(n), sorted: (list) => Float64Array.from(list).sort() };
const WIDE = { wide: true, zero: 0n, one: 1n, of: BigInt, array: (n) => new Array(n).fill(0n), sorted: (list) => [...list].sort(order) };
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const absolute = (value) => (value < 0 ? -value : value);

// The words of all faults that a block has part in.
const markFaulty = (seg) => {
  const words = new Map();
  const enter = (entry, message) => { if (words.has(entry)) words.get(entry).push(message); else words.set(entry, [message]); };
  for (const [one, message, other = -1] of seg.marks) for (const entry of [one, other]) if (entry >= 0) enter(entry, message);
  for (const [, message, , , rest = []] of seg.marks) for (const entry of rest) if (!words.has(entry)) enter(entry, message);
  seg.faulty = new Map(Array.from(words, ([entry, list]) => [entry, list.join("; ")]));
};

// Fills in what is derived from the columns. `seg.exact` holds all numbers as they are, `seg` those that are drawn, which of
// a wide segment are the nearest ones that scripts draw with.
const finish = (seg, exact) => {
  const n = seg.n, { wide } = exact;
  exact.first = wide ? exact.bytes.slice() : new Float64Array(exact.bytes);
  for (const [entry, piece] of exact.wraps) exact.first[entry] = exact.bytes[entry] > piece[1] ? exact.bytes[entry] - piece[1] : exact.zero;
  seg.exact = exact;
  for (const name of ["from", "till", "low", "bytes", "first"]) seg[name] = wide ? Float64Array.from(exact[name], Number) : exact[name];
  seg.size = exact.size === null ? null : Number(exact.size);
  seg.wraps = wide ? new Map(Array.from(exact.wraps, ([entry, piece]) => [entry, piece.map(Number)])) : exact.wraps;
  seg.spaces = wide ? exact.spaces.map((space) => ({ ...space, offset: Number(space.offset), size: Number(space.size), from: Number(space.from), till: Number(space.till) })) : exact.spaces;
  const chunks = Math.ceil(n / CHUNK);
  seg.chunkTill = new Float64Array(chunks);
  seg.chunkLow = new Float64Array(chunks).fill(Infinity);
  seg.chunkHigh = new Float64Array(chunks);
  for (let c = 0; c < chunks; c++) {
    let till = 0, low = Infinity, high = 0;
    for (let k = c * CHUNK, end = Math.min(n, k + CHUNK); k < end; k++) {
      if (seg.till[k] > till) till = seg.till[k];
      if (seg.low[k] < low) low = seg.low[k];
      if (seg.low[k] + seg.first[k] > high) high = seg.low[k] + seg.first[k];
    }
    seg.chunkTill[c] = till;
    seg.chunkLow[c] = low;
    seg.chunkHigh[c] = high;
  }
  for (const [entry, [offset, size]] of seg.wraps) {
    const c = Math.floor(entry / CHUNK);
    seg.chunkLow[c] = Math.min(seg.chunkLow[c], offset);
    seg.chunkHigh[c] = Math.max(seg.chunkHigh[c], offset + size);
  }
  markFaulty(seg);
  return seg;
};

// The segment that the page came with.
const decodeSegment = (data, texts, plan) => {
  const n = data.at.length;
  const seg = {
    name: data.name, unit: data.unit || "unknown", tickNames: data.tick_names, base: BigInt(data.base), n, texts, plan, at: data.at,
    name_of: data.name_of, group: data.group, kind: data.kind || null, space: data.space || null,
    tensor: data.tensor || null, writer: data.writer || null, readers: data.readers || null, ident: data.ident || null,
    originStart: new Uint32Array(n + 1), origins: data.origins, stays: new Set(data.stays), marks: data.marks, warnings: data.warnings ?? [], note: data.note ?? "", told: data.figures,
  };
  for (let k = 0; k < n; k++) seg.originStart[k + 1] = seg.originStart[k] + data.origin_count[k];
  // Numbers that scripts do not count with are texts.
  const count = data.wide ? WIDE : PLAIN, { of } = count, columns = data.wide || data;
  const exact = {
    ...count, from: count.array(n), till: count.array(n), low: count.array(n), bytes: data.wide ? columns.size_of.map(of) : new Float64Array(columns.size_of),
    size: data.size === null ? null : of(data.size), alignment: of(columns.alignment || 1),
    wraps: new Map(columns.wraps.map(([entry, offset, size]) => [entry, [of(offset), of(size)]])),
    spaces: columns.spaces.map(([id, offset, size, from, life, reason, open]) => ({ id, offset: of(offset), size: of(size), from: of(from), till: of(from) + of(life), reason, open })),
  };
  let from = 0, offset = 0;
  for (let k = 0; k < n; k++) {
    from = data.wide ? BigInt(columns.from[k]) : from + columns.from[k];
    offset = data.wide ? BigInt(columns.offset[k]) : offset + columns.offset[k];
    exact.from[k] = from;
    exact.till[k] = from + (data.wide ? BigInt(columns.life[k]) : columns.life[k]);
    exact.low[k] = offset;
  }
  return finish(seg, exact);
};

const decode = (data) => {
  if (data === null || typeof data !== "object" || data.memory_page === undefined) throw new Error("the data in this page is not that of a memory plan");
  if (data.memory_page !== VERSION) throw new Error(`the data in this page has version ${shorten(String(data.memory_page), 40)}; this page knows ${VERSION}`);
  const texts = textsOf(data);
  const plans = data.plans.map((plan) => {
    let names = null;
    const decoded = { title: plan.title, about: plan.about, marks: plan.marks ?? [], get originNames() { return (names ??= plan.origin_names.map(texts.at)); }, originIds: plan.origin_ids };
    decoded.segments = plan.segments.map((segment) => decodeSegment(segment, texts, decoded));
    return decoded;
  });
  return { plans, groups: data.groups, layered: data.layered };
};

// The same for those some of which may be alive at a tick. Numbers of wide segments are rounded where they are drawn, so
// that all of them may be.
const atTick = (seg, tick, each) => (seg.exact.wide ? each(0, seg.n) : inWindow(seg, tick, tick + 1, -1, Infinity, each));

const optionalText = (seg, column, k) => (column && column[k] >= 0 ? seg.texts.at(column[k]) : "");
const blockName = (seg, k) => seg.texts.at(seg.name_of[k]);
const originName = (plan, origin) => (origin < 0 ? `origin ${-1 - origin}` : plan.originNames[origin]);
const originsOf = (seg, k) => Array.from(new Set(Array.prototype.slice.call(seg.origins, seg.originStart[k], seg.originStart[k + 1])));
const kindOf = (seg, k) => (seg.kind && seg.kind[k] >= 0 ? seg.kind[k] : -1);
const spaceOf = (seg, k) => (seg.space ? seg.space[k] : -1);
// The pieces of a block as they are drawn; those of `seg.exact` as they are.
const pieces = (seg, k) => {
  const list = seg.first[k] > 0 || !seg.wraps.has(k) ? [[seg.low[k], seg.first[k]]] : [];
  if (seg.wraps.has(k)) list.push(seg.wraps.get(k));
  return list;
};

// Number of blocks that begin before a tick.
const begunBefore = (seg, tick) => {
  let low = 0, high = seg.n;
  while (low < high) { const middle = (low + high) >> 1; if (seg.from[middle] < tick) low = middle + 1; else high = middle; }
  return low;
};
// Calls back for stretches of blocks some of which may be in a window.
const inWindow = (seg, x0, x1, y0, y1, each) => {
  const end = begunBefore(seg, x1);
  for (let c = 0; c * CHUNK < end; c++) {
    if (seg.chunkTill[c] <= x0 || seg.chunkLow[c] >= y1 || seg.chunkHigh[c] <= y0) continue;
    each(c * CHUNK, Math.min(end, (c + 1) * CHUNK));
  }
};
