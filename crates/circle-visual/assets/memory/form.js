// Files of the memory allocation form, opened in the page.

const KNOWN = [1];
const UNITS = ["operator", "cycle", "ns", "step", "unknown"];
const REASONS = { in_place: "in place", wrapped: "around a ring", shared: "shared" };

// A value as it stands in a message.
const written = (value, most) => shorten(typeof value === "bigint" ? String(value) : JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)) || "none", most);
const refuse = (place, what) => { throw new Error(`${place}: ${what}`); };
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const MOST = (1n << 64n) - 1n;
// A whole number from 0 on; a big one where it is larger than those that are exact.
const whole = (value, place) => {
  if (value === undefined) refuse(place, "is missing");
  const big = typeof value === "bigint";
  if (!big && (typeof value !== "number" || !Number.isInteger(value) || value < 0)) refuse(place, `${written(value, 60)} is no whole number from 0 on`);
  if (value > MOST) refuse(place, `a number beyond ${grouped(MOST)}, the largest there may be`);
  if (!big && !Number.isSafeInteger(value)) refuse(place, `a number beyond ${grouped(Number.MAX_SAFE_INTEGER)}, which is not read exactly here`);
  return value;
};
// The same for numbers that are never counted with.
const identity = (value, place) => (whole(value, place) > 4294967295 ? refuse(place, "is no identity: they end at 4294967295") : value);
// JSON with large whole numbers as they are written, where the browser tells that; most files have none.
const parseExactly = (content) => {
  if (!/[0-9]{16}/.test(content)) return JSON.parse(content);
  return JSON.parse(content, (_, value, context) => (typeof value === "number" && !Number.isSafeInteger(value) && context && /^[0-9]+$/.test(context.source) ? BigInt(context.source) : value));
};
// Whether numbers as such are too small for what is to be counted: ends, and all bytes together.
const isWide = (segment, blocks, spaces) => {
  let bytes = spaces.reduce((sum, space) => sum + Number(space.size), 0);
  const beyond = (...values) => values.some((value) => typeof value === "bigint") || !Number.isSafeInteger(values.reduce((sum, value) => sum + value, 0));
  return blocks.some(({ block }) => {
    if (beyond(block.offset, block.size) || beyond(block.alive_from) || beyond(block.alive_till) || (block.wrap && beyond(block.wrap.offset, block.wrap.size))) return true;
    bytes += block.size;
    return !Number.isSafeInteger(bytes);
  }) || spaces.some((space) => beyond(space.offset, space.size) || beyond(space.from) || beyond(space.till)) || beyond(segment.size || 0) || beyond(segment.alignment || 1);
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
  if (own.unit !== undefined && !UNITS.includes(own.unit)) refuse(`${place}, tick unit`, `${written(own.unit, 40)} is none of ${UNITS.join(", ")}`);
  let blocks = listOf(data.blocks, `${place}, blocks`).map((block, k) => {
    const where = `${place} ${JSON.stringify(shorten(name, 40))}, block ${k}`;
    if (!isObject(block)) refuse(where, "is no object");
    for (const field of ["offset", "size", "alive_from", "alive_till"]) whole(block[field], `${where}, ${field}`);
    if (isObject(block.wrap)) for (const field of ["offset", "size"]) whole(block.wrap[field], `${where}, wrap ${field}`);
    else if (block.wrap !== undefined && block.wrap !== null) refuse(`${where}, wrap`, "is no object");
    return { block, k, where };
  });
  // Only what is asked for is looked at any further.
  // A block without lifetime is seen at the tick at which it begins.
  if (range) blocks = blocks.filter(({ block }) => block.alive_from < range[1] && (block.alive_till > range[0] || (block.alive_till <= block.alive_from && block.alive_from >= range[0])));
  blocks.sort((a, b) => order(a.block.alive_from, b.block.alive_from) || a.k - b.k);
  const spaces = listOf(data.spaces, `${place}, spaces`).map((space, k) => {
    const where = `${place}, space ${k}`;
    if (!isObject(space)) refuse(where, "is no object");
    return { id: identity(space.id, `${where}, id`), offset: whole(space.offset, `${where}, offset`), size: whole(space.size, `${where}, size`), from: whole(space.alive_from, `${where}, alive_from`), till: whole(space.alive_till, `${where}, alive_till`), reason: REASONS[space.reason] || "shared", open: space.open === true };
  });
  const size = data.size === undefined || data.size === null ? null : whole(data.size, `${place}, size`);
  const alignment = data.alignment === undefined ? 1 : whole(data.alignment, `${place}, alignment`) || 1;
  const counts = isWide({ size, alignment }, blocks, spaces) ? WIDE : PLAIN, { of } = counts;
  // Ticks that are near one another are told apart in the picture, however large they are.
  const base = counts.wide && blocks.some(({ block }) => block.alive_till > Number.MAX_SAFE_INTEGER) ? BigInt(blocks[0].block.alive_from) : 0n;
  const since = counts.wide ? (tick) => BigInt(tick) - base : (tick) => tick;
  const n = blocks.length, strings = [], numbers = new Map();
  const number = (text) => { if (!numbers.has(text)) { numbers.set(text, strings.length); strings.push(text); } return numbers.get(text); };
  const optional = (text) => (text ? number(text) : -1);
  const column = () => new Int32Array(n).fill(-1);
  const seg = {
    name, unit: own.unit || "unknown", tickNames: listOf(own.names, `${place}, tick names`).map((t) => textOf(t, "tick name")),
    base, n, texts: { at: (k) => strings[k], all: () => strings }, plan, at: new Float64Array(n),
    name_of: new Int32Array(n), group: new Int32Array(n), kind: column(), space: new Float64Array(n).fill(-1), tensor: column(), writer: column(), readers: column(), ident: column(),
    originStart: new Uint32Array(n + 1), origins: [], stays: new Set(), marks: [], warnings: [], note: isObject(data.extra) && data.extra.unplanned === true ? "offsets are not planned yet: all blocks are drawn from address 0 on" : "", told: null,
  };
  const exact = {
    ...counts, from: counts.array(n), till: counts.array(n), low: counts.array(n), bytes: counts.array(n), size: size === null ? null : of(size), alignment: of(alignment), wraps: new Map(),
    spaces: spaces.map((space) => ({ ...space, offset: of(space.offset), size: of(space.size), from: since(space.from), till: since(space.till) })),
  };
  blocks.forEach(({ block, k, where }, entry) => {
    seg.at[entry] = k;
    exact.bytes[entry] = of(block.size);
    exact.low[entry] = of(block.offset);
    exact.from[entry] = since(block.alive_from);
    exact.till[entry] = since(block.alive_till > block.alive_from ? block.alive_till : block.alive_from);
    const piece = block.wrap && [of(block.wrap.offset), of(block.wrap.size)];
    if (piece) exact.wraps.set(entry, piece);
    const origins = listOf(block.origins, `${where}, origins`).map((id) => (positions.has(identity(id, `${where}, origins`)) ? positions.get(id) : -1 - id));
    for (const origin of origins) seg.origins.push(origin);
    seg.originStart[entry + 1] = seg.originStart[entry] + origins.length;
    if (block.kind !== undefined) {
      seg.kind[entry] = KINDS.indexOf(block.kind);
      if (seg.kind[entry] < 0) refuse(`${where}, kind`, `${written(block.kind, 40)} is none of ${KINDS.join(", ")}`);
    }
    if (block.space !== undefined) seg.space[entry] = identity(block.space, `${where}, space`);
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
  return finish(seg, exact);
};

// A plan from the text of a file; `range` are the only ticks that are wanted, or null.
const readForm = (file, content, range) => {
  let data;
  // Models and files of other tools are read by the command line.
  const converted = `this converts a model, and memory data of every form that is known: one-visualizer ${/^[\w.+-]+$/.test(file) && !file.startsWith("-") ? file : "FILE"} -o memory.json`;
  try { data = parseExactly(content); } catch (error) { throw new Error(`${file} is no JSON: ${error.message}; ${converted}`); }
  if (!isObject(data)) refuse(file, "is no object");
  if (data.format !== "memory-allocation") refuse(file, data.format === undefined ? "has no field \"format\", so that it is no file of the memory allocation form; ".concat(converted) : `has format ${written(data.format, 60)}; this page opens "memory-allocation"`);
  if (!KNOWN.includes(data.schema_version)) refuse(file, `has schema_version ${written(data.schema_version, 40)}; this page knows ${KNOWN.join(", ")}`);
  const origins = listOf(data.origins, "origins");
  const plan = { title: file, about: [], marks: [], originNames: [], originIds: [], segments: [] };
  const positions = new Map();
  origins.forEach((origin, k) => {
    if (!isObject(origin)) refuse(`origin ${k}`, "is no object");
    const id = identity(origin.id, `origin ${k}, id`);
    if (positions.has(id)) return;
    positions.set(id, plan.originNames.length);
    plan.originIds.push(id);
    const name = textOf(origin.name, `origin ${k}, name`) || (origin.operator === undefined ? `origin ${id}` : `operator ${origin.operator} of subgraph ${origin.subgraph || 0}`);
    plan.originNames.push(origin.inferred === true ? `${name} (inferred)` : name);
  });
  const about = (name, value) => { if (value !== undefined && value !== null && value !== "") plan.about.push([name, String(value)]); };
  if (isObject(data.model)) { about("model", data.model.name); if (data.model.size !== undefined && data.model.size !== null) about("bytes of the model", grouped(whole(data.model.size, "model, size"))); about("md5", data.model.md5); about("sha256", data.model.sha256); }
  if (isObject(data.producer)) { about("made by", [data.producer.name, data.producer.version].filter(Boolean).join(" ")); about("planner", data.producer.planner); }
  const tick = isObject(data.tick) ? data.tick : {};
  plan.segments = listOf(data.segments, "segments").map((segment, k) => {
    if (!isObject(segment)) refuse(`segment ${k}`, "is no object");
    return formSegment(segment, `segment ${k}`, plan, tick, positions, range);
  });
  // Faults are those of the whole file, as in pages that come with them; blocks that are not shown have no entry.
  markPlan(plan, data, plan.segments.map(({ at }) => new Map(Array.from(at, (k, entry) => [k, entry]))));
  plan.unchecked = UNCHECKED;
  return plan;
};
