/**
 * Compiles to `dist/`, copies what the code reads at run time (prompts, and assets of the pages), and bundles the command.
 * With `TYPES_CHECKED=1` types are not checked a second time.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bundle } from "./bundle.ts";

const root = join(import.meta.dirname, "..");
rmSync(join(root, "dist"), { recursive: true, force: true });
const tsc = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);
// Checkers in parallel repeat work, for which a machine with two cores has no time.
const checkers = process.env.CI ? ["--singleThreaded"] : [];
if (process.env.TYPES_CHECKED === "1") checkers.push("--noCheck");
execFileSync(process.execPath, [tsc, ...checkers, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
for (const asset of globSync(
  [
    "prompts/**/*.md",
    "src/app/**/prompts/*.md",
    "src/pages/**/*.{css,js,html,svg}",
    "src/media/**/*.conf",
    "evals/**/*.json",
    "evals/**/prompts/*.md",
    "graphs/**/prompts/*.md",
    "tools/agent/[a-z]*.md",
  ],
  { cwd: root },
))
  cpSync(join(root, asset), join(root, "dist", asset));
await bundle();
