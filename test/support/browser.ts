import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

/**
 * Path of Chromium: that of CHROMIUM_PATH or Debian's; null if missing. The shell without windows needs two thirds of the
 * time.
 */
export const chromiumPath =
  [
    process.env.CHROMIUM_PATH,
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
  ].find((path) => path !== undefined && existsSync(path)) ?? null;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? undefined,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // A process for each page costs a sixth of the time.
      "--renderer-process-limit=1",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

let shared: Promise<Browser> | undefined;

/** The browser of all tests of this process, which ends with it. Each test has windows of its own. */
export function testBrowser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}

/** Opens the page of a `describePage` in a window of this width, in pixels, until the end of the test. */
export type OpenPage = (width?: number, colorScheme?: "light" | "dark") => Promise<Page>;

/** Tests of one HTML page in a browser; skipped if Chromium is missing. */
export function describePage(
  title: string,
  make: () => string | Promise<string>,
  tests: (open: OpenPage) => void,
): void {
  describe.skipIf(chromiumPath === null)(title, () => {
    let text: string;
    beforeAll(async () => {
      text = await make();
    });
    tests(async (width = 1200, colorScheme = "light") => {
      const browser = await testBrowser();
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      await page.setContent(text);
      return page;
    });
  });
}

const SHOTS = join(import.meta.dirname, "../../coverage/screenshots");
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The violations that axe finds, in the document of the page alone: none of the pages has frames. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(readFileSync(AXE, "utf8"));
  const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
  const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** With `SCREENSHOTS=1`, a screenshot goes to `coverage/screenshots/NAME.png`. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== "1") return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

/** Returns the violations that axe finds and whether anything is wider than the window. */
export async function checkPage(page: Page, name: string): Promise<string[]> {
  await takeScreenshot(page, name);
  const violations = await accessibilityViolations(page);
  const wider = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  return [...violations, ...(wider > 0 ? [`wider than the window by ${wider} pixels`] : [])];
}

/**
 * Tests a page on a desktop and a phone, light and dark: axe finds no violation, and nothing is wider than the window.
 * `name` is for screenshots.
 */
export function testAppearance(
  name: string,
  open: OpenPage,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): void {
  for (const [device, width] of [
    ["desktop", 1200],
    ["phone", 390],
  ] as const)
    for (const scheme of ["light", "dark"] as const)
      test(`${device}, ${scheme}: accessible, nothing is wider than the window`, async () => {
        const page = await open(width, scheme);
        await prepare(page);
        expect(await checkPage(page, `${name}-${device}-${scheme}`)).toEqual([]);
      });
}
