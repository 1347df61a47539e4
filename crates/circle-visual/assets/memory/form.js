// Files of the memory allocation form, opened in the page.

const KNOWN = [1];
const UNITS = ["operator", "cycle", "ns", "step", "unknown"];
const REASONS = { in_place: "in place", wrapped: "around a ring", shared: "shared" };

const refuse = (place, what) => { throw new Error(`${place}: ${what}`); };
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
// A whole number that can be counted with.
const whole = (value, place) => {
  if (value === undefined) refuse(place, "is missing");
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0) refuse(place, `${shorten(JSON.stringify(value), 60)} is no whole number from 0 on`);
  if (!Number.isSafeInteger(value)) refuse(place, `a number beyond ${grouped(Number.MAX_SAFE_INTEGER)}, the largest that this page can count with`);
  return value;
};
const listOf = (value, place) => (value === undefined ? [] : Array.isArray(value) ? value : refuse(place, "is no list"));
const textOf = (value, place) => (value === undefined || value === null ? "" : typeof value === "string" ? value : refuse(place, "is no text"));

const tensorWords = (tensor) => {
  if (!isObject(tensor)) return "";
  const shape = Array.isArray(tensor.shape) ? `[${tensor.shape.join(",")}]` : "";
  return [`${textOf(tensor.dtype, "dtype")}${shape}`, textOf(tensor.name, "tensor name"), tensor.index === undefined ? "" : `(tensor ${tensor.index} of subgraph ${tensor.subgraph || 0})`].filter(Boolean).join(" ");
};
const operatorWords = (operator) => (isObject(operator) ? [textOf(operator.opcode, "opcode"), textOf(operator.name, "operator name"),
  operator.index === undefined ? "" : `(operator ${operator.index} of subgraph ${operator.subgraph || 0})`, operator.output === undefined ? "" : `output ${operator.output}`].filter(Boolean).join(" ") : "");

const formSegment = (data, place, plan, tick, positions, range) => {
  const name = textOf(data.name, `${place}, name`);
  const own = isObject(data.tick) ? data.tick : tick;
  if (own.unit !== undefined && !UNITS.includes(own.unit)) refuse(`${place}, tick unit`, `${shorten(JSON.stringify(own.unit), 40)} is none of ${UNITS.join(", ")}`);
  let blocks = listOf(data.blocks, `${place}, blocks`).map((block, k) => {
    const where = `${place} ${JSON.stringify(shorten(name, 40))}, block ${k}`;
    if (!isObject(block)) refuse(where, "is no object");
    for (const field of ["offset", "size", "alive_from", "alive_till"]) whole(block[field], `${where}, ${field}`);
    whole(block.offset + block.size, `${where}, end`);
    return { block, k, where };
  });
  // Only what is asked for is looked at any further.
  if (range) blocks = blocks.filter(({ block }) => block.alive_from < range[1] && block.alive_till > range[0]);
  blocks.sort((a, b) => a.block.alive_from - b.block.alive_from || a.k - b.k);
  const n = blocks.length, strings = [], numbers = new Map();
  const number = (text) => { if (!numbers.has(text)) { numbers.set(text, strings.length); strings.push(text); } return numbers.get(text); };
  const optional = (text) => (text ? number(text) : -1);
  const column = () => new Int32Array(n).fill(-1);
  const seg = {
    name, size: data.size === undefined || data.size === null ? null : whole(data.size, `${place}, size`),
    alignment: data.alignment === undefined ? 1 : whole(data.alignment, `${place}, alignment`) || 1, unit: own.unit || "unknown", tickNames: listOf(own.names, `${place}, tick names`).map((t) => textOf(t, "tick name")),
    base: 0n, n, texts: { at: (k) => strings[k], all: () => strings }, plan, at: new Float64Array(n), from: new Float64Array(n), till: new Float64Array(n), low: new Float64Array(n), bytes: new Float64Array(n),
    name_of: new Int32Array(n), group: new Int32Array(n), kind: column(), space: column(), tensor: column(), writer: column(), readers: column(), ident: column(),
    originStart: new Uint32Array(n + 1), origins: [], wraps: new Map(), stays: new Set(), marks: [], leftOut: [], told: null,
    spaces: listOf(data.spaces, `${place}, spaces`).map((space, k) => {
      const where = `${place}, space ${k}`;
      if (!isObject(space)) refuse(where, "is no object");
      return { id: whole(space.id, `${where}, id`), offset: whole(space.offset, `${where}, offset`), size: whole(space.size, `${where}, size`), from: whole(space.alive_from, `${where}, alive_from`), till: whole(space.alive_till, `${where}, alive_till`), reason: REASONS[space.reason] || "shared" };
    }),
  };
  blocks.forEach(({ block, k, where }, entry) => {
    seg.at[entry] = k;
    seg.from[entry] = block.alive_from;
    seg.till[entry] = Math.max(block.alive_from, block.alive_till);
    seg.low[entry] = block.offset;
    seg.bytes[entry] = block.size;
    if (block.alive_till <= block.alive_from) seg.marks.push([entry, `${where}: alive from ${block.alive_from} to ${block.alive_till}, which is never`]);
    if (seg.size !== null && block.offset + block.size - (isObject(block.wrap) ? block.wrap.size : 0) > seg.size) seg.marks.push([entry, `${where}: ends at ${block.offset + block.size}, beyond the segment's size of ${seg.size}`]);
    if (isObject(block.wrap)) {
      const piece = [whole(block.wrap.offset, `${where}, wrap offset`), whole(block.wrap.size, `${where}, wrap size`)];
      whole(piece[0] + piece[1], `${where}, wrap end`);
      seg.wraps.set(entry, piece);
    }
    const origins = listOf(block.origins, `${where}, origins`).map((id) => (positions.has(whole(id, `${where}, origins`)) ? positions.get(id) : -1 - id));
    for (const origin of origins) seg.origins.push(origin);
    seg.originStart[entry + 1] = seg.originStart[entry] + origins.length;
    if (block.kind !== undefined) {
      seg.kind[entry] = KINDS.indexOf(block.kind);
      if (seg.kind[entry] < 0) refuse(`${where}, kind`, `${shorten(JSON.stringify(block.kind), 40)} is none of ${KINDS.join(", ")}`);
    }
    if (block.space !== undefined) seg.space[entry] = whole(block.space, `${where}, space`);
    seg.tensor[entry] = optional(tensorWords(block.tensor));
    seg.writer[entry] = optional(operatorWords(block.written_by));
    seg.readers[entry] = optional(listOf(block.read_by, `${where}, read_by`).slice(0, 50).map(operatorWords).join(", "));
    seg.ident[entry] = optional(textOf(block.id, `${where}, id`));
    if (block.stays === true) seg.stays.add(entry);
    const tensorName = isObject(block.tensor) ? textOf(block.tensor.name, `${where}, tensor name`) : "";
    const writerName = isObject(block.written_by) ? textOf(block.written_by.name, `${where}, operator name`) : "";
    const layers = origins.slice(0, 8).map((origin) => originName(plan, origin)).join(" + ");
    seg.name_of[entry] = number(textOf(block.name, `${where}, name`) || layers || tensorName || writerName || textOf(block.id, `${where}, id`) || `block ${k}`);
  });
  return finish(seg);
};

