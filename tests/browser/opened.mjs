// Opens files in the page and holds the faults that it finds against those that the driver has found.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { check, open, words } from "./browser.mjs";

const at = (place) => (place && typeof place === "object" ? place.index : place);
const least = (a, b) => (at(a.segment) ?? -1) - (at(b.segment) ?? -1);
// What the driver found in a file, errors and warnings apart, as rows of texts.
const driven = (findings, severity) => findings.filter((one) => one.severity === severity).sort(least)
  .map(({ segment, block, other, message, further, at_least: more }) => [at(segment), message, 1 + further, more, severity === "warning" ? "" : [at(block), at(other)].filter((one) => one !== null).sort((a, b) => a - b).join()].join(" | "));
const seen = (faults, warning) => faults.filter((one) => one.warning === warning).sort(least);

// Opens each file. `found` is what the driver wrote of all of them.
export const opened = async (file, found, sources) => {
  const { page, trouble, close } = await open(file), { findings } = JSON.parse(readFileSync(found, "utf8"));
  const wrong = [];
  let pairs = 0, times = 0;
  for (const source of sources) {
    const name = basename(source), buffer = readFileSync(source), due = findings.filter((one) => basename(one.file) === name);
    const began = Date.now();
    await page.setInputFiles("#file", [{ name, mimeType: "application/json", buffer }]);
    await page.waitForFunction((title) => document.getElementById("title").title === title || !document.getElementById("problem").hidden, name);
    times += Date.now() - began;
    const faults = await page.evaluate(() => window.circleLineage.faults()), problem = await words(page, "#problem");
    if (problem) wrong.push([name, problem]);
    for (const severity of ["error", "warning"]) {
      const wanted = driven(due, severity), rows = seen(faults, severity === "warning");
      const differs = wanted.findIndex((row, number) => {
        const one = rows[number];
        if (!one) return true;
        const [segment, message, count, more, blocks] = row.split(" | ");
        // Words of the page begin with the place.
        const told = one.blocks.join() === blocks || one.count > 1 || severity === "warning" || /more findings of this kind/.test(message);
        return !(String(one.segment ?? "") === segment && one.message.endsWith(message) && String(one.count) === count && String(one.least) === more && told);
      });
      if (differs >= 0 || rows.length !== wanted.length) wrong.push([name, severity, wanted.length, rows.length, wanted[differs], rows[differs]]);
    }
    pairs += due.filter(({ code }) => code === "overlap").reduce((sum, { further }) => sum + 1 + further, 0);
    const total = due.filter(({ severity }) => severity === "error").reduce((sum, { further }) => sum + 1 + further, 0);
    const headings = await page.locator("#overview-details h3.faults").evaluateAll((all) => all.map((one) => one.textContent.replace(/\u00a0/g, "").replace(/\bOne\b/, "1")).map((text) => Number(/\d+/.exec(text)[0])));
    if (headings.reduce((a, b) => a + b, 0) !== total) wrong.push([name, "the page tells", headings, "there are", total]);
    if (!(await words(page, "#overview-details")).includes("Not checked in the page")) wrong.push([name, "nothing is said to be unchecked"]);
  }
  console.log(`     ${sources.length} files opened in ${times} ms`);
  check(wrong.length === 0 && pairs > 1000, `${sources.length} files opened in the page have the faults that the driver finds, ${pairs} overlaps among them`, wrong.slice(0, 3));
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};
