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
const coverOf = (places, { zero, array, sorted }) => {
  const bounds = sorted(new Set(places));
  const times = new Uint32Array(4 * Math.max(1, bounds.length)), covered = array(times.length);
  const find = (value) => { let low = 0, high = bounds.length; while (low < high) { const m = (low + high) >> 1; if (bounds[m] < value) low = m + 1; else high = m; } return low; };
  const descend = (node, low, high, from, till, by) => {
    if (from <= low && high <= till) times[node] += by;
    else {
      const middle = (low + high) >> 1;
      if (from < middle) descend(2 * node, low, middle, from, till, by);
      if (till > middle) descend(2 * node + 1, middle, high, from, till, by);
    }
    covered[node] = times[node] > 0 ? bounds[high] - bounds[low] : high - low > 1 ? covered[2 * node] + covered[2 * node + 1] : zero;
  };
  return (start, end, by) => { const before = covered[1]; if (end > start) descend(1, 0, bounds.length - 1, find(start), find(end), by); return covered[1] - before; };
};

// How bytes change when a block begins or ends, its pieces rounded up to multiples of a unit: what blocks of one space
// share counts once. Begins are counted by `one`, ends by its negative.
const changesOf = (seg, meets, unit) => {
  const { exact } = seg, { zero } = exact;
  const rounded = unit > 1 ? (end) => { const over = end % unit; return over > 0 ? end + (unit - over) : end; } : (end) => end;
  const covers = new Map();
  if (seg.space) {
    const places = new Map();
    for (let k = 0; k < seg.n; k++) {
      if (seg.space[k] < 0 || !meets(k)) continue;
      let list = places.get(seg.space[k]);
      if (!list) places.set(seg.space[k], (list = []));
      for (const [offset, size] of pieces(exact, k)) if (size > 0) list.push(offset, rounded(offset + size));
    }
    for (const [space, list] of places) covers.set(space, coverOf(list, exact));
  }
  return (k, by) => {
    const space = spaceOf(seg, k);
    if (space < 0) { const all = rounded(exact.first[k]) + (exact.wraps.has(k) ? rounded(exact.wraps.get(k)[1]) : zero); return by < 0 ? -all : all; }
    let sum = zero;
    for (const [offset, size] of pieces(exact, k)) if (size > 0) sum += covers.get(space)(offset, rounded(offset + size), by);
    return sum;
  };
};

// The alignment, where it may be counted; 1 where a block does not keep it, or lies in two pieces, which another plan may
// divide elsewhere.
const alignmentOf = (seg, meets) => {
  const { alignment, wraps, bytes, low, zero, one } = seg.exact;
  if (alignment < 2) return one;
  for (let k = 0; k < seg.n; k++) if (bytes[k] > 0 && (low[k] % alignment !== zero || (wraps.has(k) && wraps.get(k)[1] > 0)) && meets(k)) return one;
  return alignment;
};

// Numbers sort much faster than blocks: a value and a block in one, where that can be.
const sortedBy = (list, n, value, wide) => {
  const byValue = () => Int32Array.from(list).sort((a, b) => order(value[a], value[b]) || a - b);
  if (wide) return byValue();
  const count = list.length, scale = 2 ** Math.ceil(Math.log2(Math.max(2, n)));
  const keys = new Float64Array(count), sorted = new Int32Array(count);
  let most = 0;
  for (let at = 0; at < count; at++) { const k = list[at], v = value[k]; if (v > most) most = v; keys[at] = v * scale + k; }
  if (most * scale > Number.MAX_SAFE_INTEGER) return byValue();
  keys.sort();
  for (let at = 0; at < count; at++) sorted[at] = keys[at] % scale;
  return sorted;
};

// The highest value of the blocks alive at each step: from the highest block on, steps that have none yet take its value.
const highest = (sorted, steps, since, until, value, array) => {
  const found = array(steps), next = new Int32Array(steps + 1);
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
  const [r0, r1] = range || [-Infinity, Infinity], { n } = seg, { first, wraps, low, from, till, wide, zero, one, array } = seg.exact;
  const meets = (k) => from[k] < r1 && till[k] > r0 && from[k] < till[k];
  const begin = new Int32Array(n);
  let count = 0;
  for (let k = 0; k < n; k++) if (from[k] < r1 && till[k] > r0 && from[k] < till[k]) begin[count++] = k;
  const alive = begin.subarray(0, count), ends = sortedBy(alive, n, till, wide);
  const unit = alignmentOf(seg, meets), shared = seg.space !== null || wraps.size > 0;
  const change = shared ? changesOf(seg, meets, one) : null, aligned = shared && unit > 1 ? changesOf(seg, meets, unit) : null;
  // Bytes of a piece with what alignment leaves free behind it.
  const filled = array(unit > 1 ? n : 0);
  let mostFree = zero;
  if (unit > 1) for (let at = 0; at < count; at++) { const k = alive[at], bytes = first[k], over = bytes % unit, free = over > 0 ? unit - over : zero; filled[k] = bytes + free; if (free > mostFree) mostFree = free; }
  const tick = array(2 * count), live = array(2 * count), held = array(mostFree > 0 ? 2 * count : 0);
  // Steps at which blocks begin and end.
  const since = new Int32Array(n), until = new Int32Array(n);
  let steps = 0, begun = 0, ended = 0, now = zero, whole = zero;
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
  const high = array(n);
  for (let at = 0; at < count; at++) { const k = alive[at]; high[k] = first[k] > 0 ? low[k] + first[k] : zero; }
  for (const [k, [offset, size]] of wraps) if (size > 0 && offset + size > high[k]) high[k] = offset + size;
  const top = highest(sortedBy(alive, n, high, wide), steps, since, until, high, array);
  let need = zero, needAt = null;
  if (mostFree > 0) {
    for (let at = 0; at < count; at++) filled[alive[at]] -= first[alive[at]];
    const free = highest(sortedBy(alive, n, filled, wide), steps, since, until, filled, array);
    for (let step = 0; step < steps; step++) if (held[step] - free[step] > need) { need = held[step] - free[step]; needAt = tick[step]; }
  }
  return { tick: tick.slice(0, steps), live: live.slice(0, steps), top, need, needAt };
};

