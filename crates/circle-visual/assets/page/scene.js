// Geometry of a graph, made ready for drawing: line segments, and a grid that finds what lies in a rectangle.

const CELL = 1024;
const CURVE = 0, LINE = 1, FAR = 2;
const scenes = new Map();

class Grid {
  constructor(width, height) {
    this.columns = Math.max(1, Math.ceil((width + 1) / CELL));
    this.rows = Math.max(1, Math.ceil((height + 1) / CELL));
    this.cells = new Map();
  }
  range(x0, y0, x1, y1) {
    const clamp = (value, most) => Math.max(0, Math.min(most - 1, Math.floor(value / CELL)));
    return [clamp(x0, this.columns), clamp(y0, this.rows), clamp(x1, this.columns), clamp(y1, this.rows)];
  }
  add(item, x0, y0, x1, y1) {
    const [left, top, right, bottom] = this.range(x0, y0, x1, y1);
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) {
      const key = row * this.columns + column;
      const cell = this.cells.get(key);
      if (cell) cell.push(item); else this.cells.set(key, [item]);
    }
  }
  *near(x0, y0, x1, y1) {
    const [left, top, right, bottom] = this.range(x0, y0, x1, y1);
    for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) {
      const cell = this.cells.get(row * this.columns + column);
      if (cell) yield cell;
    }
  }
  count(x0, y0, x1, y1) {
    let total = 0;
    for (const cell of this.near(x0, y0, x1, y1)) total += cell.length;
    return total;
  }
}

// Lines of all nets as plain arrays; the segments of net n are netStart[n] .. netStart[n + 1].
const sceneOf = (g) => {
  if (scenes.has(g)) return scenes.get(g);
  const graph = DATA.graphs[g];
  const kind = [], ends = [], netOf = [];
  const netStart = new Uint32Array(graph.nets.length + 1);
  const line = (type, net, a, b, c, d) => { kind.push(type); ends.push(a, b, c, d); netOf.push(net); };
  graph.nets.forEach((net, n) => {
    for (const piece of net.pieces) {
      if (piece[0] === CURVE) line(CURVE, n, piece[1], piece[2], piece[3], piece[4]);
      else for (let k = 3; k + 1 < piece.length; k += 2) line(piece[0], n, piece[k - 2], piece[k - 1], piece[k], piece[k + 1]);
    }
    netStart[n + 1] = kind.length;
  });
  const boxes = Float64Array.from(graph.boxes);
  const nodes = new Grid(graph.width, graph.height);
  for (let box = 0; box * 4 < boxes.length; box++) {
    nodes.add(box, boxes[box * 4], boxes[box * 4 + 1], boxes[box * 4] + boxes[box * 4 + 2], boxes[box * 4 + 1] + boxes[box * 4 + 3]);
  }
  const segments = new Grid(graph.width, graph.height);
  for (let s = 0; s < kind.length; s++) {
    segments.add(s, Math.min(ends[4 * s], ends[4 * s + 2]), Math.min(ends[4 * s + 1], ends[4 * s + 3]),
      Math.max(ends[4 * s], ends[4 * s + 2]), Math.max(ends[4 * s + 1], ends[4 * s + 3]));
  }
  const heads = new Grid(graph.width, graph.height);
  const tips = [];
  const netsAt = new Map();
  const touch = (box, n) => { const list = netsAt.get(box); if (list) list.push(n); else netsAt.set(box, [n]); };
  graph.nets.forEach((net, n) => {
    touch(net.source, n);
    for (let k = 0; k < net.heads.length; k += 3) {
      heads.add(tips.length, net.heads[k], net.heads[k + 1], net.heads[k], net.heads[k + 1]);
      tips.push([net.heads[k], net.heads[k + 1]]);
      touch(net.heads[k + 2], n);
    }
  });
  const scene = { graph, boxes, count: boxes.length / 4, nodes, kind: Uint8Array.from(kind), ends: Float64Array.from(ends), netOf, netStart, segments, heads, tips, netsAt, overview: null, texts: new Map(), low: graph.operator.length };
  scenes.set(g, scene);
  return scene;
};

// The box at a place of the graph, or -1.
const boxAt = (scene, x, y) => {
  for (const cell of scene.nodes.near(x, y, x, y)) {
    for (const box of cell) {
      const k = box * 4;
      if (x >= scene.boxes[k] && y >= scene.boxes[k + 1] && x <= scene.boxes[k] + scene.boxes[k + 2] && y <= scene.boxes[k + 1] + scene.boxes[k + 3]) return box;
    }
  }
  return -1;
};
