// Drives the graph page as a reader would.
import { join } from "node:path";
import { check, open, run, shoot, state, words } from "./browser.mjs";

const [mode, target, shots] = process.argv.slice(2);
const where = (page, node) => page.evaluate((k) => window.circleLineage.boxOnScreen(k), node);
const shot = (page, name) => shoot(page, shots, name);

const usual = async (file) => {
  const { page, trouble, loaded, close } = await open(file);
  console.log(`     313 operators: ready after ${loaded} ms`);
  check(loaded < 4000, "a page of 313 operators is ready within 4 s", loaded);
  check((await words(page, "#overview-details")).includes("313"), "the overview counts the operators");
  check((await words(page, "#legend")).includes("ns"), "the legend names the unit");

  // Hover.
  let [x, y] = await where(page, 11);
  await page.mouse.move(x, y);
  const card = await words(page, "#card");
  check(card.includes("#11 ") && card.includes("fuse_batchnorm_with_conv") && card.includes("absorbed") && card.includes("ns"), "hovering shows kind, passes, roles and cost", card);
  // Operator -> details -> original -> back.
  await page.mouse.click(x, y);
  check((await state(page)).chosen?.node === 11, "a click chooses the operator");
  const details = await words(page, "#op-details");
  check(details.includes("operator") && details.includes("fuse_activation_function") && details.includes("absorbed"), "the details list origins with roles and passes", details);
  check((await page.evaluate(() => location.hash)) === "#op=0.11", "the address names the operator");
  await page.locator("#op-details .source-link").first().click();
  const original = await words(page, "#source-details");
  check(original.includes("Original 22") && original.includes("0123456789abcdef") && original.includes("primary"), "the original shows its file's md5 and its operators", original);
  check((await state(page)).marked === 1, "the original's operators are outlined");
  await page.locator("#source-details .op-link").first().click();
  check((await state(page)).chosen?.node === 11, "a click on the operator leads back");
  await page.goBack();
  await page.waitForSelector("#source-details");
  check(true, "the browser's back button leads back, too");

  // A retired original.
  await page.locator("#tab-originals").click();
  await page.locator("#only-retired").check();
  await page.locator("#pane-originals .source-link").first().click();
  const retired = await words(page, "#source-details");
  check(retired.includes("retired: identity") && retired.includes("remove_redundant_transpose"), "a retired original names reason and pass", retired);

  // Search.
  await page.keyboard.press("/");
  await page.keyboard.type("softmax");
  await page.waitForSelector("#search-results");
  const hits = Number(/(\d+) operators/.exec(await words(page, "#search-results"))?.[1]);
  check(hits === 39, "the search finds all softmax operators", hits);
  check((await state(page)).marked === 39, "the hits are outlined");
  await page.keyboard.press("Enter");
  check((await state(page)).chosen?.kind === "op", "enter goes to the first hit");
  await page.keyboard.press("Escape");
  check((await state(page)).search === "" && (await state(page)).chosen === null, "escape clears");

  // Zoom at the pointer, pan, keys.
  await page.locator("#canvas").focus();
  await page.keyboard.press("0");
  const before = await state(page);
  [x, y] = await where(page, 40);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  const after = await state(page);
  const [x2, y2] = await where(page, 40);
  check(after.scale > before.scale * 1.3, "the wheel zooms", [before.scale, after.scale]);
  check(Math.abs(x2 - x) < 1.5 && Math.abs(y2 - y) < 1.5, "what lies under the pointer stays there", [x, y, x2, y2]);
  await page.mouse.move(500, 500);
  await page.mouse.down();
  await page.mouse.move(560, 470, { steps: 4 });
  await page.mouse.up();
  const dragged = await state(page);
  check(Math.abs(dragged.x - after.x - 60) < 12 && Math.abs(dragged.y - after.y + 30) < 8, "dragging moves the graph", [after, dragged]);
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowLeft");
  check((await state(page)).scale > dragged.scale, "plus zooms");
  await page.keyboard.press("0");
  check(Math.abs((await state(page)).scale - before.scale) < 1e-9, "zero shows the whole graph");

  // Colour and theme.
  await page.selectOption("#colour", "-1");
  check((await words(page, "#legend")).includes("originals"), "colours switch to origin groups");
  const theme = (await state(page)).theme;
  await page.locator("#theme").click();
  check((await state(page)).theme !== theme, "the theme switches");
  await page.selectOption("#colour", "1");
  check((await words(page, "#legend")).includes("KiB"), "colours switch to another metric");

  // The table for readers without the picture.
  await page.locator("#tab-operators").click();
  check((await page.locator("#operators tbody tr").count()) === 100, "operators are listed in pages of a hundred");
  await page.locator("#by-cost").check();
  check(/24[48] KiB|252 KiB/.test(await words(page, "#operators tbody tr:first-child")), "costly operators come first", await words(page, "#operators tbody tr:first-child"));
  check(trouble.length === 0, "no error, no request", trouble);
  await close();

  const deep = await open(file, "#source=23");
  check((await words(deep.page, "#source-details")).includes("absorbed"), "an address leads to an original");
  check(deep.trouble.length === 0, "no error on the way", deep.trouble);
  await deep.close();
};

