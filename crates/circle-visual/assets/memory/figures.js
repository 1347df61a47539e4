// Peak, lower bound, who holds which byte when; the same definitions as in the static pictures.

// A heap of block numbers by key.
const heap = (before) => {
  const items = [];
  return {
    get top() { return items[0]; }, get size() { return items.length; },
    push: (item) => {
      let k = items.length;
      items.push(item);
      while (k > 0) { const up = (k - 1) >> 1; if (!before(items[k], items[up])) break; [items[k], items[up]] = [items[up], items[k]]; k = up; }
    },
    pop: () => {
      const last = items.pop();
      if (!items.length) return;
      items[0] = last;
      for (let k = 0; ;) {
        let least = k;
        for (const child of [2 * k + 1, 2 * k + 2]) if (child < items.length && before(items[child], items[least])) least = child;
        if (least === k) break;
        [items[k], items[least]] = [items[least], items[k]];
        k = least;
      }
    },
  };
};

// Bytes that ranges of a changing set cover.
const coverOf = (places) => {
  const bounds = Float64Array.from(new Set(places)).sort();
  const times = new Uint32Array(4 * Math.max(1, bounds.length)), covered = new Float64Array(times.length);
  const find = (value) => { let low = 0, high = bounds.length; while (low < high) { const m = (low + high) >> 1; if (bounds[m] < value) low = m + 1; else high = m; } return low; };
  const descend = (node, low, high, from, till, by) => {
    if (from <= low && high <= till) times[node] += by;
    else {
      const middle = (low + high) >> 1;
      if (from < middle) descend(2 * node, low, middle, from, till, by);
      if (till > middle) descend(2 * node + 1, middle, high, from, till, by);
    }
    covered[node] = times[node] > 0 ? bounds[high] - bounds[low] : high - low > 1 ? covered[2 * node] + covered[2 * node + 1] : 0;
  };
  return (start, end, by) => { const before = covered[1]; if (end > start) descend(1, 0, bounds.length - 1, find(start), find(end), by); return covered[1] - before; };
};

// How bytes change when a block begins or ends, its pieces rounded up to multiples of a unit: what blocks of one space
// share counts once.
const changesOf = (seg, meets, unit) => {
  const rounded = unit > 1 ? (end) => Math.ceil(end / unit) * unit : (end) => end;
  const covers = new Map();
  if (seg.space) {
    const places = new Map();
    for (let k = 0; k < seg.n; k++) {
      if (seg.space[k] < 0 || !meets(k)) continue;
      let list = places.get(seg.space[k]);
      if (!list) places.set(seg.space[k], (list = []));
      for (const [offset, size] of pieces(seg, k)) if (size > 0) list.push(offset, rounded(offset + size));
    }
    for (const [space, list] of places) covers.set(space, coverOf(list));
  }
  return (k, by) => {
    const space = spaceOf(seg, k);
    if (space < 0) return by * (rounded(seg.first[k]) + (seg.wraps.has(k) ? rounded(seg.wraps.get(k)[1]) : 0));
    let sum = 0;
    for (const [offset, size] of pieces(seg, k)) if (size > 0) sum += covers.get(space)(offset, rounded(offset + size), by);
    return sum;
  };
};

// The alignment, where it may be counted; 1 where a block does not keep it, or lies in two pieces, which another plan may
// divide elsewhere.
const alignmentOf = (seg, meets) => {
  const { alignment, n, wraps, bytes, low } = seg;
  if (alignment < 2) return 1;
  for (let k = 0; k < n; k++) if (bytes[k] > 0 && (low[k] % alignment !== 0 || (wraps.has(k) && wraps.get(k)[1] > 0)) && meets(k)) return 1;
  return alignment;
};

// Numbers sort much faster than blocks: a value and a block in one, where that can be.
const sortedBy = (list, n, value) => {
  const count = list.length, scale = 2 ** Math.ceil(Math.log2(Math.max(2, n)));
  const keys = new Float64Array(count), sorted = new Int32Array(count);
  let most = 0;
  for (let at = 0; at < count; at++) { const k = list[at], v = value[k]; if (v > most) most = v; keys[at] = v * scale + k; }
  if (most * scale > Number.MAX_SAFE_INTEGER) return Int32Array.from(list).sort((a, b) => value[a] - value[b] || a - b);
  keys.sort();
  for (let at = 0; at < count; at++) sorted[at] = keys[at] % scale;
  return sorted;
};

