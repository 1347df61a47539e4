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

// The blocks that are wanted, by beginning and by end of life.
const byEnd = (seg, wanted) => {
  const alive = new Int32Array(seg.n);
  let count = 0, last = 0;
  for (let k = 0; k < seg.n; k++) if (wanted(k)) { alive[count++] = k; last = Math.max(last, seg.till[k]); }
  const begin = alive.subarray(0, count), end = new Int32Array(count), scale = 2 ** Math.ceil(Math.log2(Math.max(2, seg.n)));
  if (last * scale <= Number.MAX_SAFE_INTEGER) {
    // Numbers sort much faster than blocks: end and block in one.
    const keys = new Float64Array(count);
    for (let at = 0; at < count; at++) keys[at] = seg.till[begin[at]] * scale + begin[at];
    keys.sort();
    for (let k = 0; k < count; k++) end[k] = keys[k] % scale;
  } else end.set(Array.from(begin).sort((a, b) => seg.till[a] - seg.till[b] || a - b));
  return [begin, end];
};

// Steps of what is in use within a range of ticks (or everywhere): ticks, live bytes, ends of the highest byte.
const usage = (seg, range) => {
  const [r0, r1] = range || [-Infinity, Infinity];
  const covers = new Map();
  const meets = (k) => seg.from[k] < r1 && seg.till[k] > r0 && seg.from[k] < seg.till[k];
  if (seg.space) {
    const places = new Map();
    for (let k = 0; k < seg.n; k++) {
      if (seg.space[k] < 0 || !meets(k)) continue;
      let list = places.get(seg.space[k]);
      if (!list) places.set(seg.space[k], (list = []));
      for (const [offset, size] of pieces(seg, k)) list.push(offset, offset + size);
    }
    for (const [space, list] of places) covers.set(space, coverOf(list));
  }
  const change = (k, by) => {
    const space = spaceOf(seg, k);
    if (space < 0) return by * seg.bytes[k] + (seg.wraps.has(k) ? by * (seg.first[k] + seg.wraps.get(k)[1] - seg.bytes[k]) : 0);
    let sum = 0;
    for (const [offset, size] of pieces(seg, k)) sum += covers.get(space)(offset, offset + size, by);
    return sum;
  };
  const high = (k) => Math.max(seg.first[k] > 0 ? seg.low[k] + seg.first[k] : 0, seg.wraps.has(k) && seg.wraps.get(k)[1] > 0 ? seg.wraps.get(k)[0] + seg.wraps.get(k)[1] : 0);
  const [alive, ends] = byEnd(seg, meets);
  const most = alive.length, tick = new Float64Array(2 * most), live = new Float64Array(2 * most), top = new Float64Array(2 * most);
  // Ends of blocks alive, the highest in front; those that are over are taken off when they come to the front.
  const height = new Float64Array(most + 1), owner = new Int32Array(most + 1);
  let size = 0, steps = 0, begun = 0, ended = 0, now = 0;
  const push = (key, k) => {
    let at = ++size;
    for (let up = at >> 1; up > 0 && height[up] < key; up = at >> 1) { height[at] = height[up]; owner[at] = owner[up]; at = up; }
    height[at] = key;
    owner[at] = k;
  };
  const pop = () => {
    const key = height[size], k = owner[size--];
    let at = 1;
    for (let child = 2; child <= size; child = 2 * at) {
      if (child < size && height[child + 1] > height[child]) child++;
      if (height[child] <= key) break;
      height[at] = height[child];
      owner[at] = owner[child];
      at = child;
    }
    height[at] = key;
    owner[at] = k;
  };
  const { first, wraps, low, from, till } = seg, wrapped = wraps.size > 0;
  while (ended < most) {
    const begin = begun < most ? Math.max(from[alive[begun]], r0) : Infinity;
    const at = Math.min(begin, till[ends[ended]]);
    if (at >= r1) break;
    while (ended < most && till[ends[ended]] <= at) now += change(ends[ended++], -1);
    while (begun < most && Math.max(from[alive[begun]], r0) <= at) {
      const k = alive[begun++];
      now += change(k, 1);
      let high = first[k] > 0 ? low[k] + first[k] : 0;
      if (wrapped && wraps.has(k) && wraps.get(k)[1] > 0) high = Math.max(high, wraps.get(k)[0] + wraps.get(k)[1]);
      push(high, k);
    }
    while (size > 0 && till[owner[1]] <= at) pop();
    tick[steps] = at;
    live[steps] = now;
    top[steps++] = size > 0 ? height[1] : 0;
  }
  return { tick: tick.subarray(0, steps), live: live.subarray(0, steps), top: top.subarray(0, steps) };
};

const figuresOf = (seg, range) => {
  const steps = usage(seg, range);
  let peak = 0, bound = 0, peakAt = -1, boundAt = -1, blocks = 0;
  for (let k = 0; k < steps.tick.length; k++) {
    if (steps.live[k] > bound) { bound = steps.live[k]; boundAt = k; }
    if (steps.top[k] > peak || (steps.top[k] === peak && peakAt >= 0 && steps.live[k] > steps.live[peakAt])) { peak = steps.top[k]; peakAt = k; }
  }
  let first = Infinity, end = -Infinity;
  for (let k = 0; k < seg.n; k++) if (seg.from[k] < seg.till[k]) { first = Math.min(first, seg.from[k]); end = Math.max(end, seg.till[k]); blocks++; }
  const peakTick = peakAt < 0 ? null : steps.tick[peakAt];
  const gaps = peakTick === null ? 0 : aliveAt(seg, peakTick).gap;
  return { steps, peak, peakTick, bound, boundTick: boundAt < 0 ? null : steps.tick[boundAt], gaps, first, end, blocks };
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
