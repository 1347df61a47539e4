// Bytes, addresses and ticks as people read them; round places along the axes.

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
const KIND_UNKNOWN = "kind unknown";

// To three digits: 12.5 KiB.
const bytes = (value) => {
  let unit = 0, scaled = Math.abs(Number(value));
  while (scaled >= 1024 && unit + 1 < BYTE_UNITS.length) { scaled /= 1024; unit++; }
  const digits = unit === 0 ? 0 : scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
  // Halves of the last digit go to the even one, as in the static pictures.
  const power = 10 ** digits, low = Math.floor(scaled * power);
  const shown = scaled * power - low === 0.5 ? ((low + low % 2) / power).toFixed(digits) : scaled.toFixed(digits);
  return `${value < 0 ? "−" : ""}${digits ? shown.replace(/\.?0+$/, "") : shown} ${BYTE_UNITS[unit]}`;
};
const exactly = (value) => (value < 1024 && value > -1024 ? bytes(value) : `${bytes(value)} (${grouped(value)} B)`);
const signed = (value) => (value > 0 ? `+${grouped(value)}` : grouped(value));

// Round addresses within a range, a power of two apart, counted from `base`.
const addressTicks = (low, high, most, base) => {
  let step = 1;
  while ((high - low) / step >= Math.max(2, most)) step *= 2;
  const ticks = [];
  const first = base + Math.ceil((low - base) / step) * step;
  // One by one they are rounded once only, however large they are.
  for (let k = 0, at = first; at <= high && k < 64; at = first + ++k * step) ticks.push(at);
  return { ticks, step };
};
// An address in a unit of which the step is at least an eighth; exact.
const addressText = (value, step, top) => {
  if (value === 0) return "0";
  let unit = 0, size = 1;
  while (unit + 1 < BYTE_UNITS.length && top >= size * 1024 && step * 8 >= size * 1024) { unit++; size *= 1024; }
  const whole = Math.floor(value / size), rest = Math.round((value - whole * size) * 1000 / size);
  const shown = rest ? `${whole}.${String(rest).padStart(3, "0").replace(/0+$/, "")}` : grouped(whole);
  return `${shown} ${BYTE_UNITS[unit]}`;
};

const timeTicks = (from, till, most) => {
  const span = till - from;
  let step = 1;
  for (let factor = 0; span / step >= Math.max(1, most); factor++) step = [2, 5, 10][factor % 3] * 10 ** Math.floor(factor / 3);
  const ticks = [];
  if (till > Number.MAX_SAFE_INTEGER) {
    // What is written beside them is to be exact.
    const by = BigInt(step);
    for (let at = BigInt(Math.ceil(from / step)) * by; at < till; at += by) ticks.push(at);
  } else for (let at = Math.ceil(from / step) * step; at < till; at += step) ticks.push(at);
  return ticks;
};
const TICK_WORDS = { operator: "operator", cycle: "cycle", ns: "ns", step: "step", unknown: "tick" };
const TIME_CAPTIONS = { operator: "operators, in order of execution", cycle: "cycles", ns: "time", step: "steps of the planner", unknown: "ticks" };
// Operators and steps are stretches, clocks are moments.
const isStretch = (unit) => unit !== "cycle" && unit !== "ns";

// A tick of a segment with its base, exact.
const wholeTick = (seg, tick) => (seg.base === 0n ? String(tick) : String(seg.base + (typeof tick === "bigint" ? tick : BigInt(Math.floor(tick)))));
const tickText = (seg, tick, span) => {
  if (seg.unit === "ns") {
    for (const [name, size] of [["s", 9], ["ms", 6], ["µs", 3]]) {
      if (span < 2 * 10 ** size) continue;
      const digits = wholeTick(seg, tick).padStart(size + 1, "0");
      const rest = digits.slice(-size).replace(/0+$/, "");
      return `${grouped(digits.slice(0, -size))}${rest ? `.${rest}` : ""} ${name}`;
    }
    return `${grouped(wholeTick(seg, tick))} ns`;
  }
  return grouped(wholeTick(seg, tick));
};
const tickName = (seg, tick) => {
  const at = Number(wholeTick(seg, tick)), name = seg.tickNames[at];
  return name === undefined ? "" : name;
};
const tickWords = (seg, tick) => {
  const name = tickName(seg, tick);
  return `${TICK_WORDS[seg.unit]} ${grouped(wholeTick(seg, tick))}${name ? ` (${shorten(name, 60)})` : ""}`;
};