// The highest value of the blocks alive at each step: from the highest block on, steps that have none yet take its value.
const highest = (sorted, steps, since, until, value) => {
  const found = new Float64Array(steps), next = new Int32Array(steps + 1);
  for (let step = 0; step <= steps; step++) next[step] = step;
  for (let at = sorted.length - 1; at >= 0; at--) {
    const k = sorted[at], end = until[k];
    let step = since[k];
    while (next[step] !== step) step = next[step] = next[next[step]];
    while (step < end) {
      found[step] = value[k];
      next[step] = step + 1;
      step++;
      while (next[step] !== step) step = next[step] = next[next[step]];
    }
  }
  return found;
};

// Steps of what is in use within a range of ticks (or everywhere): ticks, live bytes, ends of the highest byte; and what
// alignment makes of the live bytes: the most that is needed, and when.
const usage = (seg, range) => {
  const [r0, r1] = range || [-Infinity, Infinity], { n, first, wraps, low, from, till } = seg;
  const meets = (k) => from[k] < r1 && till[k] > r0 && from[k] < till[k];
  const begin = new Int32Array(n);
  let count = 0;
  for (let k = 0; k < n; k++) if (from[k] < r1 && till[k] > r0 && from[k] < till[k]) begin[count++] = k;
  const alive = begin.subarray(0, count), ends = sortedBy(alive, n, till);
  const unit = alignmentOf(seg, meets), shared = seg.space !== null || wraps.size > 0;
  const change = shared ? changesOf(seg, meets, 1) : null, aligned = shared && unit > 1 ? changesOf(seg, meets, unit) : null;
  // Bytes of a piece with what alignment leaves free behind it.
  const filled = new Float64Array(unit > 1 ? n : 0);
  let mostFree = 0;
  if (unit > 1) for (let at = 0; at < count; at++) { const k = alive[at], bytes = first[k], over = bytes % unit, free = over > 0 ? unit - over : 0; filled[k] = bytes + free; if (free > mostFree) mostFree = free; }
  const tick = new Float64Array(2 * count), live = new Float64Array(2 * count), held = new Float64Array(mostFree > 0 ? 2 * count : 0);
  // Steps at which blocks begin and end.
  const since = new Int32Array(n), until = new Int32Array(n);
  let steps = 0, begun = 0, ended = 0, now = 0, whole = 0;
  while (ended < count) {
    const born = begun < count ? from[alive[begun]] : Infinity, over = till[ends[ended]];
    let at = born < over ? born : over;
    if (at < r0) at = r0;
    if (at >= r1) break;
    while (ended < count && till[ends[ended]] <= at) {
      const k = ends[ended++];
      now += change ? change(k, -1) : -first[k];
      if (mostFree > 0) whole += aligned ? aligned(k, -1) : -filled[k];
      until[k] = steps;
    }
    while (begun < count && from[alive[begun]] <= at) {
      const k = alive[begun++];
      now += change ? change(k, 1) : first[k];
      if (mostFree > 0) whole += aligned ? aligned(k, 1) : filled[k];
      since[k] = steps;
    }
    tick[steps] = at;
    live[steps] = now;
    if (mostFree > 0) held[steps] = whole;
    steps++;
  }
  // Those that outlive the range.
  for (; ended < count; ended++) until[ends[ended]] = steps;
  const high = new Float64Array(n);
  for (let at = 0; at < count; at++) { const k = alive[at]; high[k] = first[k] > 0 ? low[k] + first[k] : 0; }
  for (const [k, [offset, size]] of wraps) if (size > 0) high[k] = Math.max(high[k], offset + size);
  const top = highest(sortedBy(alive, n, high), steps, since, until, high);
  let need = 0, needAt = -1;
  if (mostFree > 0) {
    for (let at = 0; at < count; at++) filled[alive[at]] -= first[alive[at]];
    const free = highest(sortedBy(alive, n, filled), steps, since, until, filled);
    for (let step = 0; step < steps; step++) if (held[step] - free[step] > need) { need = held[step] - free[step]; needAt = tick[step]; }
  }
  return { tick: tick.subarray(0, steps), live: live.subarray(0, steps), top, need, needAt };
};

