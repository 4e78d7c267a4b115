/**
 * `npm run speed [-- NAME ...]`: measures, keeps what it measured in `docs/speed.json`, and writes plot and tables of
 * `docs/speed.md`. A name is that of a file in `test/bench/curves/` or of a bench; it replaces what was measured under
 * that name before. Without names it measures `USUAL`, in about 6 minutes on two idle cores; a stopped measurement
 * continues with the names that are left. `-- --draw` only writes plot and tables. With `PROMPTFOO`, the path of its
 * program, promptfoo is measured too.
 */
import "../src/app/registry.ts";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Curves } from "../test/bench/curves/curve.ts";
import type { Measured } from "../test/bench/measured.ts";
import { renewed, Speed } from "./speed/figures.ts";
import { pageWith } from "./speed/page.ts";
import { plotOf } from "./speed/plot.ts";

const USUAL = [
  ...["in-flight", "samples", "film-length", "frames-per-question"],
  ...["text-questions", "overhead", "startup", "shots"],
];

const root = join(import.meta.dirname, "..");
const DATA = join(root, "docs/speed.json");
const PLOT = join(root, "docs/speed.svg");
const PAGE = join(root, "docs/speed.md");

const given = process.argv.slice(2);
const names = given.length === 0 ? USUAL : given.filter((name) => name !== "--draw");
const missing = names.find((name) => fileOf(name) === undefined);
if (missing !== undefined) {
  console.error(
    `Unknown name ${JSON.stringify(missing)}: use ${USUAL.join(", ")}, --draw, or another file of test/bench.`,
  );
  process.exit(2);
}

for (const name of names) {
  const began = Date.now();
  const measured = (await import(fileOf(name) ?? "")) as {
    measure?: () => Promise<Curves>;
    bench?: () => Promise<Measured[]>;
  };
  const curves = await measured.measure?.();
  const figures = await measured.bench?.();
  const speed = await read();
  const day = new Date().toISOString().slice(0, 10);
  Object.assign(speed.curves, curves);
  if (figures !== undefined)
    speed.benches[name] = renewed(
      speed.benches[name] ?? [],
      figures.map((figure) => ({ ...figure, day })),
    );
  await writeFile(DATA, `${JSON.stringify(speed, rounded, 1)}\n`);
  await draw();
  console.log(`${name}: measured in ${Math.round((Date.now() - began) / 1000)} s`);
}
await draw();
process.exit();

function fileOf(name: string): string | undefined {
  const folder = join(root, "test/bench");
  return [join(folder, "curves", `${name}.ts`), join(folder, `${name}.bench.ts`)].find(existsSync);
}

async function read(): Promise<Speed> {
  return Speed.parse(existsSync(DATA) ? JSON.parse(await readFile(DATA, "utf8")) : {});
}

async function draw(): Promise<void> {
  const { curves, benches } = await read();
  await writeFile(PLOT, plotOf(Object.values(curves)));
  await writeFile(PAGE, pageWith(await readFile(PAGE, "utf8"), benches));
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
