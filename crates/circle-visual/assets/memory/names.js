// Names of blocks: cut to the room that there is, beside lines and labels.

// Texts are measured beside the picture, whose font stays what it is.
const ruler = document.createElement("canvas").getContext("2d");
const widths = new Map();
const textWidth = (text, size) => {
  let known = widths.get(text);
  if (known === undefined) {
    if (widths.size > 50000) widths.clear();
    ruler.font = `10px ${FONT}`;
    known = ruler.measureText(text).width / 10;
    widths.set(text, known);
  }
  return known * size;
};
// Whether what is left of a name says more than a number does.
const tells = (rest) => (rest.match(/\p{Alphabetic}/gu) || []).length > 2;
// Ends of a name that say something, from long to short: each begins behind a sign that parts names.
const tailsOf = (name) => [...name.matchAll(/[/._:\- ](?![/._:\- ])/g)].map(({ index }) => name.slice(index + 1)).filter(tells).slice(-12);
// Text for a width: whole, without the beginning that its colour stands for, or cut; empty if too little would be left.
const fitName = (name, label, room, size) => {
  if (room < size) return "";
  const whole = shorten(name, 120);
  if (textWidth(whole, size) <= room) return whole;
  let rest = whole;
  if (label.endsWith("…") && name.startsWith(label.slice(0, -1))) {
    const left = name.slice(label.length - 1).replace(/^[/._:\- ]+/, ""), tails = tells(left) ? [] : tailsOf(name);
    for (const tail of tails) { const text = `…${shorten(tail, 120)}`; if (textWidth(text, size) <= room) return text; }
    if (!tails.length || left) rest = `…${shorten(left, 120)}`;
  }
  const width = textWidth(rest, size);
  if (width <= room) return rest;
  const most = Math.floor([...rest].length * room / width * 0.95);
  return most >= 9 ? shorten(rest, most) : "";
};
const fitLine = (text, room, size, bold) => {
  const width = textWidth(text, size) * (bold ? 1.12 : 1);
  return width <= room ? text : shorten(text, Math.max(1, Math.floor([...text].length * room / width * 0.97)));
};

// Names of blocks that are large enough, with the middle of each, whether it stands upright, and whether a line goes
// through it.
const NAME_SIZE = 10.5;
const namesOf = (panel, large, lines) => {
  const { seg, rect } = panel, { classes } = makePalette(), names = [];
  // A block that a later one lies on, of its space or by fault, has its name beside that.
  const inSpace = new Map(), isFaulty = seg.faulty.size > 0, near = isFaulty ? 400 : 40;
  for (const item of large) {
    const space = isFaulty ? 0 : spaceOf(seg, item.k);
    if (space < 0) continue;
    const earlier = inSpace.get(space);
    if (!earlier) { inSpace.set(space, [item]); continue; }
    for (const other of earlier.slice(-near)) if (item.x < other.x + other.w && item.y < other.y + other.h && other.y < item.y + item.h) other.w = Math.max(0, item.x - other.x);
    earlier.push(item);
  }
  const sorted = large.length > 500 ? large.slice().sort((a, b) => b.w * b.h - a.w * a.h).slice(0, 500) : large;
  for (const { k, piece, x, y, w, h, colour, quiet } of sorted) {
    if (quiet) continue;
    const wrapped = seg.wraps.has(k), name = wrapped ? `↻ ${blockName(seg, k)} (${piece + 1}/2)` : blockName(seg, k);
    const label = classes[colour] ? classes[colour].label : "";
    let turned = false, text = h >= 12 ? fitName(name, label, w - 6, NAME_SIZE) : "";
    if (h > w && (!text || text.includes("…")) && w >= 12) { const upright = fitName(name, label, h - 6, NAME_SIZE); if (upright && upright.length > text.length) { text = upright; turned = true; } }
    if (!text) continue;
    const long = textWidth(text, NAME_SIZE);
    const place = namePlace(lines, { x: rect.x + x, y: rect.y + y, w, h }, turned ? NAME_SIZE : long, turned ? long : NAME_SIZE);
    if (place) names.push({ text, x: place[0], y: place[1], crossed: place[2], turned, colour });
  }
  return names;
};

const drawNames = (panel, large, lines) => {
  const { classes, ink: inks } = makePalette();
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 2.5;
  pen.font = `${NAME_SIZE}px ${FONT}`;
  for (const { text, x, y, crossed, turned, colour } of namesOf(panel, large, lines)) {
    pen.fillStyle = inks[colour];
    pen.save();
    pen.translate(x, y);
    if (turned) pen.rotate(-Math.PI / 2);
    if (crossed) { pen.strokeStyle = classes[colour].colour; pen.strokeText(text, 0, 0); }
    pen.fillText(text, 0, 0);
    pen.restore();
  }
  pen.textBaseline = "alphabetic";
};