// A plan from the text of a file; `range` are the only ticks that are wanted, or null.
const readForm = (file, content, range) => {
  let data;
  try { data = JSON.parse(content); } catch (error) { throw new Error(`${file} is no JSON: ${error.message}`); }
  if (!isObject(data)) refuse(file, "is no object");
  if (data.format !== "memory-allocation") refuse(file, data.format === undefined ? "has no field \"format\", so that it is no file of the memory allocation form; one-visualizer converts other forms" : `has format ${shorten(JSON.stringify(data.format), 60)}; this page opens "memory-allocation"`);
  if (!KNOWN.includes(data.schema_version)) refuse(file, `has schema_version ${shorten(JSON.stringify(data.schema_version) || "none", 40)}; this page knows ${KNOWN.join(", ")}`);
  const origins = listOf(data.origins, "origins");
  const plan = { title: file, about: [], originNames: [], originIds: [], segments: [] };
  const positions = new Map();
  origins.forEach((origin, k) => {
    if (!isObject(origin)) refuse(`origin ${k}`, "is no object");
    const id = whole(origin.id, `origin ${k}, id`);
    if (positions.has(id)) return;
    positions.set(id, plan.originNames.length);
    plan.originIds.push(id);
    const name = textOf(origin.name, `origin ${k}, name`) || (origin.operator === undefined ? `origin ${id}` : `operator ${origin.operator} of subgraph ${origin.subgraph || 0}`);
    plan.originNames.push(origin.inferred === true ? `${name} (inferred)` : name);
  });
  const about = (name, value) => { if (value !== undefined && value !== null && value !== "") plan.about.push([name, String(value)]); };
  if (isObject(data.model)) { about("model", data.model.name); about("md5", data.model.md5); about("sha256", data.model.sha256); }
  if (isObject(data.producer)) { about("made by", [data.producer.name, data.producer.version].filter(Boolean).join(" ")); about("planner", data.producer.planner); }
  const tick = isObject(data.tick) ? data.tick : {};
  plan.segments = listOf(data.segments, "segments").map((segment, k) => {
    if (!isObject(segment)) refuse(`segment ${k}`, "is no object");
    return formSegment(segment, `segment ${k}`, plan, tick, positions, range);
  });
  return plan;
};
