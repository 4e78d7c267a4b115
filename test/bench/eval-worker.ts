import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { keepHeapSmall } from "../../src/app/cli/small-heap.ts";
import { peakMemory } from "./peak-memory.mjs";

/*
 * Work in a separate process, so that its time and memory can be measured:
 *   run <settings as JSON> <folder>
 *   open <folder>
 *   parse <file> <file of lines>             JSON, without a framework
 *   fetch <url> <questions> [<characters>]   calls without a framework, each with 8 pictures of so many characters
 * Prints its measurements; `alive_s` and `cpu_s` include the start of the process.
 */
const [, , what, first = "", second = "", third = "0"] = process.argv;
let began = performance.now();
let spent = process.cpuUsage();
const done = await work();
const cpu = process.cpuUsage();
const own = process.cpuUsage(spent);
process.stdout.write(
  `${JSON.stringify({
    done,
    seconds: (performance.now() - began) / 1000,
    alive_s: performance.now() / 1000,
    cpu_s: (cpu.user + cpu.system) / 1e6,
    work_cpu_s: (own.user + own.system) / 1e6,
    peak_mb: peakMemory(),
  })}\n`,
);

async function work(): Promise<number> {
  if (what === "fetch") return fetchAll(first, Number(second), Number(third));
  if (what === "parse") return parseAll(first, second);
  keepHeapSmall();
  await import("../../src/app/registry.ts");
  const { startRun } = await import("../../evals/run/run.ts");
  const { reopen } = await import("../../evals/run/prepare-run.ts");
  const { openRunLog } = await import("../../src/storage/run-log.ts");
  began = performance.now();
  spent = process.cpuUsage();
  if (what === "run") return (await startRun(JSON.parse(first), second)).progress.done;
  return (await reopen(openRunLog(first), {})).progress.done;
}

async function parseAll(file: string, linesFile: string): Promise<number> {
  const whole: unknown[] = JSON.parse(await readFile(file, "utf8"));
  const lines = (await readFile(linesFile, "utf8")).trimEnd().split("\n");
  return whole.length + lines.map((line) => JSON.parse(line) as unknown).length;
}

async function fetchAll(url: string, questions: number, characters: number): Promise<number> {
  let asked = 0;
  const picture = `data:image/jpeg;base64,${"A".repeat(characters)}`;
  const pictures = characters === 0 ? [] : Array.from({ length: 8 }, () => picture);
  const body = (question: number) => {
    const shown = pictures.map((url) => ({ type: "image_url", image_url: { url } }));
    const text = `Question ${question}?`;
    const content = shown.length === 0 ? text : [...shown, { type: "text", text }];
    return JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
  };
  const one = async () => {
    while (asked < questions) {
      const method = "POST";
      await (await fetch(`${url}/chat/completions`, { method, body: body(asked++) })).json();
    }
  };
  await Promise.all(Array.from({ length: 64 }, one));
  return asked;
}
