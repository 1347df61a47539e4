// A headless Chromium, and what the tests of all pages share. Prints one line a check and "N passed, N failed".
import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const profile = mkdtempSync(join(tmpdir(), "browser-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1400, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let passed = 0, failed = 0;
export const check = (ok, what, seen) => {
  if (ok) passed++; else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${what}${ok || seen === undefined ? "" : `: ${JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? String(value) : value))}`}`);
};

// Opens a page and keeps an eye on its console, its errors and what it asks the network for.
export const open = async (file, hash = "") => {
  const page = await context.newPage();
  const trouble = [];
  const url = pathToFileURL(resolve(file)).href;
  page.on("console", (message) => {
    // Reading a pixel back is how a frame is timed below; the browser advises against doing so often.
    if (["error", "warning"].includes(message.type()) && !message.text().includes("readback")) trouble.push(message.text());
  });
  page.on("pageerror", (error) => trouble.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith(url)) trouble.push(`request for ${request.url()}`); });
  page.on("dialog", (dialog) => { trouble.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  const began = Date.now();
  await page.goto(url + hash);
  await page.waitForFunction(() => window.circleLineage);
  return { page, trouble, loaded: Date.now() - began, close: () => page.close() };
};
export const state = (page) => page.evaluate(() => window.circleLineage.state());
export const words = (page, selector) => page.locator(selector).innerText();
export const shoot = async (page, folder, name) => {
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

// Runs the tests and ends the process.
export const run = async (tests) => {
  try { await tests(); } catch (error) { check(false, `stopped: ${error}`); } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
};