// The figures of a segment, exact; its steps as they are drawn.
const figuresOf = (seg, range) => {
  const steps = usage(seg, range), { wide, zero } = seg.exact;
  let peak = zero, bound = zero, peakAt = -1, boundAt = -1, blocks = 0;
  for (let k = 0; k < steps.tick.length; k++) {
    if (steps.live[k] > bound) { bound = steps.live[k]; boundAt = k; }
    if (steps.top[k] > peak || (steps.top[k] === peak && peakAt >= 0 && steps.live[k] > steps.live[peakAt])) { peak = steps.top[k]; peakAt = k; }
  }
  let boundTick = boundAt < 0 ? null : steps.tick[boundAt];
  if (steps.need > bound) { bound = steps.need; boundTick = steps.needAt; }
  let first = Infinity, end = -Infinity;
  for (let k = 0; k < seg.n; k++) if (seg.exact.from[k] < seg.exact.till[k]) { first = Math.min(first, seg.from[k]); end = Math.max(end, seg.till[k]); blocks++; }
  const peakTick = peakAt < 0 ? null : steps.tick[peakAt];
  const gaps = peakTick === null ? zero : aliveAt(seg, peakTick).gap;
  const drawn = (list) => (wide ? Float64Array.from(list, Number) : list);
  return { steps: { tick: drawn(steps.tick), live: drawn(steps.live), top: drawn(steps.top) }, peak, peakTick, bound, boundTick, gaps, first, end, blocks };
};

// Blocks alive at a tick with the bytes that are theirs, and the bytes of the gaps; together exactly `top`.
const aliveAt = (seg, tick) => {
  const blocks = [], spans = [], { exact } = seg, { zero } = exact;
  atTick(seg, tick, (start, end) => {
    for (let k = start; k < end; k++) {
      if (exact.from[k] > tick || exact.till[k] <= tick) continue;
      const rank = blocks.length;
      blocks.push([k, zero]);
      for (const [offset, size] of pieces(exact, k)) if (size > 0) spans.push([offset, offset + size, rank]);
    }
  });
  spans.sort((a, b) => order(a[0], b[0]));
  // Blocks stand by beginning of life: the larger rank began later, and what it lies on is its own.
  const open = heap((a, b) => spans[a][2] > spans[b][2]);
  let at = zero, top = zero, gap = zero, next = 0;
  while (true) {
    while (next < spans.length && spans[next][0] <= at) open.push(next++);
    while (open.size && spans[open.top][1] <= at) open.pop();
    if (open.size) {
      const end = spans[open.top][1], until = next < spans.length && spans[next][0] < end ? spans[next][0] : end;
      blocks[spans[open.top][2]][1] += until - at;
      at = top = until;
    } else if (next < spans.length) { gap += spans[next][0] - at; at = spans[next][0]; } else break;
  }
  return { tick, blocks, gap, top };
};

// Bytes by layer: those of a block with several are split evenly, what is left over goes to the first, one byte each.
const layerSums = (seg, alive) => {
  const sums = new Map(), { zero, one, of } = seg.exact;
  const add = (name, value) => sums.set(name, (sums.get(name) || zero) + value);
  for (const [k, held] of alive.blocks) {
    const origins = originsOf(seg, k);
    if (!origins.length) { add(null, held); continue; }
    const count = of(origins.length), left = held % count, each = (held - left) / count;
    origins.forEach((origin, position) => add(originName(seg.plan, origin), each + (position < left ? one : zero)));
  }
  return sums;
};

// Differences of two segments (or of one and nothing) by layer, at each one's own peak.
const differencesOf = (before, after) => {
  const { of, zero } = [before, after].some((seg) => seg && seg.exact.wide) ? WIDE : PLAIN;
  const side = (seg) => {
    const found = seg ? figures(seg) : { peak: 0, gaps: 0, peakTick: null };
    const sums = found.peakTick === null ? [] : Array.from(layerSums(seg, aliveAt(seg, found.peakTick)), ([name, held]) => [name, of(held)]);
    return { figures: { peak: of(found.peak), gaps: of(found.gaps) }, sums: new Map(sums) };
  };
  const [a, b] = [side(before), side(after)];
  const names = [...new Set([...a.sums.keys(), ...b.sums.keys()])];
  const layers = names.map((name) => ({ name, before: a.sums.get(name) || zero, after: b.sums.get(name) || zero }));
  layers.sort((x, y) => order(absolute(y.after - y.before), absolute(x.after - x.before)) || (x.name === null ? -1 : y.name === null ? 1 : x.name < y.name ? -1 : x.name > y.name ? 1 : 0));
  return { before: a.figures, after: b.figures, layers, zero };
};

// Segments of one name are one; if each plan has a single segment, these are.
const pairSegments = (before, after) => {
  if (before.segments.length === 1 && after.segments.length === 1) return [[before.segments[0], after.segments[0]]];
  const left = after.segments.slice();
  const pairs = before.segments.map((seg) => { const at = left.findIndex((other) => other.name === seg.name); return [seg, at < 0 ? null : left.splice(at, 1)[0]]; });
  return pairs.concat(left.map((seg) => [null, seg]));
};
