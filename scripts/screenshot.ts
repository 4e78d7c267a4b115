/**
 * `npm run screenshot [-- --out FILE]`: renews the README's picture of an answer, an evidence page of the demo. Needs
 * Chromium: Debian's, or the one that CHROMIUM_PATH names.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import sharp from "sharp";

const root = join(import.meta.dirname, "..");
/** The question about the equation on the board. */
const PAGE = "question-3.html";
/** Pixels. */
const WINDOW = { width: 920, height: 1130 };

const browserPath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);
const out = outFile();
if (browserPath === undefined) leave("No Chromium found: install it, or set CHROMIUM_PATH.", 1);

const folder = mkdtempSync(join(tmpdir(), "video-rrd-screenshot-"));
try {
  execFileSync("npm", ["run", "--silent", "demo", "--", "--out", folder], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const { size } = await sharp(await photograph(join(folder, PAGE)))
    .png({ palette: true, compressionLevel: 9 })
    .toFile(out);
  console.log(`${out}: ${Math.ceil(size / 1000)} kB`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function photograph(file: string): Promise<Buffer> {
  const browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: WINDOW, colorScheme: "light" });
    await page.goto(pathToFileURL(file).href);
    return await page.screenshot();
  } finally {
    await browser.close();
  }
}

function outFile(): string {
  try {
    const image = join(root, "docs/images/evidence.png");
    return parseArgs({ options: { out: { type: "string", default: image } } }).values.out;
  } catch (error) {
    return leave(`Use only \`--out FILE\`: ${(error as Error).message}`, 2);
  }
}

function leave(message: string, code: number): never {
  console.error(message);
  process.exit(code);
}
