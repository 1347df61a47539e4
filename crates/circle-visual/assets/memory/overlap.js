// Pairs of rectangles of time and address that overlap and differ in colour, found and counted as the driver does it.

// Places in sorted lists that have each value once.
const ranksOf = (values, { sorted }) => {
  const list = sorted(new Set(values));
  const at = (value) => { let low = 0, high = list.length; while (low < high) { const middle = (low + high) >> 1; if (list[middle] < value) low = middle + 1; else high = middle; } return low; };
  return { at, count: list.length };
};
// Things with a colour, a life and one or two pieces, by ranks: from there on all are small whole numbers. What occupies
// nothing has no pieces and overlaps with nothing.
const itemsOf = (things, counts) => {
  const n = things.length, held = things.map(({ from, till, pieces }) => (from < till ? pieces.filter(([start, size]) => size > 0).map(([start, size]) => [start, start + size]) : []));
  const ticks = ranksOf(things.flatMap(({ from, till }) => [from, till]), counts), edges = ranksOf(held.flat(2), counts);
  const items = { n, colour: Float64Array.from(things, ({ colour }) => colour), from: Int32Array.from(things, ({ from }) => ticks.at(from)), till: Int32Array.from(things, ({ till }) => ticks.at(till)), count: Uint8Array.from(held, (list) => list.length), low: new Int32Array(2 * n), high: new Int32Array(2 * n), ticks: ticks.count, edges: edges.count };
  held.forEach((list, at) => list.forEach(([start, end], piece) => { items.low[2 * at + piece] = edges.at(start); items.high[2 * at + piece] = edges.at(end); }));
  return items;
};
const itemsMeet = (items, a, b) => {
  if (items.colour[a] === items.colour[b] || items.from[a] >= items.till[b] || items.from[b] >= items.till[a]) return false;
  for (let p = 2 * a; p < 2 * a + items.count[a]; p++) for (let q = 2 * b; q < 2 * b + items.count[b]; q++) if (items.low[p] < items.high[q] && items.low[q] < items.high[p]) return true;
  return false;
};

// Items that are alive, by address: node 1 is the root, those below node n are 2n and 2n + 1. A node holds what covers all of
// it and not of the node above, by colour, and knows whether its subtree has none (-1), one or several colours (-2).
const coverTree = (edges) => {
  let leaves = 1;
  while (leaves < edges - 1) leaves *= 2;
  const own = new Array(2 * leaves).fill(null), colours = new Float64Array(2 * leaves).fill(-1);
  const both = (a, b) => (a === -1 ? b : b === -1 || a === b ? a : -2);
  const changeNode = (start, colour, item, insert) => {
    const held = (own[start] ??= new Map());
    if (insert) { const set = held.get(colour); if (set) set.add(item); else held.set(colour, new Set([item])); } else { const set = held.get(colour); if (set && set.delete(item) && !set.size) held.delete(colour); }
    for (let node = start; node > 0; node >>= 1) {
      const here = own[node] === null || !own[node].size ? -1 : own[node].size > 1 ? -2 : own[node].keys().next().value;
      const found = node < leaves ? both(here, both(colours[2 * node], colours[2 * node + 1])) : here;
      if (found === colours[node]) return;
      colours[node] = found;
    }
  };
  return {
    change: (start, end, colour, item, insert) => {
      for (let low = start + leaves, high = end + leaves; low < high; low >>= 1, high >>= 1) {
        if (low % 2) changeNode(low++, colour, item, insert);
        if (high % 2) changeNode(--high, colour, item, insert);
      }
    },
    // Hands on what shares an address with a range and has another colour, possibly more than once, until told to stop.
    visit: (start, end, colour, hand) => {
      const open = [[1, 0, leaves]];
      while (open.length) {
        const [node, from, to] = open.pop();
        if (to <= start || end <= from || colours[node] === -1 || colours[node] === colour) continue;
        if (own[node] !== null) {
          const others = [];
          for (const [other, set] of own[node]) if (other !== colour) for (const item of set) others.push([other, item]);
          others.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          for (const [, item] of others) if (!hand(item)) return;
        }
        if (to - from > 1) { const middle = (from + to) >> 1; open.push([2 * node + 1, middle, to], [2 * node, from, middle]); }
      }
    },
  };
};

// All pairs in ascending order, each once, so long as there are not many times more than items; `more` where the search was
// ended before.
const findPairs = (items) => {
  const { n, colour, low, high, count } = items, most = 16 * n + 65536;
  // Removals come before insertions at the same tick, for ends are exclusive.
  const events = [];
  for (let at = 0; at < n; at++) if (count[at]) events.push((2 * items.from[at] + 1) * n + at, 2 * items.till[at] * n + at);
  const sorted = Float64Array.from(events).sort(), tree = coverTree(items.edges), paired = new Int32Array(n).fill(-1), pairs = [];
  let steps = 0, more = false;
  for (const event of sorted) {
    const at = event % n, insert = Math.floor(event / n) % 2 === 1;
    for (let p = 2 * at; insert && p < 2 * at + count[at] && steps < most; p++) {
      tree.visit(low[p], high[p], colour[at], (other) => {
        steps++;
        if (paired[other] !== at) { paired[other] = at; pairs.push(Math.min(other, at) * n + Math.max(other, at)); }
        return steps < most;
      });
    }
    if (insert && steps >= most) { more = true; break; }
    for (let p = 2 * at; p < 2 * at + count[at]; p++) tree.change(low[p], high[p], colour[at], at, insert);
  }
  return { pairs: Array.from(Float64Array.from(pairs).sort(), (pair) => [Math.floor(pair / n), pair % n]), more };
};

