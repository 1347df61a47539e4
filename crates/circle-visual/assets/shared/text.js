// Text that is safe to show, and numbers as people read them.

// Characters that are invisible or turn the direction of their neighbours are written out, as in the static pictures.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}]/gu;
const visible = (value) => String(value).replace(HIDDEN, (c) => {
  const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0" }[c];
  return known || `\\u{${c.codePointAt(0).toString(16)}}`;
});

// At most `most` characters, cut in the middle.
const shorten = (value, most) => {
  const short = value.length > 4 * most ? value.slice(0, 2 * most) + value.slice(-2 * most) : value;
  const all = [...visible(short)];
  if (all.length <= most && short === value) return all.join("");
  const tail = (most - 1) >> 1;
  return all.slice(0, most - 1 - tail).join("") + "…" + all.slice(all.length - tail).join("");
};

const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u00a0").replace("-", "−");

const STEPS = {
  ns: [["s", 1e9], ["ms", 1e6], ["µs", 1e3]],
  us: [["s", 1e6], ["ms", 1e3]], "µs": [["s", 1e6], ["ms", 1e3]],
  ms: [["s", 1e3]],
  bytes: [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]], B: [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]],
};
// A value in a unit that fits its size, to three digits; small ones exactly.
const quantity = (value, unit) => {
  const number = Number(value);
  for (const [name, size] of Object.hasOwn(STEPS, unit) ? STEPS[unit] : []) {
    if (Math.abs(number) >= size) {
      const scaled = number / size;
      return `${scaled.toFixed(Math.abs(scaled) < 10 ? 2 : Math.abs(scaled) < 100 ? 1 : 0)} ${name}`;
    }
  }
  return unit ? `${grouped(value)} ${shorten(unit, 12)}` : grouped(value);
};
const exact = (value, unit) => (unit ? `${grouped(value)} ${shorten(unit, 40)}` : grouped(value));
