import "../../src/app/registry.ts";
import { performance } from "node:perf_hooks";
import { reopen } from "../../evals/run/prepare-run.ts";
import { startRun } from "../../evals/run/run.ts";
import "../../src/app/registry.ts";
import { openRunLog } from "../../src/storage/run-log.ts";

/*
 * A run in a separate process, so that its memory can be measured: `run <settings as JSON> <folder>`,
 * `open <folder>`. Prints its measurements.
 */
const [, , what, first = "", second = ""] = process.argv;
if (what === "run") {
  // Part of the process's start, like the imports above.
  await import("@langchain/openai");
  const began = performance.now();
  const { progress } = await startRun(JSON.parse(first), second);
  const seconds = (performance.now() - began) / 1000;
  print({ seconds, done: progress.done, peak_mb: process.resourceUsage().maxRSS / 1024 });
} else {
  const began = performance.now();
  const { progress } = await reopen(openRunLog(first), {});
  print({ seconds: (performance.now() - began) / 1000, done: progress.done });
}

function print(measured: object) {
  process.stdout.write(`${JSON.stringify(measured)}\n`);
}
