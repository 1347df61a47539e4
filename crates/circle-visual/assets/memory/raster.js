// Blocks as pixels, in one array: what is smaller than a pixel is merged, so that nothing is hidden, and a frame costs
// as much as its pixels, not as its blocks. The colour of a merged pixel is that of the blocks with the largest part of
// it, its strength says how full it is.

const MERGED_LEAST = 0.25;
// Parts of pixels are counted in whole numbers: a page opens before its script is compiled, and until then each fraction
// is an object.
const FULL = 1 << 20, MOST_LEAD = 1 << 29;

const ensureBuffer = (panel, width, height) => {
  if (panel.image && panel.image.width === width && panel.image.height === height) return;
  panel.image = new ImageData(width, height);
  panel.pixels = new Int32Array(panel.image.data.buffer);
  panel.covered = new Int32Array(width * height);
  panel.lead = new Int32Array(width * height);
  panel.leader = new Uint16Array(width * height);
  panel.touched = new Int32Array(Math.min(width * height, 1 << 14));
};

// Draws the blocks of a panel; gives back those that are large enough for a name.
const rasterise = (panel, width, height) => {
  ensureBuffer(panel, width, height);
  const { seg, pixels, covered, lead, leader } = panel;
  const colours = makePalette(), { fill, edge, pale, classes } = colours, of = classesOf(seg);
  const x0 = panel.x.low, y0 = panel.y.low, perTick = width / (panel.x.high - x0), perByte = height / (panel.y.high - y0);
  pixels.fill(packed(rgb(skin().terminal)));
  const stripe = packed(rgb(skin().hatch)), blank = packed(rgb(skin().blank));
  // What is reserved and taken by no block stays striped; the rest of an open space is nobody's.
  for (const space of seg.spaces) {
    if (space.open) continue;
    const left = Math.max(0, Math.round((space.from - x0) * perTick)), right = Math.min(width, Math.round((space.till - x0) * perTick));
    const top = Math.max(0, Math.round(height - (space.offset + space.size - y0) * perByte)), low = Math.min(height, Math.round(height - (space.offset - y0) * perByte));
    for (let y = top; y < low; y++) for (let x = left; x < right; x++) pixels[y * width + x] = ((x + 6 * y) % 7) < 2 ? stripe : blank;
  }
  const emphasis = state.emphasis && state.emphasis.get(seg), marked = emphasis && emphasis.marked;
  const large = [];
  let tiny = 0, { touched } = panel;
  const { from, till, first, low: lows, wraps } = seg, xEnd = panel.x.high, spaced = seg.space;
  // What is smaller than a pixel in one direction, at least: parts of pixels.
  const merge = (left, right, top, bottom, key) => {
    const xa = left > 0 ? left | 0 : 0, xb = right < width ? Math.ceil(right) : width, ya = top > 0 ? top | 0 : 0, yb = bottom < height ? Math.ceil(bottom) : height;
    if (tiny + (xb - xa) * (yb - ya) > touched.length && touched.length < covered.length) {
      const more = new Int32Array(Math.min(covered.length, 2 * touched.length + (xb - xa) * (yb - ya)));
      more.set(touched);
      panel.touched = touched = more;
    }
    const last = xb - 1, wideFirst = Math.min(right, xa + 1) - Math.max(left, xa), wideLast = Math.min(right, xb) - Math.max(left, last);
    for (let y = ya; y < yb; y++) {
      const high = (Math.min(bottom, y + 1) - Math.max(top, y)) * FULL;
      const begin = (high * wideFirst | 0) || 1, inner = (high | 0) || 1, end = (high * wideLast | 0) || 1;
      for (let x = xa, at = y * width + xa; x < xb; x++, at++) {
        const part = x === xa ? begin : x === last ? end : inner, before = covered[at], leads = lead[at];
        if (before === 0) touched[tiny++] = at;
        if (before < FULL) covered[at] = before + part;
        if (leader[at] === key) { if (leads < MOST_LEAD) lead[at] = leads + part; } else if (leads < part) { leader[at] = key; lead[at] = part - leads; } else lead[at] = leads - part;
      }
    }
  };
  const rectangle = (k, low, size, piece) => {
    const left = (from[k] - x0) * perTick, right = (till[k] - x0) * perTick;
    const top = height - (low + size - y0) * perByte, bottom = height - (low - y0) * perByte;
    if (right <= 0 || left >= width || bottom <= 0 || top >= height || right <= left || bottom <= top) return;
    const colour = of[k], quiet = marked !== undefined && marked !== null && marked[k] === 0;
    if (right - left < 1 || bottom - top < 1) merge(left, right, top, bottom, (colour << 1) | (quiet ? 1 : 0));
    else paint(k, piece, left, right, top, bottom, colour, quiet);
  };
  const paint = (k, piece, left, right, top, bottom, colour, quiet) => {
    // Whole pixels; at least one, and neighbours share no pixel.
    const inset = spaced !== null && spaced[k] >= 0 && right - left > 12 && bottom - top > 12 ? 2 : 0;
    const xa = Math.max(0, Math.round(left) + inset), xb = Math.min(width, Math.max(Math.round(left) + 1, Math.round(right)) - inset);
    const ya = Math.max(0, Math.round(top) + inset), yb = Math.min(height, Math.max(Math.round(top) + 1, Math.round(bottom)) - inset);
    if (xa >= xb || ya >= yb) return;
    const inside = quiet ? pale[colour] : fill[colour], wide = xb - xa;
    for (let y = ya; y < yb; y++) {
      const row = y * width;
      if (wide > 20) pixels.fill(inside, row + xa, row + xb);
      else for (let x = xa; x < xb; x++) pixels[row + x] = inside;
    }
    const high = yb - ya;
    if (classes[colour].hatched && !quiet && wide > 5 && high > 5) {
      for (let y = ya; y < yb; y++) for (let x = xa + (700 - ((xa + y) % 7)) % 7; x < xb; x += 7) { pixels[y * width + x] = blank; if (x + 1 < xb) pixels[y * width + x + 1] = blank; if (x + 2 < xb) pixels[y * width + x + 2] = blank; }
    }
    if (wide > 6 && high > 5) {
      const border = quiet ? inside : edge[colour];
      for (let y = ya; y < yb; y++) { pixels[y * width + xa] = border; pixels[y * width + xb - 1] = border; }
      pixels.fill(border, ya * width + xa, ya * width + xb);
      pixels.fill(border, (yb - 1) * width + xa, (yb - 1) * width + xb);
      if ((wide >= 30 && high >= 12) || (wide >= 12 && high >= 36)) large.push({ k, piece, x: xa, y: ya, w: wide, h: high, colour, quiet });
    }
  };
  inWindow(seg, x0, xEnd, y0, panel.y.high, (start, end) => {
    for (let k = start; k < end; k++) {
      if (till[k] <= x0) continue;
      if (first[k] > 0) rectangle(k, lows[k], first[k], 0);
      if (wraps.size > 0 && wraps.has(k)) { const [offset, size] = wraps.get(k); if (size > 0) rectangle(k, offset, size, 1); }
    }
  });
  // Merged pixels lie on top.
  for (let t = 0; t < tiny; t++) {
    const at = touched[t], key = leader[at], over = fill[key >> 1], under = pixels[at], full = covered[at] < FULL ? covered[at] : FULL;
    // In 256ths.
    let part = (MERGED_LEAST * 256 | 0) + (full >> 12) * (1 - MERGED_LEAST) | 0;
    if (key & 1) part = part * 56 >> 8;
    const r = under & 255, g = (under >> 8) & 255, b = (under >> 16) & 255;
    pixels[at] = (255 << 24) | (b + ((((over >> 16) & 255) - b) * part >> 8)) << 16 | (g + ((((over >> 8) & 255) - g) * part >> 8)) << 8 | (r + (((over & 255) - r) * part >> 8));
    covered[at] = 0;
    lead[at] = 0;
  }
  return large;
};

// The block at a place, the one drawn last; -1 if there is none. Blocks below a pixel are found a pixel around.
const blockAt = (panel, tick, address, slackTicks, slackBytes) => {
  const { seg } = panel;
  let found = -1, near = -1;
  inWindow(seg, tick - slackTicks, tick + slackTicks + 1e-9, address - slackBytes, address + slackBytes + 1e-9, (start, end) => {
    for (let k = start; k < end; k++) {
      for (const [offset, size] of pieces(seg, k)) {
        if (seg.from[k] <= tick && tick < seg.till[k] && offset <= address && address < offset + size) found = k;
        else if (seg.from[k] <= tick + slackTicks && tick - slackTicks < seg.till[k] && offset <= address + slackBytes && address - slackBytes < offset + size) near = k;
      }
    }
  });
  return found >= 0 ? found : near;
};
