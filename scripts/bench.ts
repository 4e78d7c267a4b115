/**
 * `npm run bench [-- NAME ...]`: measures speed and memory as ratios to a baseline of the same run, and compares them with limits.
 * Each file of `test/bench` exports `bench()`; a name selects the files that begin with it. Fails if a limit is exceeded.
 * Each file has a process of its own: the memory of one would slow down the next, and every process that it starts.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Measured } from "../test/bench/measured.ts";

const folder = join(import.meta.dirname, "../test/bench");
const END = ".bench.ts";
const ONE = "--one";

/** Sends the figures of a file to the process that started this one. */
async function measure(file: string): Promise<void> {
  process.once("disconnect", () => process.exit());
  await import("../src/app/registry.ts");
  const { bench } = (await import(join(folder, file))) as { bench: () => Promise<Measured[]> };
  const figures = await bench();
  process.send?.(figures, () => process.exit());
}

/** Measures a file in another process; null if it failed, which it has then said. */
async function figuresOf(file: string): Promise<Measured[] | null> {
  const child = fork(import.meta.filename, [ONE, file], { serialization: "advanced" });
  let figures: Measured[] | null = null;
  child.on("message", (measured) => {
    figures = measured as Measured[];
  });
  // What was sent arrives before the end of the channel, but perhaps after that of the process.
  await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  return figures;
}

async function measureAll(names: readonly string[]): Promise<void> {
  const known = readdirSync(folder)
    .filter((file) => file.endsWith(END))
    .map((file) => file.slice(0, -END.length))
    .sort();
  const wanted = known.filter(
    (one) => names.length === 0 || names.some((name) => one.startsWith(name)),
  );
  if (wanted.length === 0) {
    console.error(`Unknown bench ${names.join(" or ")}: use ${known.join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  console.log(
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
  );
  let missed = 0;
  const failed: string[] = [];
  for (const name of wanted) {
    const began = Date.now();
    const figures = await figuresOf(`${name}${END}`);
    console.log(`\n${name} (${Math.round((Date.now() - began) / 1000)} s)`);
    if (figures === null) failed.push(name);
    for (const figure of figures ?? []) {
      if (!figure.ok) missed++;
      console.log(textOf(figure));
    }
  }
  if (failed.length > 0) console.log(`\nNot measured, as they failed: ${failed.join(", ")}.`);
  if (missed > 0) console.log(`\n${missed} bars are missed.`);
  else if (failed.length === 0) console.log("\nAll bars are met.");
  if (missed > 0 || failed.length > 0) process.exitCode = 1;
}

function textOf({ name, value, unit, bar, ok }: Measured): string {
  const measured = Number.isNaN(value)
    ? "not measured"
    : `${value.toPrecision(4)} ${unit} (bar: ${bar})`;
  return `${ok ? "  ok    " : "  MISSED"} ${name}: ${measured}`;
}

const [first, file] = process.argv.slice(2);
if (first === ONE && file !== undefined) await measure(file);
else await measureAll(process.argv.slice(2));
