// Faults of a file that is opened in the page: what `one-visualizer --check` finds, in the same words.

const LARGEST = (1n << 63n) - 1n, TOLD = 100;
// The kinds of findings in the order in which those that are not told one by one are counted.
const KINDS_OF_FAULTS = ["overlap", "reserved memory", "wrapped block", "outside of the segment", "outside of the space", "alignment", "lifetime", "dimension", "no bytes", "number too large", "given twice", "reference", "version", "text", "no offsets", "reading", "contradiction"];
const UNCHECKED = "Not checked in the page: whether the file has members that the form does not know, or numbers written with a fraction or an exponent, and whether a member is of the kind that the form wants where the page does not read it. one-visualizer --check does.";

const quoted = (text) => JSON.stringify(cutName(text));
const cutName = (text) => { const all = Array.from(text); return all.length > 64 ? `${all.slice(0, 64).join("")}…` : text; };

// Takes findings, up to a number of each kind one by one; the others are counted.
const collector = (called) => {
  const findings = [];
  let counts = new Map();
  const count = (kind, warning, segment) => {
    const key = 2 * KINDS_OF_FAULTS.indexOf(kind) + (warning ? 0 : 1);
    if (!counts.has(key)) counts.set(key, { kind, warning, found: 0, told: 0, least: false, blocks: new Set() });
    const found = counts.get(key);
    found.segment = segment;
    return found;
  };
  const add = (kind, warning, segment, block, other, field, text) => {
    const all = count(kind, warning, segment);
    all.found++;
    if (all.told >= TOLD) { for (const at of [block, other]) if (at !== null) all.blocks.add(at); return; }
    all.told++;
    const place = [block === null ? "" : called(segment, block), field].filter(Boolean).join(", ");
    findings.push({ warning, segment, block, other, message: place ? `${place}: ${text()}` : text(), count: 1, rest: [], least: false });
  };
  return {
    findings,
    block: (kind, segment, block, field, text, other = null) => add(kind, false, segment, block, other, field, text),
    odd: (kind, segment, block, field, text) => add(kind, true, segment, block, null, field, text),
    segment: (kind, segment, field, text, warning = false) => add(kind, warning, segment, null, null, field, text),
    further: (kind, segment, more, least, blocks) => {
      const all = count(kind, false, segment);
      all.found += more;
      all.least ||= least;
      for (const at of blocks) all.blocks.add(at);
    },
    close: () => {
      for (const [, { kind, warning, found, told, least, segment, blocks }] of [...counts].sort(([a], [b]) => a - b)) {
        if (found > told) findings.push({ warning, segment, block: null, other: null, message: `${least ? "at least " : ""}${found - told} more findings of this kind (${kind})`, count: found - told, rest: [...blocks].sort((a, b) => a - b), least });
      }
      counts = new Map();
    },
  };
};

const common = ([offset, size], [other, bytes]) => {
  const start = offset > other ? offset : other, end = offset + size < other + bytes ? offset + size : other + bytes;
  return start < end ? [start, end] : null;
};
const lifetimeFault = (from, till) => (till <= from ? `the lifetime ${from}..${till} is ${till < from ? "reversed" : "empty"}` : "");

const checkSpaces = (found, at, { spaces, size, alignment }) => {
  const known = new Map();
  spaces.forEach((space, k) => {
    const fault = (kind, name, text, warning) => found.segment(kind, at, `spaces ${k} ${name}`, () => text, warning);
    if (known.has(space.id)) fault("given twice", "id", `id ${space.id} is given twice`); else known.set(space.id, space);
    for (const [name, value] of [["offset", space.offset], ["size", space.size], ["alive_from", space.from], ["alive_till", space.till]]) if (value > LARGEST) fault("number too large", name, `${value} is beyond ${LARGEST}`);
    if (alignment > 0 && space.offset % alignment > 0) fault("alignment", "offset", `${space.offset} is no multiple of ${alignment}`);
    const never = lifetimeFault(space.from, space.till), end = space.offset + space.size;
    if (never) fault("lifetime", "alive_till", never);
    if (!(space.size > 0)) fault("no bytes", "size", "no bytes", true);
    if (end > LARGEST) fault("number too large", "size", `ends at ${end}, beyond ${LARGEST}`); else if (size !== null && end > size) fault("outside of the segment", "size", `ends at ${end}, the segment at ${size}`);
  });
  return known;
};

