/**
 * `npm run bench [-- NAME ...]`: measures speed and memory as ratios to a baseline of the same run, and compares them with limits.
 * Each file of `test/bench` exports `bench()`; a name selects the files that begin with it. Fails if a limit is exceeded.
 */
import { readdirSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import "../src/app/registry.ts";

interface Figure {
  name: string;
  value: number;
  unit: string;
  bar: string;
  ok: boolean;
}

const folder = join(import.meta.dirname, "../test/bench");
const wanted = process.argv.slice(2);
const files = readdirSync(folder)
  .filter((file) => file.endsWith(".bench.ts"))
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
  .sort();
if (files.length === 0) {
  console.error(`Unknown bench ${wanted.join(" or ")}: use ${readdirSync(folder).join(", ")}.`);
  process.exitCode = 2;
}

console.log(
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
);
let missed = 0;
for (const file of files) {
  const { bench } = (await import(join(folder, file))) as { bench: () => Promise<Figure[]> };
  const began = Date.now();
  const figures = await bench();
  console.log(`\n${file.replace(".bench.ts", "")} (${Math.round((Date.now() - began) / 1000)} s)`);
  for (const { name, value, unit, bar, ok } of figures) {
    if (!ok) missed++;
    console.log(
      `${ok ? "  ok    " : "  MISSED"} ${name}: ${Number.isNaN(value) ? "not measured" : `${value.toPrecision(4)} ${unit} (bar: ${bar})`}`,
    );
  }
}
console.log(`\n${missed === 0 ? "All bars are met." : `${missed} bars are missed.`}`);
if (missed > 0) process.exitCode = 1;
process.exit();
