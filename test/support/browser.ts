import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

/** Path of Chromium: that of CHROMIUM_PATH or Debian's; null if missing. */
export const chromiumPath =
  [process.env.CHROMIUM_PATH, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path) => path !== undefined && existsSync(path),
  ) ?? null;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? undefined,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
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
    let browser: Browser;
    let text: string;
    const contexts: BrowserContext[] = [];
    beforeAll(async () => {
      browser = await openBrowser();
      text = await make();
    });
    afterEach(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    });
    afterAll(() => browser?.close());
    tests(async (width = 1200, colorScheme = "light") => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
      contexts.push(context);
      const page = await context.newPage();
      await page.setContent(text);
      return page;
    });
  });
}

const SHOTS = join(import.meta.dirname, "../../coverage/screenshots");

/** Takes a screenshot of this name; returns the violations that axe finds and whether anything is wider than the window. */
export async function checkPage(page: Page, name: string): Promise<string[]> {
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const wider = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    ...(wider > 0 ? [`wider than the window by ${wider} pixels`] : []),
  ];
}

/**
 * Tests a page on a desktop and a phone, light and dark: axe finds no violation, and nothing is wider than the window.
 * A screenshot of each, with `name` in its file name, goes to `coverage/screenshots`.
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
