// Drives the memory page as a reader would.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, open, run, shoot, state, words } from "./browser.mjs";
import { opened } from "./opened.mjs";

const [target, shots] = process.argv.slice(2);
const shot = (page, name) => shoot(page, shots, name);
const where = (page, panel, block) => page.evaluate(([p, b]) => window.circleLineage.blockOnScreen(p, b), [panel, block]);
const plain = (text) => text.replace(/\u00a0/g, "");
// The numbers of a table's column.
const column = (page, selector, k) => page.locator(selector).evaluateAll((rows, at) => rows.map((row) => Number(row.children[at].textContent.replace(/\u00a0/g, "").replace("−", "-").replace("shared", "0"))), k);
const sum = (list) => list.reduce((a, b) => a + b, 0);

const told = async (page) => {
  const figures = await page.evaluate(() => window.circleLineage.figures());
  check(figures.every((f) => [f.peak, f.peakTick, f.bound, f.gaps, f.rest].map(String).join() === f.told.join()), "the page finds the figures that it was told", figures);
};

const small = async (file) => {
  const { page, trouble, close } = await open(file);
  await told(page);
  check(plain(await words(page, "#overview-details")).includes("68 KiB (69632 B) at operator 9"), "the overview has the peak");
  check((await words(page, "#overview-details")).includes("beyond the segment's size of 65536"), "faults are listed");

  // Hover.
  let [x, y] = await where(page, 0, 1);
  await page.mouse.move(x, y);
  const card = plain(await words(page, "#card"));
  check(["relu1", "conv1 + bn1 + relu1", "16 KiB (16384 B)", "0 to before 16384", "operator 2 to before 4", "in place", "activation", "above"].every((text) => card.includes(text)), "hovering shows everything about a block", card);
  check((await state(page)).hover.block === 1, "the block that was drawn last is hit");
  [x, y] = await where(page, 0, 3);
  await page.mouse.move(x, y);
  check(/45056 to before 49152, then\s24576 to before 36864/.test(plain(await words(page, "#card"))), "both pieces of a wrapped block are named", await words(page, "#card"));
  [x, y] = await where(page, 0, 7);
  await page.mouse.move(x, y);
  check((await words(page, "#card")).includes("beyond the segment's size"), "hovering shows what is wrong");
  await shot(page, "hover");

  // Pin.
  [x, y] = await where(page, 0, 0);
  // Where the block that is written over it has not begun.
  await page.mouse.click(x - 70, y);
  const pinned = await state(page);
  check(pinned.pin.block === 0 && pinned.emphasised[0] === 3, "a click pins a block and emphasises those of its layers", pinned);
  const details = plain(await words(page, "#block-details"));
  check(["f32[1,16,16,16] conv1 (tensor 4 of subgraph 0)", "CONV_2D (operator 1 of subgraph 0)", "block 0 of SRAM", "3 blocks of the same layers here", "im2col"].every((text) => details.includes(text)), "the details have tensor and operator", details);
  await shot(page, "pin");
  await page.keyboard.press("Escape");
  check((await state(page)).pin === null, "escape lets go");

  // What is alive.
  await page.locator("#tab-alive").click();
  check((await words(page, "#pane-alive")).includes("operator 9: 2 blocks alive, the peak"), "the peak tick is listed first");
  check(sum(await column(page, "#alive tbody tr, #alive tfoot tr:first-child", 1)) === 69632, "blocks and gaps add up to the peak");
  check(sum(await column(page, "#layers tbody tr, #layers tfoot tr:first-child", 1)) === 69632, "layers and gaps add up to the peak");
  await page.fill("#tick", "3");
  await page.keyboard.press("Enter");
  const three = await column(page, "#alive tbody tr", 1);
  check(three.length === 4 && sum(three) === 40960 && (await words(page, "#alive")).includes("shared"), "any tick can be chosen; what is overwritten in place has no bytes", three);
  const layers = Object.fromEntries(await page.locator("#layers tbody tr").evaluateAll((rows) => rows.map((row) => [row.children[0].textContent, Number(row.children[1].textContent.replace(/\u00a0/g, ""))])));
  check(layers.conv1 === 5462 && layers.bn1 === 5461 && layers.relu1 === 5461, "bytes of several layers are split exactly", layers);
  await page.locator("#canvas").focus();
  await page.keyboard.press("]");
  check((await state(page)).tick === 4, "] goes on by a tick");
  [x, y] = await where(page, 0, 6);
  await page.keyboard.down("Shift");
  await page.mouse.click(x - 60, y);
  await page.keyboard.up("Shift");
  check((await state(page)).tick === 9, "shift and click choose a tick", (await state(page)).tick);
  await shot(page, "alive");

  // Segments, colours, theme, ticks.
  await page.selectOption("#segment", "1");
  check((await state(page)).choice === "1" && (await words(page, "#pane-alive")).includes("DRAM"), "a segment can be chosen");
  await page.selectOption("#segment", "all");
  await page.selectOption("#colour", "kind");
  const kinds = await words(page, "#legend");
  check(["activation", "input", "output", "constant", "scratch", "kind unknown"].every((kind) => kinds.includes(kind)), "colours switch to kinds", kinds);
  await page.selectOption("#colour", "size");
  check((await words(page, "#legend")).includes("2 MiB and more"), "colours switch to sizes", await words(page, "#legend"));
  const theme = (await state(page)).theme;
  await page.locator("#theme").click();
  check((await state(page)).theme !== theme, "the theme switches");
  await shot(page, "dark");
  await page.fill("#from", "0");
  await page.fill("#till", "2");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  check((await page.evaluate(() => window.circleLineage.figures()))[0].peak === 61440, "figures are of the ticks asked for");
  await page.fill("#from", "5");
  await page.keyboard.press("Enter");
  check((await words(page, "#problem")).includes("no tick from 5 to before 2"), "a range without ticks is an error in the page");
  await page.fill("#from", "");
  await page.fill("#till", "");
  await page.keyboard.press("Enter");
  await page.waitForTimeout(50);
  check((await page.evaluate(() => window.circleLineage.figures()))[0].peak === 69632 && await page.locator("#problem").isHidden(), "all ticks are back");
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

// Offsets that are addresses of a device: the plot shows the blocks, not what lies below them.
const device = async (file) => {
  const { page, trouble, close } = await open(file);
  const first = 0x20000000, size = 12 * 65536;
  const y = async () => (await state(page)).panels[0].y;
  const [low, high] = await y();
  check(low === first && high > first + size && high < first + size * 1.2, "a plan far above 0 fills its plot", [low, high]);
  const [x, middle] = await where(page, 0, 5);
  await page.mouse.move(x, middle);
  check((await words(page, "#card")).includes("b5"), "a block of it is found under the pointer", await words(page, "#card"));
  await page.mouse.wheel(0, -300);
  await page.keyboard.press("0");
  check((await y()).join() === [low, high].join(), "and the whole is shown again");
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

// Spaces that are reserved as a whole count as the planner counts them; what of them no block takes is named.
const spaces = async (file, source) => {
  const { page, trouble, close } = await open(file);
  const content = readFileSync(source);
  const figures = () => page.evaluate(() => window.circleLineage.figures());
  const numbers = async () => (await figures()).map((f) => [f.peak, f.peakTick, f.bound, f.gaps, f.rest].map(String).join());
  const look = async () => {
    check((await numbers()).join(" ") === "4096,0,4096,0,4096 2560,2,2560,0,0 6224,13,6208,16,64", "closed spaces count as a whole, open ones do not", await numbers());
    await page.selectOption("#segment", "0");
    await page.locator("#tab-alive").click();
    await page.fill("#tick", "3");
    await page.keyboard.press("Enter");
    const rows = plain(await words(page, "#alive")), layers = plain(await words(page, "#layers"));
    check(/second\s*1024/.test(rows) && /rest of space 0, in place\s*3072/.test(rows), "what no block takes has a line of its own", rows);
    check(/pool\s*1024/.test(layers) && /reserved by spaces\s*3072/.test(layers), "it is no layer's", layers);
    for (const table of ["#alive", "#layers"]) {
      const held = await column(page, `${table} tbody tr, ${table} tfoot tr:first-child`, 1);
      check(sum(held) === 4096, `the lines of ${table} add up to the peak`, held);
    }
    await page.mouse.move(...(await page.evaluate(() => window.circleLineage.onScreen(0, 1.5, 2500))));
    const card = plain(await words(page, "#card"));
    check(["space 0, in place", "4096 B", "(3072 B) at operator 1"].every((text) => card.includes(text)), "hovering says what is reserved", card);
    await page.selectOption("#segment", "1");
    await page.waitForTimeout(50);
    await page.mouse.move(...(await page.evaluate(() => window.circleLineage.onScreen(1, 5.5, 1000))));
    check(await page.locator("#card").isHidden(), "what an open space leaves is nobody's");
    await page.selectOption("#segment", "all");
    check(/stroke-dasharray/.test(await page.evaluate(() => window.circleLineage.svg())) && /url\(#hatch0\)/.test(await page.evaluate(() => window.circleLineage.svg())), "it is striped where the view is saved, too");
  };
  await told(page);
  await look();
  await shot(page, "spaces");
  const give = async (...files) => { await page.setInputFiles("#file", files.map((buffer, k) => ({ name: `spaces${k}.json`, mimeType: "application/json", buffer }))); await page.waitForTimeout(200); };
  await give(Buffer.from(content.toString().replace('"closed"', '"never seen before"')));
  const pictures = await page.evaluate(() => { const picture = () => document.getElementById("canvas").toDataURL(), first = picture(); window.circleLineage.frame(true); return [first, picture()]; });
  check(pictures[0] === pictures[1], "what is drawn first looks as what is drawn later");
  await give(content);
  await look();
  await give(content, Buffer.from(content.toString().replace('"size": 4096, "alive_from": 0, "alive_till": 6, "reason"', '"size": 5000, "alive_from": 0, "alive_till": 6, "reason"')));
  const compared = plain(await words(page, "#pane-compare"));
  check(/reserved by spaces\s*4096\s*5000\s*\+904/.test(compared) && /peak\s*4096\s*5000\s*\+904/.test(compared), "what is reserved is compared", compared);
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

// Ends and sums beyond 64 bits are those of the static pictures, bit by bit.
const beyond = async (file, source) => {
  const { page, trouble, close } = await open(file);
  const look = async () => {
    const found = (await page.evaluate(() => window.circleLineage.figures())).map((f) => [f.peak, f.peakTick, f.bound, f.gaps, f.rest].map(String).join());
    const due = ["27670116110564327424,2,36893488147419103224,1,0", "27670116110564327423,0,18446744073709551615,9223372036854775808,18446744073709551615", "18446744073709551616,0,27670116110564327429,0,0"];
    check(found.join(" ") === due.join(" "), "what ends beyond 64 bits is counted exactly", found);
    await page.selectOption("#segment", "0");
    await page.locator("#tab-alive").click();
    const held = await page.locator("#alive tbody tr, #alive tfoot tr:first-child").evaluateAll((rows) => rows.map((row) => BigInt(row.children[1].textContent.replace(/\u00a0/g, "").replace("shared", "0"))));
    check(held.reduce((a, b) => a + b, 0n) === 27670116110564327424n, "all add up to a peak beyond 64 bits", held);
    await page.selectOption("#segment", "all");
  };
  await told(page);
  await look();
  const buffer = readFileSync(source);
  await page.setInputFiles("#file", [{ name: "beyond.json", mimeType: "application/json", buffer }]);
  await page.waitForTimeout(200);
  await look();
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

// Numbers beyond those that scripts count with: exact wherever they stand, drawn where they lie.
const wide = async (file, source) => {
  const { page, trouble, close } = await open(file);
  const look = async () => {
    const overview = plain(await words(page, "#overview-details"));
    // 2^61 + 16 + 2^53 - 2: "d" without its second piece.
    check(overview.includes("(2314850208468434958 B) at cycle 4"), "the peak is exact", overview);
    check(overview.includes("48 B at ns 4611686018427387907"), "the tick of a peak is exact", overview);
    await page.selectOption("#segment", "0");
    await page.locator("#tab-alive").click();
    const held = await page.locator("#alive tbody tr, #alive tfoot tr:first-child").evaluateAll((rows) => rows.map((row) => BigInt(row.children[1].textContent.replace(/\u00a0/g, ""))));
    check(held.reduce((a, b) => a + b, 0n) === 2314850208468434958n, "blocks and gaps add up to the peak", held);
    const layers = await page.locator("#layers tbody tr, #layers tfoot tr:first-child").evaluateAll((rows) => rows.map((row) => [row.children[0].textContent, BigInt(row.children[1].textContent.replace(/\u00a0/g, ""))]));
    check(layers.reduce((a, [, b]) => a + b, 0n) === 2314850208468434958n, "layers and gaps add up to the peak", layers);
    const one = new Map(layers).get("one");
    // A third of 2^60 + 1, and all of 2^60 + 2.
    check(one === 1537228672809129304n, "bytes of several layers are split exactly", one);
    await page.fill("#tick", "11");
    await page.keyboard.press("Enter");
    check((await state(page)).tick === 11n, "any tick can be chosen", (await state(page)).tick);
    check(plain(await words(page, "#alive")).includes("1152921504606846976"), "what is overwritten in place counts once");
    await page.selectOption("#segment", "all");
    await page.waitForTimeout(100);
    const [x, y] = await where(page, 0, 1);
    await page.mouse.move(x, y);
    const card = plain(await words(page, "#card"));
    check(["(1152921504606846978 B)", "1152921504606846977 to before 2305843009213693955"].every((text) => card.includes(text)), "hovering tells exact numbers", card);
    // The block lies where it is drawn: half way up what is 2^61 and some bytes.
    const { y: axis, rect } = (await state(page)).panels[0], due = rect.y + rect.h - 1.5 * 2 ** 60 / (axis[1] - axis[0]) * rect.h;
    const top = (await page.locator("#canvas").boundingBox()).y;
    check(Math.abs(y - top - due) < 0.01, "it is drawn where it lies", [y, top, due]);
    await page.mouse.click(x, y);
    const details = plain(await words(page, "#block-details"));
    check(details.includes("1152921504606846978 B") && /in place: .* from 1152921504606846977/.test(details), "the details are exact", details);
    for (let k = 0; k < 60; k++) await page.mouse.wheel(0, -400);
    await page.waitForTimeout(100);
    const near = (await state(page)).panels[0], span = (near.y[1] - near.y[0]) / near.rect.h;
    check(span / 2 ** 9 > 4 && (await state(page)).hover.block === 1, "a pixel stays far larger than what drawing rounds", span);
    const exported = await page.evaluate(() => window.circleLineage.svg());
    check(exported.startsWith("<svg") && !/NaN|Infinity/.test(exported), "the view is saved");
    const ends = await page.evaluate((text) => {
      const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      document.body.append(svg);
      const all = [...svg.querySelectorAll(".tick")].map((one) => one.getBBox()).map(({ x, width }) => x + width - svg.viewBox.baseVal.width);
      svg.remove();
      return all;
    }, exported);
    check(ends.length > 0 && ends.every((end) => end <= 0), "the labels of ticks can be read to their ends", ends);
    await page.keyboard.press("Escape");
    await page.locator("#fit").click();
    await page.fill("#from", "4611686018427387906");
    await page.fill("#till", "4611686018427387908");
    await page.locator("#till").blur();
    await page.waitForTimeout(50);
    const ranged = (await page.evaluate(() => window.circleLineage.figures()))[1];
    check(ranged.peak === 48n && ranged.peakTick === 4611686018427387907n - 5n, "figures are of the ticks asked for, exactly", ranged);
    for (const name of ["#from", "#till"]) await page.fill(name, "");
    await page.locator("#till").blur();
    await page.waitForTimeout(50);
  };
  await told(page);
  check((await words(page, "#overview-details")).includes("fault") === false, "nothing is left out");
  await look();
  await shot(page, "wide");
  // The same file, opened in the page; then twice, compared with itself.
  const content = readFileSync(source);
  const give = async (count) => { await page.setInputFiles("#file", Array.from({ length: count }, (_, k) => ({ name: `wide${k}.json`, mimeType: "application/json", buffer: content }))); await page.waitForTimeout(200); };
  await give(1);
  check((await state(page)).problem === "", "a file with such numbers can be opened", (await state(page)).problem);
  await look();
  await give(2);
  check(plain(await words(page, "#pane-compare")).includes("2314850208468434958"), "two of them are compared", await words(page, "#pane-compare"));
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

const moving = async (file) => {
  const { page, trouble, close } = await open(file);
  await told(page);
  const before = (await state(page)).panels[0];
  let [x, y] = await where(page, 0, 300);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  const after = (await state(page)).panels[0];
  const [x2, y2] = await where(page, 0, 300);
  const span = ([low, high]) => high - low;
  check(span(after.x) < span(before.x) / 1.3 && span(after.y) < span(before.y) / 1.3, "the wheel zooms both axes");
  check(Math.abs(x2 - x) < 1.5 && Math.abs(y2 - y) < 1.5, "what lies under the pointer stays there", [x, y, x2, y2]);
  await page.keyboard.down("Shift");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Shift");
  const wide = (await state(page)).panels[0];
  check(span(wide.x) < span(after.x) && span(wide.y) === span(after.y), "shift and wheel zoom time only");
  await page.keyboard.down("Alt");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Alt");
  const high = (await state(page)).panels[0];
  check(span(high.x) === span(wide.x) && span(high.y) < span(wide.y), "alt and wheel zoom addresses only");
  [x, y] = await where(page, 0, 300);
  await page.mouse.move(600, 400);
  await page.mouse.down();
  await page.mouse.move(560, 430, { steps: 4 });
  await page.mouse.up();
  const [x3, y3] = await where(page, 0, 300);
  check(Math.abs(x3 - x + 40) < 3 && Math.abs(y3 - y - 30) < 3, "dragging moves the plot", [x, y, x3, y3]);
  const dragged = (await state(page)).panels[0];
  await page.locator("#canvas").focus();
  await page.keyboard.press("ArrowRight");
  check((await state(page)).panels[0].x[0] > dragged.x[0], "arrows move");
  const narrow = (await state(page)).panels[0];
  await page.keyboard.press("-");
  check(span((await state(page)).panels[0].x) > span(narrow.x), "minus zooms out");
  const box = await page.locator("#strip").boundingBox();
  await page.mouse.click(box.x + 90, box.y + 20);
  check((await state(page)).panels[0].x[0] < 5, "the strip leads to another time");
  await shot(page, "near");
  const exported = await page.evaluate(() => window.circleLineage.svg());
  check(exported.startsWith("<svg") && exported.includes("<rect") && exported.includes("lower bound") && exported.includes("cycles"), "what is in sight can be saved as SVG");
  // Of each plot names come behind lines and blocks, so that nothing is drawn over them.
  const order = await page.evaluate((text) => [...new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("g > *")].map((node) => (node.getAttribute("class") === "name" ? "n" : node.nodeName === "path" ? "l" : "")).join(""), exported);
  check(/^l+n+$/.test(order), "in a saved view names are drawn over lines", order);
  await page.keyboard.press("0");
  check(span((await state(page)).panels[0].x) === span(before.x), "zero shows everything");

  // Search.
  await page.keyboard.press("/");
  await page.keyboard.type("layer_3/part_2");
  await page.waitForSelector("#search-results");
  const hits = Number(plain(/([\d\u00a0]+) blocks/.exec(await words(page, "#search-results"))[1]));
  check(hits > 5 && (await state(page)).emphasised[0] === hits, "the search counts and emphasises", hits);
  await shot(page, "search");
  await page.keyboard.press("Enter");
  check((await state(page)).pin !== null, "enter goes to the first hit");
  await page.keyboard.press("Escape");
  check((await state(page)).search === "" && (await state(page)).emphasised === null, "escape clears");
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

const compare = async (file) => {
  const { page, trouble, close } = await open(file);
  await told(page);
  check((await state(page)).compare, "two plans are compared");
  const panels = (await state(page)).panels;
  check(panels.length === 2 && panels[0].y.join() === panels[1].y.join(), "both have one scale of addresses");
  const sums = [];
  for (const k of [1, 2, 3]) sums.push(sum(await column(page, ".differences tbody tr, .differences tfoot tr:first-child", k)), (await column(page, ".differences tr.sum", k))[0]);
  check(sums[0] === sums[1] && sums[2] === sums[3] && sums[4] === sums[5] && sums[3] - sums[1] === sums[5], "layers and gaps add up to the peaks and to their difference", sums);
  const before = panels[0].y.join();
  const [x, y] = await where(page, 0, 20);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -200);
  const zoomed = (await state(page)).panels;
  check(zoomed[0].y.join() !== before && zoomed[0].y.join() === zoomed[1].y.join(), "both are zoomed together");
  await page.locator("#beside").uncheck();
  check(!(await state(page)).compare, "the plans can be looked at without comparing");
  check(trouble.length === 0, "no error, no request", trouble);
  await shot(page, "compare");
  await close();
};

const hostile = async (file) => {
  const { page, trouble, close } = await open(file);
  for (let block = 0; block < 9; block++) {
    const [x, y] = await where(page, 0, block);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
  }
  for (const tab of ["alive", "details"]) await page.locator(`#tab-${tab}`).click();
  for (const query of ["</script>", "<img", "\\u", "[("]) { await page.fill("#search", query); await page.waitForTimeout(150); }
  await page.fill("#search", "");
  await page.waitForTimeout(200);
  const exported = await page.evaluate(() => window.circleLineage.svg());
  const parsed = await page.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, "image/svg+xml"), all = [...root.querySelectorAll("*")];
    return { tags: [...new Set(all.map((node) => node.nodeName))].sort().join(" "), odd: all.flatMap((node) => [...node.attributes]).filter((a) => /^on|href/.test(a.name)).length, names: root.querySelectorAll("text.name").length };
  }, exported);
  check(/^clipPath g path rect svg text title$/.test(parsed.tags) && parsed.odd === 0 && parsed.names > 0, "a saved view is well-formed and has no elements but its own", parsed);
  check(!exported.includes("<script") && !exported.includes("<img") && !/[\u202a-\u202e]/.test(exported), "names are text in a saved view, too");
  check((await page.evaluate(() => window.hacked)) === undefined, "no name was executed");
  check((await page.locator("img, iframe, object, main a").count()) === 0, "no name became markup");
  check(!/[\u202a-\u202e\u2066-\u2069]/.test(await page.evaluate(() => document.body.innerText)), "no name turns the direction of text");
  const blocked = await page.evaluate(async () => { try { await fetch("https://example.invalid/"); return false; } catch { return true; } });
  check(blocked, "the policy forbids requests");
  const other = trouble.filter((line) => !/content security policy|example\.invalid|Failed to fetch/i.test(line));
  check(other.length === 0, "no error, no request", other);
  await shot(page, "hostile");
  await close();
};

// Pages whose data is damaged, and files opened in a page.
const broken = async (file, folder) => {
  const source = readFileSync(file, "utf8");
  const cut = async (name, change, wanted) => {
    const path = join(folder, name);
    writeFileSync(path, change(source));
    const { page, close } = await open(path);
    const said = await words(page, "#problem");
    check(wanted.test(said), `${name}: the error is in the page`, said);
    await close();
  };
  await cut("version.html", (text) => text.replace('"memory_page":1', '"memory_page":99'), /version 99; this page knows 1/);
  await cut("cut.html", (text) => text.replace(/(id="data">.{200})[^<]*/s, "$1"), /cannot be shown/);
  await cut("other.html", (text) => text.replace(/(id="data">)[^<]*/s, "$1{}"), /not that of a memory plan/);

  const { page, trouble, close } = await open(file);
  const give = async (...files) => { await page.setInputFiles("#file", files.map(([name, content]) => ({ name, mimeType: "application/json", buffer: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)) }))); await page.waitForTimeout(100); };
  const plan = (...blocks) => ({ format: "memory-allocation", schema_version: 1, tick: { unit: "cycle" }, origins: [{ id: 7, name: "layer_0/a" }, { id: 9, name: "layer_0/b" }], segments: [{ name: "bank", size: 4096, blocks }] });
  const one = { name: "<b>one</b>", offset: 0, size: 1024, alive_from: 0, alive_till: 5, origins: [7] };
  for (const [what, content, wanted] of [
    ["an unknown version", { ...plan(one), schema_version: 2 }, /schema_version 2; this page knows 1/],
    ["another form", { schema_version: 1, segments: [] }, /no file of the memory allocation form; .*: one-visualizer bad\.json -o memory\.json/],
    ["no JSON", "{", /is no JSON: .*: one-visualizer bad\.json -o memory\.json/],
    ["a number that is too large", '{"format":"memory-allocation","schema_version":1,"segments":[{"name":"b","blocks":[{"offset":18446744073709551616,"size":1,"alive_from":0,"alive_till":1}]}]}', /block 0, offset: a number beyond 18.446.744.073.709.551.615/],
    ["one that is not written out", '{"format":"memory-allocation","schema_version":1,"segments":[{"name":"b","blocks":[{"offset":0,"size":1e17,"alive_from":0,"alive_till":1}]}]}', /block 0, size: a number beyond/],
    ["an identity that is too large", plan({ ...one, space: 4294967296 }), /block 0, space: is no identity: they end at 4294967295/],
    ["a missing field", plan({ offset: 0, size: 1, alive_from: 0 }), /segment 0 "bank", block 0, alive_till: is missing/],
    ["a text for a number", plan({ ...one, size: "5" }), /size: "5" is no whole number/],
  ]) {
    await give(["bad.json", content]);
    const said = await words(page, "#problem");
    check(wanted.test(said) && (await state(page)).panels.length === 2, `${what} is an error in the page, which keeps its plan`, said);
  }
  await give(["good.json", plan(one, { offset: 1024, size: 4096, alive_from: 2, alive_till: 9, origins: [7, 9], kind: "scratch" }, { offset: 8, size: 8, alive_from: 3, alive_till: 3 })]);
  const opened = await state(page);
  check(opened.problem === "" && opened.panels.length === 1 && opened.panels[0].blocks === 3, "a file of the form can be opened", opened);
  check((await words(page, "#overview-details")).includes("ends at 5120, the segment at 4096") && (await words(page, "#overview-details")).includes("the lifetime 3..3 is empty"), "its faults are listed");
  check((await words(page, "#overview-details")).includes("3, 1 without lifetime"), "blocks that never live are counted and told", await words(page, "#overview-details"));
  check((await page.evaluate(() => window.circleLineage.figures()))[0].peak === 5120, "its peak is found");
  const bound = async (what, ...blocks) => { await give([what, { ...plan(), segments: [{ name: "bank", alignment: 16, blocks }] }]); return (await page.evaluate(() => window.circleLineage.figures()))[0].bound; };
  const at = (offset, size, more = {}) => ({ offset, size, alive_from: 0, alive_till: 2, ...more });
  const bounds = [await bound("kept.json", at(0, 4), at(16, 4), at(32, 6), at(0, 1, { alive_from: 3, alive_till: 4 })), await bound("unkept.json", at(0, 4), at(20, 4)), await bound("halves.json", at(0, 4), at(16, 6, { wrap: { offset: 32, size: 2 } }))];
  check(bounds.join() === "36,8,10", "the lower bound counts an alignment that all blocks keep", bounds);
  await page.fill("#till", "2");
  await page.keyboard.press("Enter");
  await give(["part.json", plan(one, { ...one, offset: 9000, alive_from: 7, alive_till: 8 }, { ...one, alive_from: 1, alive_till: 1 }, { ...one, alive_from: 2, alive_till: 2 })]);
  check((await state(page)).panels[0].blocks === 2, "only the ticks asked for are read, and what has no lifetime where it begins");
  await page.fill("#till", "");
  await page.keyboard.press("Enter");
  await give(["a.json", plan(one)], ["b.json", plan({ ...one, size: 512 })]);
  check((await state(page)).compare && (await words(page, ".differences")).includes("−512"), "two files are compared", await words(page, "#pane-compare"));
  // Names that only their ends tell apart, and a model of some megabytes.
  const long = ["first", "second", "third"].map((end, id) => ({ id, name: `${["encoder", "decoder", "encoder"][id]}/${"some_long_block/".repeat(5)}${end}` }));
  await give(["long.json", { ...plan(), model: { name: "m.circle", size: 12345678 }, origins: long, segments: [{ name: "bank", blocks: long.map(({ id }) => ({ ...one, name: undefined, offset: 1024 * id, origins: [id] })) }] }]);
  const labels = () => page.locator("#legend .class").evaluateAll((all) => all.map((item) => [item.title, item.innerText, item.scrollWidth <= item.clientWidth]));
  for (const width of [1400, 1000]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(100);
    const seen = await labels();
    check(seen.length === 3 && seen.every(([title, shown, fits], k) => title === long[k].name && fits && shown.includes("…") && shown.startsWith(title.slice(0, 6)) && shown.endsWith(title.slice(-5))), `names of the legend are cut in their middle, ${width} pixels wide`, seen);
  }
  check((await words(page, "#overview-details")).includes("12\u00a0345\u00a0678"), "bytes of the model have groups of digits", await words(page, "#overview-details"));
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

// What is told of plans at addresses of a device, and of plots in which nothing lies. `file` shows ticks without blocks.
const captions = async (file) => {
  const { page, trouble, close } = await open(file);
  const overview = async () => plain(await words(page, "#overview-details"));
  const svg = async () => (await page.evaluate(() => [...new DOMParser().parseFromString(window.circleLineage.svg(), "image/svg+xml").querySelectorAll("text")].map((one) => one.textContent))).map(plain);
  const bare = async (what, text) => {
    const told = await svg();
    check(told.filter((one) => one === text).length === 2 && !told.includes("1 B") && (await words(page, "#legend")).trim() === "" && (await overview()).includes(text), `${what}: it says that there is nothing`, told);
  };
  await bare("ticks without blocks", "no blocks in this range");
  check((await state(page)).problem === "" && (await state(page)).panels[0].x.join() === "8,15", "they are the ticks asked for", await state(page));
  const give = async (segments) => {
    for (const name of ["#from", "#till"]) await page.fill(name, "");
    const buffer = Buffer.from(JSON.stringify({ format: "memory-allocation", schema_version: 1, tick: { unit: "cycle" }, segments }));
    await page.setInputFiles("#file", [{ name: "plan.json", mimeType: "application/json", buffer }]);
    await page.waitForTimeout(150);
  };
  await give([{ name: "SRAM", blocks: [] }]);
  await bare("a segment without blocks", "no blocks in this segment");
  check(!(await svg()).includes("cycles"), "nor has it a time axis");
  const first = 0x80000000, plan = (size, one, other) => [{ name: "SRAM", size, blocks: [one, other].map((offset) => ({ offset, size: 4096, alive_from: 0, alive_till: 9 })) }];
  for (const low of [first, 6144]) {
    await give(plan(low + 8192, low, low + 2048));
    const told = `${await overview()} ${(await svg()).join(" ")}`;
    check(told.includes("overlapping blocks would need more than there is") && !/which is the least|= lower bound|above it 0/.test(told), `blocks from ${low} on that overlap are not told to be the least`, told);
  }
  await give(plan(first + 8192, first, first + 4096));
  check(/above it\s+0 B = 0.0 %/.test(await overview()), "those that do not are", await overview());
  // The end of a memory stands in the plot or nowhere.
  for (const [size, due] of [[65536, false], [first + 64, true]]) {
    await give(plan(size, first, first + 4096));
    const found = await page.evaluate(() => {
      const root = document.body.appendChild(new DOMParser().parseFromString(window.circleLineage.svg(), "image/svg+xml").documentElement);
      const label = [...root.querySelectorAll("text")].find((one) => one.textContent.startsWith("end of memory")), box = label && label.getBBox();
      root.remove();
      const { rect } = window.circleLineage.state().panels[0];
      return box && [box.y >= rect.y, box.y + box.height <= rect.y + rect.h];
    });
    check(due ? Boolean(found) && found.every(Boolean) : found === undefined, `the end of a memory of ${size} bytes is told within the plot, or not`, found);
  }
  check(trouble.length === 0, "no error, no request", trouble);
  await close();
};

const large = async (file, count, bound) => {
  const { page, trouble, close } = await open(file);
  const timing = await page.evaluate(() => window.circleLineage.timing());
  console.log(`     ${count} blocks: data parsed in ${timing.parsed.toFixed(0)} ms, shown ${timing.ready.toFixed(0)} ms later (to be: ${bound})`);
  const times = await page.evaluate(async () => {
    const hook = window.circleLineage, result = {};
    const canvas = document.getElementById("canvas");
    const wheel = (deltaY) => canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: 500, clientY: 450, cancelable: true }));
    const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    const measure = (name, act, exact = false) => {
      hook.frame(true);
      const all = [];
      for (let k = 0; k < 30; k++) { act(k); all.push(hook.frame(exact)); }
      all.sort((a, b) => a - b);
      result[name] = { median: all[15], worst: all[29] };
    };
    measure("all, zooming", (k) => wheel(k % 2 ? 40 : -40));
    measure("all, zooming, every frame drawn anew", (k) => wheel(k % 2 ? 40 : -40), true);
    for (const name of ["far", "middle", "near", "very near"]) {
      for (let k = 0; k < 2; k++) wheel(-400);
      measure(`${name}, moving`, (k) => key(k % 2 ? "ArrowRight" : "ArrowLeft"));
    }
    key("0");
    return result;
  });
  for (const [name, time] of Object.entries(times)) console.log(`     frame, ${name}: median ${time.median.toFixed(1)} ms, worst ${time.worst.toFixed(1)} ms (to be: 33)`);
  check(timing.ready < 10 * bound, `${count} blocks are shown within ${10 * bound} ms, on a busy machine`, timing.ready);
  check(Object.values(times).every((time) => time.median < 200), `frames of ${count} blocks take less than 200 ms without a GPU, on a busy machine`, times);
  const began = Date.now();
  await page.fill("#search", `#${count - 23}`);
  await page.waitForSelector("#search-results .block-link");
  console.log(`     search: ${Date.now() - began} ms`);
  await page.locator("#search-results .block-link").first().click();
  check((await state(page)).pin.block === count - 23, `the search leads to one of ${count} blocks`);
  check(trouble.length === 0, "no error, no request", trouble);
  await shot(page, `large-${count}`);
  await close();
};