const checkBlock = (found, at, k, block, { size, alignment, unplanned }, known) => {
  const fault = (kind, field, text) => found.block(kind, at, k, field, () => text), odd = (kind, field, text) => found.odd(kind, at, k, field, () => text);
  for (const [name, value] of [["offset", block.offset], ["size", block.size], ["alive_from", block.from], ["alive_till", block.till]]) if (value > LARGEST) fault("number too large", name, `${value} is beyond ${LARGEST}`);
  const never = lifetimeFault(block.from, block.till);
  if (never) fault("lifetime", "alive_till", never);
  const dimension = block.shape.find((value) => value < -1);
  if (dimension !== undefined) fault("dimension", "tensor", `dimension ${dimension}, the least is -1, which is one that is not known`);
  if (!(block.size > 0)) odd("no bytes", "size", "no bytes");
  if (unplanned) { if (block.offset > 0) fault("contradiction", "offset", `${block.offset}, but the segment says that none is planned`); return; }
  for (const [offset, bytes] of block.pieces) {
    const end = offset + bytes;
    if (end > LARGEST) fault("number too large", "size", `ends at ${end}, beyond ${LARGEST}`); else if (size !== null && end > size) fault("outside of the segment", "size", `ends at ${end}, the segment at ${size}`);
  }
  const [first, second] = block.pieces;
  if (alignment > 0 && block.offset % alignment > 0) fault("alignment", "offset", `${block.offset} is no multiple of ${alignment}`);
  if (second && alignment > 0 && second[0] % alignment > 0) fault("alignment", "wrap", `${second[0]} is no multiple of ${alignment}`);
  if (second) {
    if (second[1] > block.size) fault("wrapped block", "wrap", `the second piece has ${second[1]} bytes, the block ${block.size}`);
    else if (!(second[1] > 0) || second[1] === block.size) odd("wrapped block", "wrap", "one of the two pieces has no bytes");
    else if (common(first, second)) fault("wrapped block", "wrap", "the two pieces overlap");
    if (block.space === null) odd("wrapped block", "wrap", "in two pieces, but in no space to run around");
  }
  const space = block.space === null ? undefined : known.get(block.space);
  if (!space) return;
  const end = space.offset + space.size;
  for (const [offset, bytes] of block.pieces) if (bytes > 0 && (offset < space.offset || offset + bytes > end)) fault("outside of the space", "offset", `lies at ${offset}..${offset + bytes}, its space ${space.id} at ${space.offset}..${end}`);
  if (second && first[1] > 0 && second[1] > 0 && !common(first, second)) {
    if (first[0] + first[1] < end) fault("wrapped block", "wrap", `the first piece ends at ${first[0] + first[1]}, its space ${space.id} at ${end}`);
    if (second[0] > space.offset) fault("wrapped block", "wrap", `the second piece begins at ${second[0]}, its space ${space.id} at ${space.offset}`);
  }
  if (block.from < space.from || block.till > space.till) fault("outside of the space", block.from < space.from ? "alive_from" : "alive_till", `alive at ${block.from}..${block.till}, its space ${space.id} at ${space.from}..${space.till}`);
};