// For each of some items in one piece the number of others that share a tick and an address with it, whatever their colours.
// Those that miss it in time or in address are counted, and those that miss it in both, which are counted twice, lie in four
// corners: each is a count of points that are less in two numbers, by a sweep over time with a tree of sums over addresses.
const touching = (items, some) => {
  const m = some.length, from = some.map((at) => items.from[at]), till = some.map((at) => items.till[at]), start = some.map((at) => items.low[2 * at]), end = some.map((at) => items.high[2 * at]);
  // How many are less than a number or equal to it.
  const upTo = (list, size) => { const sums = new Int32Array(size + 1); for (const value of list) sums[value]++; for (let k = 1; k <= size; k++) sums[k] += sums[k - 1]; return (at) => (at < 0 ? 0 : sums[at]); };
  const [fromUp, tillUp, startUp, endUp] = [upTo(from, items.ticks), upTo(till, items.ticks), upTo(start, items.edges), upTo(end, items.edges)];
  const fenwick = () => {
    const sums = new Int32Array(items.edges + 2);
    return { add: (place) => { for (let at = place + 1; at < sums.length; at += at & -at) sums[at]++; }, before: (place) => { let sum = 0; for (let at = place; at > 0; at &= at - 1) sum += sums[at]; return sum; } };
  };
  const corners = (begin, finish) => {
    const by = (list) => Int32Array.from(list.keys()).sort((a, b) => list[a] - list[b]), ends = by(finish), counts = new Int32Array(m);
    const starts = fenwick(), gones = fenwick();
    let gone = 0;
    for (const at of by(begin)) {
      for (; gone < m && finish[ends[gone]] <= begin[at]; gone++) { starts.add(start[ends[gone]]); gones.add(end[ends[gone]]); }
      counts[at] = gones.before(start[at] + 1) + gone - starts.before(end[at]);
    }
    return counts;
  };
  const one = corners(from, till), other = corners(till.map((tick) => items.ticks - tick), from.map((tick) => items.ticks - tick));
  return some.map((_, k) => {
    const inTime = tillUp(from[k]) + m - fromUp(till[k] - 1), inAddress = endUp(start[k]) + m - startUp(end[k] - 1);
    return m + one[k] + other[k] - inTime - inAddress - 1;
  });
};

// How many pairs there are, of which some are `listed`, and which items have part in one. Items in two pieces are held against
// every other one, so long as that takes no more than 2^26 steps; beyond, those of their pairs are counted that are listed.
const totalOf = (items, listed) => {
  const { n, count, colour } = items, others = new Float64Array(n), single = [], double = [], byColour = new Map();
  for (let at = 0; at < n; at++) if (count[at] === 1) single.push(at); else if (count[at] === 2) double.push(at);
  touching(items, single).forEach((found, k) => { others[single[k]] = found; });
  for (const at of single) { const list = byColour.get(colour[at]); if (list) list.push(at); else byColour.set(colour[at], [at]); }
  for (const list of byColour.values()) {
    if (list.length < 2) continue;
    const inner = ranked(items, list);
    touching(inner, inner.all).forEach((found, k) => { others[list[k]] -= found; });
  }
  let sum = others.reduce((all, found) => all + found, 0) / 2;
  const least = double.length * n > 2 ** 26, enter = (a, b) => { sum++; others[a]++; others[b]++; };
  if (least) { for (const [a, b] of listed) if (count[a] !== 1 || count[b] !== 1) enter(a, b); } else for (const a of double) for (let b = 0; b < n; b++) if ((count[b] === 1 || b > a) && itemsMeet(items, a, b)) enter(a, b);
  const part = [];
  for (let at = 0; at < n; at++) if (others[at] > 0) part.push(at);
  return { count: sum, least, items: part };
};
// Some items in one piece with ranks of their own, so that counting them takes no more room than they do.
const ranked = (items, some) => {
  const ticks = ranksOf(some.flatMap((at) => [items.from[at], items.till[at]]), PLAIN), edges = ranksOf(some.flatMap((at) => [items.low[2 * at], items.high[2 * at]]), PLAIN);
  const column = (list, ranks, step) => { const found = new Int32Array(step * some.length); some.forEach((at, k) => { found[step * k] = ranks.at(list[step * at]); }); return found; };
  return { all: some.map((_, k) => k), from: column(items.from, ticks, 1), till: column(items.till, ticks, 1), low: column(items.low, edges, 2), high: column(items.high, edges, 2), ticks: ticks.count, edges: edges.count };
};