// The page counts what the driver finds, each fault once, wherever it is looked at from.
const faults = async (folder, name, bound) => {
  const { page, trouble, close } = await open(join(folder, `${name}.html`));
  const { findings } = JSON.parse(readFileSync(join(folder, `${name}.found`), "utf8"));
  const due = sum(findings.filter(({ severity }) => severity === "error").map(({ further }) => 1 + further));
  const warned = sum(findings.filter(({ severity }) => severity === "warning").map(({ further }) => 1 + further));
  const headings = (word) => page.locator("#overview-details h3").evaluateAll((all, what) => all.map((one) => one.textContent.replace(/\u00a0/g, "")).map((text) => new RegExp(`^(?:(One)|(\\d+)) ${what}s?$`).exec(text)).filter(Boolean).map(([, , number = 1]) => Number(number)), word);
  const counted = async (when) => {
    const found = [sum(await headings("fault")), sum(await headings("warning"))];
    check(found[0] === due && found[1] === warned && due > 5, `${name}: as many faults and warnings as the driver finds, ${when}`, [found, due, warned]);
  };
  await counted("at first");
  const exported = () => page.evaluate(() => {
    const root = new DOMParser().parseFromString(window.circleLineage.svg(), "image/svg+xml");
    return [new Set([...root.querySelectorAll(".fault")].map((one) => one.getAttribute("aria-label"))).size, [...root.querySelectorAll(".missing")].map((one) => one.textContent.replace(/\u00a0/g, "")).join("; ")];
  });
  const whole = await exported();
  const times = await page.evaluate(() => {
    const hook = window.circleLineage, canvas = document.getElementById("canvas"), all = [];
    const wheel = (deltaY) => canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: 500, clientY: 450, cancelable: true }));
    const key = (name) => canvas.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
    hook.frame(true);
    for (let k = 0; k < 12; k++) { wheel(-60); all.push(hook.frame(false)); }
    for (let k = 0; k < 12; k++) { key(k % 3 ? "ArrowRight" : "ArrowUp"); all.push(hook.frame(false)); }
    return all.sort((a, b) => a - b);
  });
  await counted("after zooming and panning");
  console.log(`     ${name}: frames median ${times[12].toFixed(1)} ms, worst ${times[23].toFixed(1)} ms (to be: ${bound})`);
  check(times[12] < 3 * bound, `${name}: frames with ${due} faults take less than ${3 * bound} ms, on a busy machine`, times);
  await page.keyboard.press("0");
  await counted("with all in sight again");
  check(trouble.length === 0, "no error, no request", trouble);
  await shot(page, name);
  await close();
  return whole;
};

await run(async () => {
  const [few] = await faults(target, "faults", 33);
  check(few > 2, "faulty blocks are outlined in a saved view", few);
  const [outlined, missing] = await faults(target, "crowded", 33);
  check(outlined <= 1500 && missing === `${45000 - outlined} faulty blocks are not outlined`, "a saved view says what it does not outline", [outlined, missing]);
  await faults(target, "stacked", 33);
  const folder = join(target, "opened");
  await opened(join(target, "faults.html"), join(target, "opened.found"), readdirSync(folder).map((name) => join(folder, name)));
  await small(join(target, "small.html"));
  await wide(join(target, "wide.html"), new URL("wide.json", import.meta.url));
  await beyond(join(target, "beyond.html"), new URL("beyond.json", import.meta.url));
  await spaces(join(target, "spaces.html"), new URL("spaces.json", import.meta.url));
  await device(join(target, "device.html"));
  await captions(join(target, "gap.html"));
  await moving(join(target, "usual.html"));
  await compare(join(target, "compare.html"));
  await hostile(join(target, "hostile.html"));
  await broken(join(target, "small.html"), target);
  await large(join(target, "10000.html"), 10000, 100);
  await large(join(target, "100000.html"), 100000, 500);
});
