/**
 * `npm run eval:demo [-- --seed N --out FOLDER]`: makes small data sets in the layouts of the three benchmarks, runs
 * `extractive` and `random` over them without a language model, and writes a report.
 */
import "../src/app/registry.ts";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countDemoEquations, equationsInWords } from "../evals/datasets/demo/equations.ts";
import { type DemoRun, evalDemo } from "../evals/datasets/demo/eval-demo.ts";
import { makeReport } from "../evals/report/report.ts";
import { readResults } from "../evals/score/read-results.ts";
import { scoreResults } from "../evals/score/score-run.ts";
import { print, run, say, table } from "../src/app/cli/output.ts";
import { progressLine } from "../src/app/cli/progress.ts";
import { writeReport } from "../src/app/cli/save-report.ts";
import { wholeNumber } from "../src/app/cli/setting-flags.ts";
import { Failure, oneLine } from "../src/core/errors.ts";
import { percent } from "../src/core/percent.ts";
import { reportPage } from "../src/pages/report.ts";
import { reportJson } from "../src/pages/report-text.ts";
import { closeOcr } from "../tools/text/ocr.ts";

await run(async (signal) => {
  const given = flags();
  const seed = wholeNumber("--seed", given.seed);
  const folder = join(given.out, `eval-seed-${seed}`);
  const videos = progressLine("making the demo data");
  try {
    say(`Making three small benchmarks of seed ${seed} in ${folder} and running them.`);
    const runs = await evalDemo(folder, seed, {
      signal,
      onVideos: (done, total) => videos.update(done, total, "videos"),
      onRun: ({ name, strategy }, { done, total }) => {
        videos.done();
        if (done === 0) say(`${strategy} on ${name}: ${total} questions`);
      },
    });
    await scores(runs);
    const equations = equationsInWords(await countDemoEquations(folder, seed, signal));
    say(equations);
    const page = join(folder, "report.html");
    const results = await Promise.all(runs.map((one) => readResults(one.folder)));
    const report = makeReport(results, { remarks: [equations] });
    await writeReport(page, reportPage(report));
    await writeReport(join(folder, "report.json"), reportJson(report));
    say(`The report is in ${page}; its figures are also in report.json.`);
  } finally {
    videos.done();
    await closeOcr();
  }
  return undefined;
});

function flags(): { seed: string; out: string } {
  try {
    const options = {
      seed: { type: "string", default: "7" },
      out: { type: "string", default: "demo-out" },
    } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    throw new Failure(
      "wrong-usage",
      `Use only \`--seed N\` and \`--out FOLDER\`: ${oneLine(error instanceof Error ? error.message : String(error))}`,
      {},
      { cause: error },
    );
  }
}

async function scores(runs: readonly DemoRun[]): Promise<void> {
  const rows = await Promise.all(
    runs.map(async ({ name, strategy, folder }) => {
      const { all, failures } = scoreResults(await readResults(folder));
      const { ofAll, right, answered } = all;
      const failed = failures.reduce((sum, { count }) => sum + count, 0);
      return [
        ...[name, strategy, percent(ofAll?.mean ?? null)],
        ofAll?.low == null || ofAll.high === null
          ? "none"
          : `${percent(ofAll.low)} to ${percent(ofAll.high)}`,
        ...[
          `${right} of ${all.all}`,
          String(answered),
          percent(all.accuracyAnswered),
          String(failed),
        ],
      ];
    }),
  );
  const head = [
    "set",
    "strategy",
    "accuracy",
    "95 % interval",
    "right",
    "answered",
    "of answered",
    "failed",
  ];
  print(table([head, ...rows]));
}
