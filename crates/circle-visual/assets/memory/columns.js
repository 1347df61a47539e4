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

// Fills in what is derived from the columns.
const finish = (seg) => {
  const n = seg.n;
  seg.first = new Float64Array(seg.bytes);
  for (const [entry, piece] of seg.wraps) seg.first[entry] = Math.max(0, seg.bytes[entry] - piece[1]);
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
  seg.faulty = new Map();
  for (const [entry, message] of seg.marks) if (entry >= 0) seg.faulty.set(entry, (seg.faulty.has(entry) ? `${seg.faulty.get(entry)}; ` : "") + message);
  return seg;
};

// The segment that the page came with.
const decodeSegment = (data, texts, plan) => {
  const n = data.at.length;
  const seg = {
    name: data.name, size: data.size === null ? null : Number(data.size), alignment: data.alignment || 1, unit: data.unit || "unknown", tickNames: data.tick_names, base: BigInt(data.base), n, texts, plan,
    at: data.at, from: new Float64Array(n), till: new Float64Array(n), low: new Float64Array(n), bytes: new Float64Array(data.size_of),
    name_of: data.name_of, group: data.group, kind: data.kind || null, space: data.space || null,
    tensor: data.tensor || null, writer: data.writer || null, readers: data.readers || null, ident: data.ident || null,
    originStart: new Uint32Array(n + 1), origins: data.origins, wraps: new Map(data.wraps.map(([entry, offset, size]) => [entry, [offset, size]])),
    stays: new Set(data.stays), marks: data.marks, leftOut: data.left_out, told: data.figures,
    spaces: data.spaces.map(([id, offset, size, from, life, reason]) => ({ id, offset, size, from, till: from + life, reason })),
  };
  let from = 0, offset = 0;
  for (let k = 0; k < n; k++) {
    from += data.from[k];
    offset += data.offset[k];
    seg.from[k] = from;
    seg.till[k] = from + data.life[k];
    seg.low[k] = offset;
    seg.originStart[k + 1] = seg.originStart[k] + data.origin_count[k];
  }
  return finish(seg);
};

const decode = (data) => {
  if (data === null || typeof data !== "object" || data.memory_page === undefined) throw new Error("the data in this page is not that of a memory plan");
  if (data.memory_page !== VERSION) throw new Error(`the data in this page has version ${shorten(String(data.memory_page), 40)}; this page knows ${VERSION}`);
  const texts = textsOf(data);
  const plans = data.plans.map((plan) => {
    let names = null;
    const decoded = { title: plan.title, about: plan.about, get originNames() { return (names ??= plan.origin_names.map(texts.at)); }, originIds: plan.origin_ids };
    decoded.segments = plan.segments.map((segment) => decodeSegment(segment, texts, decoded));
    return decoded;
  });
  return { plans, groups: data.groups, layered: data.layered };
};

const optionalText = (seg, column, k) => (column && column[k] >= 0 ? seg.texts.at(column[k]) : "");
const blockName = (seg, k) => seg.texts.at(seg.name_of[k]);
const originName = (plan, origin) => (origin < 0 ? `origin ${-1 - origin}` : plan.originNames[origin]);
const originsOf = (seg, k) => Array.from(new Set(Array.prototype.slice.call(seg.origins, seg.originStart[k], seg.originStart[k + 1])));
const kindOf = (seg, k) => (seg.kind && seg.kind[k] >= 0 ? seg.kind[k] : -1);
const spaceOf = (seg, k) => (seg.space ? seg.space[k] : -1);
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
