// Writes plans made by chance, most of them with faults of many kinds: they are opened in the page and checked by the driver.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
let seed = 2463534242;
const random = (most) => {
  seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
  return (seed >>> 0) % Math.max(1, most);
};
const pick = (...list) => list[random(list.length)];

const segment = (number, blocks, base, since) => {
  const room = pick(40, 200, 2000), time = pick(6, 30, 200);
  const life = () => { const from = random(time), length = random(12) === 0 ? -random(3) : 1 + random(Math.ceil(time / 3)); return { alive_from: since + BigInt(from), alive_till: since + BigInt(Math.max(0, from + length)) }; };
  const place = () => base + BigInt(random(room) & (random(4) ? ~3 : ~0));
  const spaces = Array.from({ length: random(5) }, (_, id) => ({ id: random(9) ? id : 0, offset: place(), size: BigInt(random(room / 2) + (random(9) ? 1 : 0)), ...life(), ...(random(3) ? {} : { open: true }), reason: pick("in_place", "wrapped", "shared") }));
  const list = Array.from({ length: blocks }, (_, k) => {
    const size = random(15) ? 1 + random(Math.ceil(room / 6)) : 0, block = { offset: place(), size: BigInt(size), ...life() };
    if (random(3)) block.name = pick(`b${k}`, "layer \"x\"", "n".repeat(80), "");
    if (!random(4)) block.id = random(8) ? `id${number}.${k}` : "same";
    if (!random(6)) block.wrap = { offset: place(), size: BigInt(random(size + (random(6) ? 0 : 3))) };
    const space = random(3) ? null : spaces[random(spaces.length)];
    if (space) {
      block.space = random(12) ? space.id : 77;
      if (random(3)) { block.alive_from = space.alive_from; block.alive_till = space.alive_till; block.offset = space.offset; }
    }
    if (!random(3)) block.origins = Array.from({ length: random(4) }, () => random(5));
    if (!random(9)) block.tensor = { shape: [1, pick(-1, -2, 7)] };
    return block;
  });
  return { name: random(6) ? `bank${number}` : "bank", ...(random(2) ? { size: base + BigInt(room) } : {}), ...(random(2) ? { alignment: BigInt(pick(1, 2, 4, 0)) } : {}), spaces, blocks: list, ...(random(12) ? {} : { extra: { unplanned: true } }) };
};
const write = (name, segments) => {
  const origins = Array.from({ length: 4 }, (_, k) => ({ id: random(6) ? k : 0, name: `o${k}`, ...(random(3) ? {} : { file: random(3) }) }));
  const plan = { format: "memory-allocation", schema_version: 1, model: { name: pick("m.circle", "a/m.circle"), md5: pick("0".repeat(32), "X") }, tick: { unit: "cycle" }, files: [{ name: "net.onnx" }], origins, segments };
  // Numbers are written as they are, however large.
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(plan, (_, value) => (typeof value === "bigint" ? `#${value}#` : value)).replace(/"#(\d+)#"/g, "$1"));
};
// Near 0, at addresses of a device, around the largest number that scripts count with, and around those of the form.
const bases = [0n, 0x80000000n, (1n << 53n) - 60n, (1n << 63n) - 900n, (1n << 64n) - 2100n];
for (let k = 0; k < 60; k++) {
  write(`random${k}`, Array.from({ length: 1 + random(3) }, (_, number) => segment(number, pick(3, 12, 60, 400), bases[random(random(2) ? 1 : bases.length)], pick(0n, 0n, 1n << 40n, (1n << 62n) + 5n))));
}
// So many pairs that not all of them are listed, with blocks in two pieces and spaces among them.
write("dense", [{ name: "bank", spaces: [{ id: 0, offset: 0n, size: 90n, alive_from: 0n, alive_till: 900n }, { id: 1, offset: 50n, size: 90n, alive_from: 0n, alive_till: 900n, open: true }], blocks: Array.from({ length: 4000 }, (_, k) => {
  const from = random(300), size = 2 + random(60);
  return { offset: BigInt(random(100)), size: BigInt(size), alive_from: BigInt(from), alive_till: BigInt(from + random(600)), ...(random(3) ? {} : { space: random(2) }), ...(random(5) ? {} : { wrap: { offset: BigInt(random(100)), size: BigInt(random(size)) } }) };
}) }]);
