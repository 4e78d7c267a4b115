import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { EvalHeader } from "../../../../evals/run/run-header.ts";
import type { Results } from "../../../../evals/score/read-results.ts";
import { countOf } from "../../../core/count-of.ts";
import { Failure, isFailure } from "../../../core/errors.ts";
import { defineMcpTool, type McpTool } from "../define-mcp-tool.ts";
import { quoted } from "../evidence-view.ts";
import type { McpHost, RunFolders } from "../host.ts";

/* Scores and comparisons of evaluation runs. They read the folders of runs, and ask no model. */

const MOST_RUNS = 200;
/** Folders that a search for runs opens at most, and how deep it goes. */
const MOST_FOLDERS = 5000;
const DEEPEST = 4;
const FLIPS = 10;

const Run = z.string().min(1).max(4096).describe("folder of a run, as list_runs names it");

export const listRuns: McpTool = defineMcpTool({
  name: "list_runs",
  title: "List evaluation runs",
  description:
    "Lists the folders of evaluation runs, newest first, with benchmark, strategy, model and status.",
  input: z.object({
    benchmark: z.string().max(100).optional().describe("only runs of this benchmark"),
  }),
  output: z.object({
    runs: z.array(
      z.object({
        run: z.string(),
        benchmark: z.string(),
        strategy: z.string().nullable(),
        model: z.string().nullable(),
        status: z.string(),
        created_at: z.string(),
        asked: z.int().describe("number of questions"),
      }),
    ),
    total: z.int(),
  }),
  operator: true,
  heavy: true,
  async run({ benchmark }, call, { host }) {
    const folders = foldersOf(host);
    const found: { folder: string; header: EvalHeader }[] = [];
    for (const folder of await runFoldersBelow(await folders.roots(), call.signal)) {
      const header = await headerOf(folder);
      if (header !== null && (benchmark === undefined || header.benchmark === benchmark))
        found.push({ folder, header });
    }
    const newest = found.sort((a, b) => (a.header.created_at < b.header.created_at ? 1 : -1));
    const view = async ({ folder, header }: (typeof found)[number]) => ({
      run: await folders.nameOf(folder),
      benchmark: header.benchmark,
      strategy: wordOf(header.settings.strategy),
      model: wordOf(header.settings.model),
      status: header.status,
      created_at: header.created_at,
      asked: header.selection.asked,
    });
    const runs = await Promise.all(newest.slice(0, MOST_RUNS).map(view));
    const lines = runs.map((run) => `${run.run}: ${run.benchmark}, ${run.strategy}, ${run.status}`);
    const text =
      runs.length === 0
        ? "No runs."
        : `${countOf(found.length, "run")}:\n${quoted(lines.join("\n"))}`;
    return { data: { runs, total: found.length }, parts: [{ type: "text", text }] };
  },
});

export const getScore: McpTool = defineMcpTool({
  name: "get_score",
  title: "Score a run",
  description:
    "Scores an evaluation run with the rules of its benchmark. No question is asked again.",
  input: z.object({ run: Run }),
  output: z.object({
    run: z.string(),
    score: z.record(z.string(), z.unknown()).describe("as `video-rrd score --json` prints it"),
  }),
  operator: true,
  heavy: true,
  async run({ run }, _call, { host }) {
    const { scoreJson, scoreResults } = await import("../../../../evals/score/score-run.ts");
    const { renderScore } = await import("../../cli/render/score.ts");
    const score = scoreResults(await readRunOf(host, run));
    return {
      data: { run, score: plain(scoreJson(score)) },
      parts: [{ type: "text", text: quoted(renderScore(score)) }],
    };
  },
});

export const compareRuns: McpTool = defineMcpTool({
  name: "compare_runs",
  title: "Compare runs",
  description:
    "Compares runs over the same data with the first run, question by question, with confidence intervals and the questions that flipped.",
  input: z.object({
    runs: z
      .array(Run)
      .min(2)
      .max(10)
      .describe("folders of two to ten runs; the first is the baseline"),
    metric: z.string().max(50).default("accuracy").describe("metric to compare, such as accuracy"),
  }),
  output: z.object({
    comparison: z
      .record(z.string(), z.unknown())
      .describe("as `video-rrd compare --json` prints it"),
  }),
  operator: true,
  heavy: true,
  async run({ runs, metric }, _call, { host }) {
    const { compareResults } = await import("../../../../evals/compare/compare.ts");
    const { readMetric } = await import("../../../../evals/score/metrics.ts");
    const { renderComparison } = await import("../../cli/render/comparison.ts");
    const results: Results[] = [];
    for (const run of runs) results.push(await readRunOf(host, run));
    const comparison = compareResults(results, { metric: readMetric(metric) });
    return {
      data: { comparison: plain(comparison) },
      parts: [{ type: "text", text: quoted(renderComparison(comparison, FLIPS)) }],
    };
  },
});

function foldersOf({ runs }: McpHost): RunFolders {
  if (runs !== null) return runs;
  throw new Failure("not-found", "This client may read no runs.");
}

async function readRunOf(host: McpHost, given: string): Promise<Results> {
  const folder = await foldersOf(host).resolve(given);
  if ((await headerOf(folder)) !== null) {
    const { readResults } = await import("../../../../evals/score/read-results.ts");
    return readResults(folder);
  }
  throw new Failure(
    "not-found",
    `${JSON.stringify(given)} is not the folder of a run. Call list_runs for the folders.`,
    {
      given,
    },
  );
}

async function headerOf(folder: string): Promise<EvalHeader | null> {
  const { openRunLog } = await import("../../../storage/run-log.ts");
  const { readEvalHeader } = await import("../../../../evals/run/run-header.ts");
  try {
    return await readEvalHeader(openRunLog(folder));
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

/** Folders with a header, found breadth-first without following links. */
async function runFoldersBelow(roots: readonly string[], signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  let level = [...roots];
  let opened = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      signal.throwIfAborted();
      if (++opened > MOST_FOLDERS) return found;
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      if (entries.some((entry) => entry.isFile() && entry.name === "header.json"))
        found.push(folder);
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules")
          next.push(join(folder, entry.name));
    }
    level = next;
  }
  return found;
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value as JSON has it. */
function plain(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}
