// Writes plans with very many faults: 45,000 blocks each of which overlaps its neighbours, and 3,000 that all lie on one
// another, of which not all pairs are listed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const write = (name, blocks) => writeFileSync(join(process.argv[2], `${name}.json`), JSON.stringify({
  format: "memory-allocation", schema_version: 1, tick: { unit: "cycle" }, segments: [{ name: "bank", blocks }],
}));
write("crowded", Array.from({ length: 45000 }, (_, k) => {
  const row = Math.floor(k / 300);
  return { name: `b${k}`, offset: (k % 300) * 64, size: 96, alive_from: row * 8, alive_till: row * 8 + 8 };
}));
write("stacked", Array.from({ length: 3000 }, (_, k) => ({ name: `b${k}`, offset: k, size: 4096, alive_from: 0, alive_till: 9 + (k % 7) })));
