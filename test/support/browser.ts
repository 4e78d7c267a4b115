import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

/** Debian's Chromium, or the one that CHROMIUM_PATH names. */
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

/** Opens the page of a `describePage` in a window of this many pixels; closed again after the test. */
export type OpenPage = (width?: number, colorScheme?: "light" | "dark") => Promise<Page>;

/** Tests of one HTML text in a browser, skipped where there is none. */
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

/** Leaves a screenshot of that name; tells what axe finds and whether anything is wider than the window. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
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
 * On a desktop and a phone, light and dark: what axe finds, and whether anything is wider than the window; a screenshot
 * of each, called by `name`, is left under `coverage/` for a person to look at.
 */
export function testLooks(
  name: string,
  open: OpenPage,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): void {
  for (const [device, width] of [
    ["desktop", 1200],
    ["phone", 390],
  ] as const)
    for (const scheme of ["light", "dark"] as const)
      test(`${device}, ${scheme}: accessible, and nothing sticks out`, async () => {
        const page = await open(width, scheme);
        await prepare(page);
        expect(await lookAt(page, `${name}-${device}-${scheme}`)).toEqual([]);
      });
}