// What two things have in common, the first address and tick of it at least.
const meeting = (one, other) => {
  const [start, end] = one.pieces.flatMap((a) => other.pieces.map((b) => common(a, b))).find(Boolean) || [0, 0];
  return `shares addresses ${start}..${end} at ticks ${one.from > other.from ? one.from : other.from}..${one.till < other.till ? one.till : other.till}`;
};
const checkShared = (found, at, { blocks, spaces, counts }, called) => {
  // Blocks of one space may overlap, and have one colour for that.
  const items = itemsOf(blocks.map((block, k) => ({ ...block, colour: block.space === null ? 2 ** 32 + k : block.space })), counts);
  const { pairs, more } = findPairs(items);
  for (const [one, other] of pairs) found.block("overlap", at, other, "offset", () => `${meeting(blocks[one], blocks[other])} with ${called(at, one)}`, one);
  if (more) { const all = totalOf(items, pairs); found.further("overlap", at, Math.max(all.count, pairs.length) - pairs.length, all.least, all.items); }
  if (!spaces.length) return;
  // Where a block of a space has been told to be in the way, the space itself is not told once more.
  const told = new Set(), key = (a, b) => `${a} ${b}`, spaceKey = (a, b) => `${Math.min(a, b)}, ${Math.max(a, b)}`;
  for (const [one, other] of pairs) {
    const [a, b] = [blocks[one].space, blocks[other].space];
    if (a !== null && b !== null) told.add(spaceKey(a, b)); else if (a !== null) told.add(key(a, other)); else if (b !== null) told.add(key(b, one));
  }
  // Whatever meets the blocks of an open one was found above; it reserves nothing else.
  const whole = spaces.map((space) => ({ id: space.id, from: space.from, till: space.till, pieces: [[space.offset, space.size]], open: space.open }));
  const free = Array.from(blocks.keys()).filter((k) => blocks[k].space === null), none = counts.zero;
  const claims = itemsOf([...whole.map((space, k) => (space.open ? { ...space, from: none, till: none, colour: 1 + k } : { ...space, colour: 1 + k })), ...free.map((k) => ({ ...blocks[k], colour: 0 }))], counts);
  const held = findPairs(claims);
  let passed = 0;
  for (const [one, other] of held.pairs) {
    const space = whole[one];
    if (other < whole.length) {
      if (told.has(spaceKey(space.id, whole[other].id))) passed++;
      else found.segment("reserved memory", at, `spaces ${other}`, () => `${meeting(whole[other], space)} with space ${space.id}`);
    } else {
      const k = free[other - whole.length];
      if (told.has(key(space.id, k))) passed++;
      else found.block("reserved memory", at, k, "offset", () => `${meeting(blocks[k], space)} with space ${space.id}, of which it is none`);
    }
  }
  if (!held.more) return;
  const all = totalOf(claims, held.pairs), left = Math.max(0, Math.max(0, all.count - held.pairs.length) - Math.max(0, told.size - passed));
  if (left > 0) found.further("reserved memory", at, left, all.least || told.size > passed, all.items.filter((item) => item >= whole.length).map((item) => free[item - whole.length]));
};

const checkReferences = (found, at, { blocks, spaces }, origins) => {
  const known = new Set(spaces.map(({ id }) => id));
  blocks.forEach((block, k) => {
    if (block.space !== null && !known.has(block.space)) found.block("reference", at, k, "space", () => `space ${block.space} does not exist`);
    const seen = new Set();
    for (const id of block.origins) {
      if (!origins.has(id)) found.block("reference", at, k, "origins", () => `origin ${id} does not exist`);
      if (seen.has(id)) found.odd("given twice", at, k, "origins", () => `origin ${id} is named twice`);
      seen.add(id);
    }
  });
};

// What belongs to the file as a whole.
const checkFile = (found, data, segments, called) => {
  const files = listOf(data.files, "files"), origins = listOf(data.origins, "origins"), model = isObject(data.model) ? data.model : {};
  const named = [["model name", model.name], ...files.map((file, k) => [`files ${k} name`, isObject(file) ? file.name : null])];
  for (const [field, name] of named) if (typeof name === "string" && /[/\\]/.test(name)) found.segment("text", null, field, () => `${quoted(name)} is not a name without folders`, true);
  for (const [field, text, length] of [["model md5", model.md5, 32], ["model sha256", model.sha256, 64], ...files.map((file, k) => [`files ${k} md5`, isObject(file) ? file.md5 : null, 32])]) {
    if (typeof text === "string" && !(text.length === length && /^[0-9a-f]*$/.test(text))) found.segment("text", null, field, () => `${quoted(text)} is not ${length} hexadecimal digits in lower case`, true);
  }
  const ids = new Set();
  origins.forEach(({ id, file }, k) => {
    if (ids.has(id)) found.segment("given twice", null, `origins ${k} id`, () => `id ${id} is given twice`);
    ids.add(id);
    if (file !== undefined && file !== null && file >= files.length) found.segment("reference", null, `origins ${k} file`, () => `file ${file} does not exist (${files.length} there)`);
  });
  const names = new Map();
  segments.forEach(({ name }, at) => {
    const first = names.get(name);
    if (first !== undefined) found.segment("given twice", at, "name", () => `the name is that of segment ${first}`);
    names.set(name, at);
  });
  const blocks = new Map();
  segments.forEach((segment, at) => segment.blocks.forEach(({ ident }, k) => {
    if (ident === null) return;
    const before = blocks.get(ident);
    if (before) found.block("given twice", at, k, "id", () => `the id is that of segment ${before[0]} ${quoted(segments[before[0]].name)}, ${called(...before)}`, before[0] === at ? before[1] : null);
    else blocks.set(ident, [at, k]);
  }));
  return ids;
};

