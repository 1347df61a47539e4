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

// Spaces that are reserved as a whole at some tick of a range.
const closedOf = (seg, r0, r1) => seg.exact.spaces.filter((space) => !space.open && space.size > 0 && space.from < space.till && space.from < r1 && space.till > r0);
// What needs memory of its own within a range of ticks: blocks, and closed spaces as a whole, which stand behind them. What
// lies in one of these, in address and in time, needs nothing besides. It looks like a segment where these are counted.
const claimsOf = (seg, r0, r1) => {
  const { exact, n } = seg, closed = closedOf(seg, r0, r1);
  const meets = (k) => exact.from[k] < r1 && exact.till[k] > r0 && exact.from[k] < exact.till[k];
  if (!closed.length) return { n, space: seg.space, exact, meets };
  const all = n + closed.length, spaces = new Map();
  for (const space of exact.spaces) if (space.from < space.till && space.from < r1 && space.till > r0 && !spaces.has(space.id)) spaces.set(space.id, space);
  const longer = (column, name) => { const list = exact.array(all); for (let k = 0; k < n; k++) list[k] = column[k]; closed.forEach((space, at) => { list[n + at] = space[name]; }); return list; };
  const { low: lows, from, till } = exact, own = new Uint8Array(all).fill(1), space = new Float64Array(all).fill(-1);
  for (let k = 0; k < n; k++) {
    space[k] = spaceOf(seg, k);
    const found = space[k] < 0 ? undefined : spaces.get(space[k]);
    if (found === undefined || found.open || !(found.size > 0)) continue;
    // Both lives end where the range does.
    const lasts = (from[k] >= found.from || r0 >= found.from) && (till[k] <= found.till || r1 <= found.till);
    if (lasts && pieces(exact, k).every(([low, size]) => !(size > 0) || (low >= found.offset && low + size <= found.offset + found.size))) own[k] = 0;
  }
  closed.forEach(({ id }, at) => { space[n + at] = id; });
  const claims = { ...exact, low: longer(lows, "offset"), first: longer(exact.first, "size"), from: longer(from, "from"), till: longer(till, "till") };
  return { n: all, space, exact: claims, meets: (k) => own[k] === 1 && (k >= n || meets(k)) };
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

// The alignment, where it may be counted; 1 where a block or a closed space does not keep it, or one lies in two pieces and
// in no closed space, so that another plan may divide it elsewhere.
const alignmentOf = (seg, meets) => {
  const { alignment, wraps, first, low, zero, one } = seg.exact;
  if (alignment < 2) return one;
  for (let k = 0; k < seg.n; k++) if (((first[k] > 0 && low[k] % alignment !== zero) || (wraps.has(k) && wraps.get(k)[1] > 0)) && meets(k)) return one;
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
const usage = (segment, range) => {
  const [r0, r1] = range || [-Infinity, Infinity], seg = claimsOf(segment, r0, r1), { n, meets } = seg, { first, wraps, low, from, till, wide, zero, one, array } = seg.exact;
  const begin = new Int32Array(n);
  let count = 0;
  for (let k = 0; k < n; k++) if (meets(k)) begin[count++] = k;
  // Blocks stand by beginning of life, spaces behind them.
  const some = begin.subarray(0, count), alive = n > segment.n ? sortedBy(some, n, from, wide) : some, ends = sortedBy(alive, n, till, wide);
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
  for (const [k, [offset, size]] of wraps) if (meets(k) && size > 0 && offset + size > high[k]) high[k] = offset + size;
  const top = highest(sortedBy(alive, n, high, wide), steps, since, until, high, array);
  let need = zero, needAt = null;
  if (mostFree > 0) {
    for (let at = 0; at < count; at++) filled[alive[at]] -= first[alive[at]];
    const free = highest(sortedBy(alive, n, filled, wide), steps, since, until, filled, array);
    for (let step = 0; step < steps; step++) if (held[step] - free[step] > need) { need = held[step] - free[step]; needAt = tick[step]; }
  }
  return { tick: tick.slice(0, steps), live: live.slice(0, steps), top, need, needAt };
};

// The lowest address of what has bytes and lives within a range of ticks.
const groundOf = (seg, range) => {
  const [r0, r1] = range || [-Infinity, Infinity], { exact } = seg, { from, till } = exact;
  let low = null;
  const enter = (offset, size) => { if (size > 0 && (low === null || offset < low)) low = offset; };
  for (let k = 0; k < seg.n; k++) if (from[k] < till[k] && from[k] < r1 && till[k] > r0) { enter(exact.low[k], exact.first[k]); if (exact.wraps.has(k)) enter(...exact.wraps.get(k)); }
  for (const { offset, size } of closedOf(seg, r0, r1)) enter(offset, size);
  return low === null ? exact.zero : low;
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
  for (const space of seg.spaces) if (!space.open && space.size > 0 && space.from < space.till) { first = Math.min(first, space.from); end = Math.max(end, space.till); }
  const peakTick = peakAt < 0 ? null : steps.tick[peakAt];
  // What is counted in use lies between its lowest address and the peak; if that is more bytes, blocks overlap.
  const overlapping = peakTick !== null && bound > peak - groundOf(seg, range);
  const { gap: gaps, rest } = peakTick === null ? { gap: zero, rest: zero } : aliveAt(seg, peakTick);
  const drawn = (list) => (wide ? Float64Array.from(list, Number) : list);
  return { steps: { tick: drawn(steps.tick), live: drawn(steps.live), top: drawn(steps.top) }, peak, peakTick, bound, boundTick, overlapping, gaps, rest, first, end, blocks };
};

// Blocks alive at a tick with the bytes that are theirs, closed spaces with those that no block takes, all of these as `rest`,
// and the bytes of the gaps; together exactly `top`.
const aliveAt = (seg, tick) => {
  const blocks = [], spans = [], { exact } = seg, { zero } = exact;
  const reserved = exact.spaces.filter((space) => !space.open && space.size > 0 && space.from <= tick && tick < space.till).map((space) => [space, zero]);
  // Whatever lies on them takes its bytes.
  reserved.forEach(([{ offset, size }], at) => spans.push([offset, offset + size, at - reserved.length]));
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
  let at = zero, top = zero, gap = zero, rest = zero, next = 0;
  while (true) {
    while (next < spans.length && spans[next][0] <= at) open.push(next++);
    while (open.size && spans[open.top][1] <= at) open.pop();
    if (open.size) {
      const end = spans[open.top][1], until = next < spans.length && spans[next][0] < end ? spans[next][0] : end;
      const owner = spans[open.top][2];
      if (owner < 0) { reserved[reserved.length + owner][1] += until - at; rest += until - at; } else blocks[owner][1] += until - at;
      at = top = until;
    } else if (next < spans.length) { gap += spans[next][0] - at; at = spans[next][0]; } else break;
  }
  return { tick, blocks, reserved, rest, gap, top };
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
    const found = seg ? figures(seg) : { peak: 0, gaps: 0, rest: 0, peakTick: null };
    const sums = found.peakTick === null ? [] : Array.from(layerSums(seg, aliveAt(seg, found.peakTick)), ([name, held]) => [name, of(held)]);
    return { figures: { peak: of(found.peak), gaps: of(found.gaps), rest: of(found.rest) }, sums: new Map(sums) };
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
