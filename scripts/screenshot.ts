/**
 * `npm run screenshot [-- --out FILE]`: the README's picture of an answer, taken of an evidence page of the demo. Needs
 * Chromium (CHROMIUM_PATH, or Debian's).
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
const SIZE = { width: 920, height: 1130 };

const { values } = parseArgs({
  options: { out: { type: "string", default: join(root, "docs/images/evidence.png") } },
});
const executablePath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);
const folder = mkdtempSync(join(tmpdir(), "video-rrd-screenshot-"));
try {
  execFileSync("npm", ["run", "--silent", "demo", "--", "--out", folder], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: "light" });
    await page.goto(pathToFileURL(join(folder, PAGE)).href);
    const { size } = await sharp(await page.screenshot())
      .png({ palette: true, compressionLevel: 9 })
      .toFile(values.out);
    console.log(`${values.out}: ${Math.ceil(size / 1000)} kB`);
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