// A segment of the file as it is checked: all of its blocks in their order, with exact numbers.
const toCheck = (segment, name) => {
  const raw = listOf(segment.blocks, "blocks"), spaces = listOf(segment.spaces, "spaces");
  const size = segment.size ?? null, alignment = segment.alignment ?? 0;
  const wide = isWide({ size, alignment: alignment || 1 }, raw.map((block) => ({ block })), spaces.map((space) => ({ ...space, from: space.alive_from, till: space.alive_till })));
  const counts = wide ? WIDE : PLAIN, { of, zero } = counts;
  const blocks = raw.map((block) => {
    const bytes = of(block.size), offset = of(block.offset), second = block.wrap ? [of(block.wrap.offset), of(block.wrap.size)] : null;
    const first = [offset, second === null ? bytes : bytes > second[1] ? bytes - second[1] : zero];
    return {
      offset, size: bytes, from: of(block.alive_from), till: of(block.alive_till), pieces: second ? [first, second] : [first], space: block.space ?? null, origins: listOf(block.origins ?? undefined, "origins"),
      shape: isObject(block.tensor) && Array.isArray(block.tensor.shape) ? block.tensor.shape : [], name: block.name ?? null, ident: block.id ?? null,
    };
  });
  return {
    name, counts, blocks, size: size === null ? null : of(size), alignment: of(alignment), zeroAlignment: segment.alignment !== undefined && segment.alignment !== null && !(alignment > 0), unplanned: isObject(segment.extra) && segment.extra.unplanned === true,
    spaces: spaces.map((space) => ({ id: space.id, offset: of(space.offset), size: of(space.size), from: of(space.alive_from), till: of(space.alive_till), open: space.open === true })),
  };
};

// All findings of a file whose fields have been read.
const checkForm = (data) => {
  const segments = listOf(data.segments, "segments").map((segment) => toCheck(segment, typeof segment.name === "string" ? segment.name : ""));
  const layers = new Map();
  for (const { id, name } of listOf(data.origins, "origins")) if (!layers.has(id)) layers.set(id, name);
  const called = (at, k) => {
    const { name, ident, origins } = segments[at].blocks[k], text = name ?? ident ?? layers.get(origins[0]);
    return `block ${k}${text ? ` ${quoted(text)}` : ""}`;
  };
  const found = collector(called), ids = checkFile(found, data, segments, called);
  found.close();
  segments.forEach((segment, at) => {
    const known = checkSpaces(found, at, segment);
    if (segment.size !== null && segment.size > LARGEST) found.segment("number too large", at, "size", () => `${segment.size} is beyond ${LARGEST}`);
    if (segment.zeroAlignment) found.segment("alignment", at, "alignment", () => "an alignment of 0 bytes, 1 is the least");
    segment.blocks.forEach((block, k) => checkBlock(found, at, k, block, segment, known));
    checkReferences(found, at, segment, ids);
    if (!segment.unplanned) checkShared(found, at, segment, called);
    found.close();
  });
  return found.findings;
};

// Enters what was found into a plan whose segments have been read, in the form in which pages come with it.
const markPlan = (plan, data, entriesOf) => {
  for (const { warning, segment, block, other, message, count, rest, least } of checkForm(data)) {
    if (segment === null) { plan.marks.push([message, count, warning]); continue; }
    const seg = plan.segments[segment], entries = entriesOf[segment];
    if (warning) { seg.warnings.push([message, count]); continue; }
    const known = [block, other, ...rest].filter((k) => k !== null && entries.has(k)).map((k) => entries.get(k));
    seg.marks.push(count > 1 || rest.length ? [-1, message, -1, count, known, least] : [known[0] ?? -1, message, known[1] ?? -1]);
  }
  plan.marks.sort((a, b) => a[2] - b[2]);
  for (const seg of plan.segments) markFaulty(seg);
};