const figuresOf = (seg, range) => {
  const steps = usage(seg, range);
  let peak = 0, bound = 0, peakAt = -1, boundAt = -1, blocks = 0;
  for (let k = 0; k < steps.tick.length; k++) {
    if (steps.live[k] > bound) { bound = steps.live[k]; boundAt = k; }
    if (steps.top[k] > peak || (steps.top[k] === peak && peakAt >= 0 && steps.live[k] > steps.live[peakAt])) { peak = steps.top[k]; peakAt = k; }
  }
  let boundTick = boundAt < 0 ? null : steps.tick[boundAt];
  if (steps.need > bound) { bound = steps.need; boundTick = steps.needAt; }
  let first = Infinity, end = -Infinity;
  for (let k = 0; k < seg.n; k++) if (seg.from[k] < seg.till[k]) { first = Math.min(first, seg.from[k]); end = Math.max(end, seg.till[k]); blocks++; }
  const peakTick = peakAt < 0 ? null : steps.tick[peakAt];
  const gaps = peakTick === null ? 0 : aliveAt(seg, peakTick).gap;
  return { steps, peak, peakTick, bound, boundTick, gaps, first, end, blocks };
};

// Blocks alive at a tick with the bytes that are theirs, and the bytes of the gaps; together exactly `top`.
const aliveAt = (seg, tick) => {
  const blocks = [], spans = [];
  inWindow(seg, tick, tick + 1, -1, Infinity, (start, end) => {
    for (let k = start; k < end; k++) {
      if (seg.from[k] > tick || seg.till[k] <= tick) continue;
      const rank = blocks.length;
      blocks.push([k, 0]);
      for (const [offset, size] of pieces(seg, k)) if (size > 0) spans.push([offset, offset + size, rank]);
    }
  });
  spans.sort((a, b) => a[0] - b[0]);
  // Blocks stand by beginning of life: the larger rank began later, and what it lies on is its own.
  const open = heap((a, b) => spans[a][2] > spans[b][2]);
  let at = 0, top = 0, gap = 0, next = 0;
  while (true) {
    while (next < spans.length && spans[next][0] <= at) open.push(next++);
    while (open.size && spans[open.top][1] <= at) open.pop();
    if (open.size) {
      const until = Math.min(spans[open.top][1], next < spans.length ? spans[next][0] : Infinity);
      blocks[spans[open.top][2]][1] += until - at;
      at = top = until;
    } else if (next < spans.length) { gap += spans[next][0] - at; at = spans[next][0]; } else break;
  }
  return { tick, blocks, gap, top };
};

// Bytes by layer: those of a block with several are split evenly, what is left over goes to the first, one byte each.
const layerSums = (seg, alive) => {
  const sums = new Map();
  const add = (name, value) => sums.set(name, (sums.get(name) || 0) + value);
  for (const [k, held] of alive.blocks) {
    const origins = originsOf(seg, k);
    if (!origins.length) add(null, held);
    const each = Math.floor(held / origins.length), left = held - each * origins.length;
    origins.forEach((origin, position) => add(originName(seg.plan, origin), each + (position < left ? 1 : 0)));
  }
  return sums;
};

// Differences of two segments (or of one and nothing) by layer, at each one's own peak.
const differencesOf = (before, after, range) => {
  const side = (seg) => {
    const figures = seg ? figuresOf(seg, range) : { peak: 0, gaps: 0, peakTick: null };
    return { figures, sums: figures.peakTick === null ? new Map() : layerSums(seg, aliveAt(seg, figures.peakTick)) };
  };
  const [a, b] = [side(before), side(after)];
  const names = [...new Set([...a.sums.keys(), ...b.sums.keys()])];
  const layers = names.map((name) => ({ name, before: a.sums.get(name) || 0, after: b.sums.get(name) || 0 }));
  layers.sort((x, y) => Math.abs(y.after - y.before) - Math.abs(x.after - x.before) || (x.name === null ? -1 : y.name === null ? 1 : x.name < y.name ? -1 : x.name > y.name ? 1 : 0));
  return { before: a.figures, after: b.figures, layers };
};

// Segments of one name are one; if each plan has a single segment, these are.
const pairSegments = (before, after) => {
  if (before.segments.length === 1 && after.segments.length === 1) return [[before.segments[0], after.segments[0]]];
  const left = after.segments.slice();
  const pairs = before.segments.map((seg) => { const at = left.findIndex((other) => other.name === seg.name); return [seg, at < 0 ? null : left.splice(at, 1)[0]]; });
  return pairs.concat(left.map((seg) => [null, seg]));
};
