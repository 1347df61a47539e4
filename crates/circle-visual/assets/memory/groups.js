// Few groups of many names, by how the names begin; the same rules as in the static pictures.

const MOST_GROUPS = 20, NAME_PARTS = 10;

const groupNames = (names, weights) => {
  const nodes = [{ part: "", prefix: "", children: new Map(), names: [], weight: 0 }];
  names.forEach((name, index) => {
    let at = 0, from = 0, parts = 0;
    nodes[0].weight += weights[index];
    const step = (till) => {
      const part = name.slice(from, till);
      let child = nodes[at].children.get(part);
      if (child === undefined) { child = nodes.length; nodes[at].children.set(part, child); nodes.push({ part, prefix: name.slice(0, till), children: new Map(), names: [], weight: 0 }); }
      at = child;
      nodes[at].weight += weights[index];
      from = till;
    };
    for (let k = 1; k < name.length && parts < NAME_PARTS - 1; k++) if ("/._:-; +".includes(name[k])) { step(k); parts++; }
    step(name.length);
    nodes[at].names.push(index);
  });
  const weigh = (set) => set.reduce((sum, node) => sum + nodes[node].weight, 0);
  const waiting = heap((a, b) => a.weight > b.weight || (a.weight === b.weight && a.set[0] < b.set[0])), closed = [];
  waiting.push({ set: [0], weight: 0 });
  let open = 1;
  while (waiting.size) {
    const { set } = waiting.top;
    waiting.pop();
    const inside = set.reduce((sum, node) => sum + nodes[node].children.size + (nodes[node].names.length ? 1 : 0), 0);
    const leaves = set.every((node) => nodes[node].children.size === 0);
    const root = set.length === 1 && set[0] === 0;
    if (leaves || !(open - set.length + inside <= MOST_GROUPS || root)) { for (const node of set) closed.push([node, true]); continue; }
    open += inside - set.length;
    const numbers = [], words = [];
    for (const node of set) {
      if (nodes[node].names.length) closed.push([node, false]);
      for (const child of nodes[node].children.values()) (/^[^\p{L}\p{N}]*[0-9]+$/u.test(nodes[child].part) ? numbers : words).push(child);
    }
    // Names without anything in common are groups at once.
    const push = (list) => { if (list.length === 1 && nodes[list[0]].children.size === 0) closed.push([list[0], true]); else if (list.length) waiting.push({ set: list, weight: weigh(list) }); };
    push(numbers);
    if (set.length > 1) push(words); else for (const word of words) push([word]);
  }
  const found = [];
  for (const [node, deep] of closed) {
    const members = nodes[node].names.slice(), below = deep ? [...nodes[node].children.values()] : [];
    const label = nodes[node].prefix + (below.length ? "…" : "");
    while (below.length) { const next = nodes[below.pop()]; for (const name of next.names) members.push(name); for (const child of next.children.values()) below.push(child); }
    if (members.length) found.push([members.reduce((a, b) => Math.min(a, b)), label, members]);
  }
  found.sort((a, b) => a[0] - b[0]);
  const of = new Int32Array(names.length);
  found.forEach(([, , members], number) => { for (const member of members) of[member] = number; });
  return { of, labels: found.map(([, label]) => label || "(no name)") };
};

// Groups the layers of plans that were opened in the page; the blocks' own names where there are no layers.
const regroup = (plans) => {
  const segments = plans.flatMap((plan) => plan.segments);
  const layered = segments.some((seg) => seg.origins.length > 0);
  const numbers = new Map(), names = [], weights = [];
  const number = (name, weight) => {
    let at = numbers.get(name);
    if (at === undefined) { at = names.length; numbers.set(name, at); names.push(name); weights.push(0); }
    weights[at] += weight;
    return at;
  };
  const used = segments.map((seg) => Array.from({ length: seg.n }, (_, k) => {
    const area = seg.bytes[k] * (seg.till[k] - seg.from[k]);
    if (!layered) return [number(blockName(seg, k), area)];
    const origins = Array.prototype.slice.call(seg.origins, seg.originStart[k], seg.originStart[k + 1]);
    return origins.map((origin) => number(originName(seg.plan, origin), area / origins.length));
  }));
  const { of, labels } = groupNames(names, weights);
  const groups = labels.map((label) => ({ label, hatched: false }));
  if (layered && used.some((lists) => lists.some((list) => list.length === 0))) groups.push({ label: "origin unknown", hatched: true });
  segments.forEach((seg, s) => used[s].forEach((list, k) => {
    const counts = new Map();
    for (const name of list) counts.set(of[name], (counts.get(of[name]) || 0) + 1);
    // Most layers win, of equals the first.
    let best = labels.length, most = 0;
    for (const [group, count] of counts) if (count > most) { best = group; most = count; }
    seg.group[k] = best;
  }));
  return { plans, groups, layered };
};