const subgraphs = async (file) => {
  const { page, trouble, close } = await open(file, "#op=3.1");
  check((await state(page)).graph === 1 && (await state(page)).chosen?.node === 1, "an address leads into another subgraph");
  check((await words(page, "#op-details")).includes("part 2 of 2"), "parts are named");
  await page.locator(".source-link").click();
  check((await state(page)).marked === 2, "both copies are outlined");
  await page.selectOption("#graph", "0");
  check((await state(page)).graph === 0, "subgraphs can be chosen");
  const legend = await words(page, "#legend");
  check(legend.replace(/\s/g, "").includes("9223372036854775812"), "sums are exact beyond 64 bits", legend);
  await page.goto(page.url().replace(/#.*/, "") + "#op=3.2");
  await page.waitForSelector("#op-details .warn");
  check((await words(page, "#op-details .warn")) === "unknown: stale table", "the reason of an unknown origin is shown");
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

const hostile = async (file) => {
  const { page, trouble, close } = await open(file);
  for (let node = 0; node < 8; node++) {
    const [x, y] = await where(page, node);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    const link = page.locator("#op-details .source-link");
    if (await link.count()) await link.first().click();
  }
  await page.locator("#tab-originals").click();
  await page.locator("#tab-operators").click();
  for (const query of ["</script>", "<img", "\\u", "[("]) {
    await page.fill("#search", query);
    await page.waitForTimeout(200);
  }
  await page.fill("#search", "");
  await page.goto(page.url().replace(/#.*/, "") + "#op=0.3");
  await page.waitForSelector("#op-details");
  const details = await words(page, "#op-details");
  check(details.includes("\\0bell\\u{7}escape\\u{1b}"), "control characters are written out", details);
  check((await page.evaluate(() => window.hacked)) === undefined, "no name was executed");
  check((await page.locator("img, iframe, object, a").count()) === 0, "no name became markup");
  check(!/[\u202a-\u202e\u2066-\u2069]/.test(await page.evaluate(() => document.body.innerText)), "no name turns the direction of text");
  const blocked = await page.evaluate(async () => { try { await fetch("https://example.invalid/"); return false; } catch { return true; } });
  check(blocked, "the policy forbids requests");
  const other = trouble.filter((line) => !/content security policy|example\.invalid|Failed to fetch/i.test(line));
  check(other.length === 0, "no error, no request", other);
  await shot(page, "hostile");
  await close();
};

const large = async (file) => {
  const { page, trouble, loaded, close } = await open(file);
  const times = await page.evaluate(async () => {
    const hook = window.circleLineage, result = {};
    const canvas = document.getElementById("canvas");
    const wheel = (deltaY) => canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: 500, clientY: 450, cancelable: true }));
    const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const measure = (name) => {
      hook.frame();
      const all = [];
      for (let k = 0; k < 30; k++) { key(k % 2 ? "ArrowRight" : "ArrowLeft"); all.push(hook.frame()); }
      all.sort((a, b) => a - b);
      result[name] = { median: all[15], worst: all[29], scale: hook.state().scale };
    };
    const first = performance.now();
    hook.frame();
    result.first = performance.now() - first;
    measure("whole graph");
    for (const [name, steps] of [["far", 3], ["middle", 3], ["near", 3]]) { for (let k = 0; k < steps; k++) wheel(-400); measure(name); }
    key("0");
    return result;
  });
  console.log(`     100,000 operators: ready after ${loaded} ms`);
  for (const [name, time] of Object.entries(times)) {
    if (name !== "first") console.log(`     frame, ${name} (scale ${time.scale.toFixed(3)}): median ${time.median.toFixed(1)} ms, worst ${time.worst.toFixed(1)} ms`);
  }
  check(Object.values(times).every((time) => time.median === undefined || time.median < 200), "frames of 100,000 operators take less than 200 ms without a GPU, on a busy machine");
  const began = Date.now();
  await page.fill("#search", "#77777");
  await page.waitForSelector("#search-results .op-link");
  console.log(`     search: ${Date.now() - began} ms`);
  await page.locator("#search-results .op-link").first().click();
  check((await state(page)).chosen?.node === 77777, "the search leads to one of 100,000 operators");
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

const any = async (file) => {
  const { page, trouble, loaded, close } = await open(file);
  console.log(`     ready after ${loaded} ms`);
  await page.waitForTimeout(200);
  await shot(page, "whole");
  const operators = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).graphs.map((graph) => graph.operator.length));
  if (operators[0] > 0) {
    const [x, y] = await where(page, Math.min(5, operators[0] - 1));
    await page.mouse.move(x, y);
    await page.waitForTimeout(100);
    await shot(page, "hover");
    await page.mouse.click(x, y);
    check(await page.locator("#op-details").isVisible(), "a click on an operator shows its details");
    const link = page.locator("#op-details .source-link");
    if (await link.count()) {
      await link.first().click();
      check(await page.locator("#source-details .op-link").count() > 0, "its original leads back to it");
      await page.waitForTimeout(100);
      await shot(page, "original");
    }
    await page.locator("#theme").click();
    await page.locator("#tab-originals").click();
    await page.waitForTimeout(100);
    await shot(page, "theme");
  }
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

await run(async () => {
  if (mode === "page") await any(target);
  else {
    await usual(join(target, "usual.html"));
    await subgraphs(join(target, "subgraphs.html"));
    await hostile(join(target, "hostile.html"));
    await large(join(target, "large.html"));
  }
});
