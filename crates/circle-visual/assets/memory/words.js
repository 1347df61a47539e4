// The figures of a segment in words.

// Halves of the last digit go to the even one, as everywhere else.
const percent = (share, all) => {
  const part = BigInt(share), whole = BigInt(all);
  const scaled = whole > 0 ? absolute(part) * 1000n : 0n, least = whole > 0 ? scaled / whole : 0n, over = whole > 0 ? scaled % whole * 2n : 0n;
  const shown = over > whole || (over === whole && least % 2n === 1n) ? least + 1n : least;
  return `${part < 0 ? "-" : ""}${shown / 10n}.${shown % 10n} %`;
};
// Bytes above the lower bound; where memory begins at an address far above 0, what lies below is not the plan's.
const aboveBound = (seg, f) => {
  return f.peak - (typeof f.peak === "bigint" ? BigInt(seg.floor) : seg.floor) - f.bound;
};
// Why no byte is in use. Blocks that live may have no bytes.
const neverAlive = (seg) => {
  const { from, till } = seg.exact, [low, high] = rangeIn(seg) ?? [-Infinity, Infinity];
  let lives = false;
  for (let k = 0; k < seg.n && !lives; k++) lives = from[k] < till[k] && from[k] < high && till[k] > low;
  if (state.range) return lives ? "no block in this range has bytes" : "no blocks in this range";
  return lives ? "no block that is ever alive has bytes" : seg.n ? "no block is ever alive" : "no blocks in this segment";
};
// How many of all blocks are drawn nowhere, since they never live.
const withoutLifetime = (all, living) => (living < all ? `, ${grouped(all - living)} without lifetime` : "");
const figureWords = (seg, f) => {
  if (f.peakTick === null) return neverAlive(seg);
  const over = f.overlapping ? "overlapping blocks would need more than there is" : `${aboveBound(seg, f) > 0 ? `${percent(aboveBound(seg, f), f.bound)} above it` : "which is the least"}${seg.floor ? ` from 0x${BigInt(seg.floor).toString(16)} on` : ""}`;
  return `peak ${exactly(f.peak)} at ${tickWords(seg, f.peakTick)} · lower bound ${bytes(f.bound)}, ${over} · gaps at the peak ${bytes(f.gaps)} = ${percent(f.gaps, f.peak)} · ${grouped(seg.n)} block${seg.n === 1 ? "" : "s"}${withoutLifetime(seg.n, f.blocks)}`;
};
// The figures for a width; where there is little room, the most important ones.
const fitFigures = (seg, f, room) => {
  const long = figureWords(seg, f);
  if (f.peakTick === null || textWidth(long, 11) <= room) return fitLine(long, room, 11);
  return fitLine(`peak ${bytes(f.peak)} at ${tickText(seg, f.peakTick, 1)} · lower bound ${bytes(f.bound)} · gaps ${bytes(f.gaps)}`, room, 11);
};
