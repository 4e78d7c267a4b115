import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hashOf } from "../src/core/hash.ts";

/*
 * Compiles the loops over the pixels of a picture to WebAssembly, with AssemblyScript in `tooling/`. `npm run kernels` after
 * a change of `pixel-kernels.as.ts`; a test fails until it is run.
 */

const root = resolve(import.meta.dirname, "..");
const tooling = join(root, "tooling");
const source = join(root, "tools/text/ocr/pixel-kernels.as.ts");
const code = join(root, "tools/text/ocr/pixel-kernels-code.ts");
const compiler = join(tooling, "node_modules/.bin/asc");

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: tooling, stdio: "inherit" });

if (!existsSync(compiler))
  run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts");
const folder = mkdtempSync(join(tmpdir(), "video-rrd-kernels-"));
try {
  const compiled = join(folder, "kernels.wasm");
  const options = ["-O3", "--converge", "--noAssert", "--enable", "simd", "--runtime", "stub"];
  run(compiler, source, ...options, "-o", compiled);
  const text = readFileSync(compiled).toString("base64");
  writeFileSync(
    code,
    [
      "/** `pixel-kernels.as.ts` as WebAssembly in base64, and its hash. Made by `npm run kernels`; not to be edited. */",
      `export const SOURCE = "${hashOf(readFileSync(source, "utf8"))}";`,
      "export const CODE =",
      `  "${text}";`,
      "",
    ].join("\n"),
  );
} finally {
  rmSync(folder, { recursive: true });
}
