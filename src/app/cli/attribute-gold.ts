import { resolve } from "node:path";
import type { Command } from "commander";
import type {
  GoldAttribution,
  GoldAttributionOptions,
  GoldAttributionPlan,
} from "../../../evals/attribution/gold-attribution.ts";
import type { GoldSources } from "../../../evals/attribution/plan-gold.ts";
import { placeOf } from "../../../evals/attribution/stopped-samples.ts";
import { noteText } from "../../../evals/benchmarks/tally.ts";
import { resumeCommand } from "../../../evals/run/resume-command.ts";
import { EVIDENCE_STAGES, type EvidenceStage } from "../../../graphs/evidence-stages.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure } from "../../core/errors.ts";
import type { ReportData } from "../../pages/report-data.ts";
import { EXIT, print, printable, printJson, say, table } from "./output.ts";
import { progressLine } from "./progress.ts";
import { renderSweepPlan } from "./render/sweep-plan.ts";

/* `attribute` with gold: every combination of stages made right. */

/** Flags that only an attribution by gold has. */
export interface GoldFlags {
  gold?: string;
  oracleModel?: string;
  stages?: string[];
  metric: string;
  dryRun?: boolean;
  json?: boolean;
}

export function addGoldFlags(command: Command): void {
  command
    .option(
      "--gold <folder>",
      "sidecars, one JSON file for each video: gold captions, text, speech and evidence spans",
    )
    .option(
      "--oracle-model <name>",
      "a stronger provider:model whose recognition counts as gold for captions and text",
    )
    .option(
      "--stages <names...>",
      `stages to make right: ${EVIDENCE_STAGES.join(", ")} (default: those that the strategy reads and that have gold)`,
    )
    .option(
      "--dry-run",
      "show the runs with their calls and cost, and the gold that was found; send nothing",
    );
}

/** The gold that flags name. Throws `Failure` `wrong-setting` for an unknown stage. */
export function goldSources({ gold, oracleModel, stages }: GoldFlags): GoldSources {
  return { sidecars: gold, oracle: oracleModel, stages: readStages(stages) };
}

function readStages(given: readonly string[] | undefined): EvidenceStage[] | undefined {
  const names = given?.flatMap((names) => names.split(",")).map((name) => name.trim());
  const known: readonly string[] = EVIDENCE_STAGES;
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown === undefined) return names as EvidenceStage[] | undefined;
  throw new Failure(
    "wrong-setting",
    `Invalid --stages ${JSON.stringify(unknown)}: use ${EVIDENCE_STAGES.join(", ")}.`,
    { given: unknown },
  );
}

/** Shows the plan, and unless `--dry-run` runs it. Returns null after a dry run. */
export async function attributeByGold(
  input: unknown,
  sources: GoldSources,
  out: string | undefined,
  flags: GoldFlags,
  options: GoldAttributionOptions,
): Promise<{ found: GoldAttribution; folder: string } | null> {
  const { refuseSecondAttribution } = await import("../../../evals/attribution/check-folder.ts");
  const { newAttributionFolder, planGoldAttribution, startGoldAttribution } = await import(
    "../../../evals/attribution/gold-attribution.ts"
  );
  if (out !== undefined) await refuseSecondAttribution(out);
  const line = progressLine("Opening videos");
  const planned = await planGoldAttribution(input, sources, {
    signal: options.signal,
    onOpened: (done, total) => line.update(done, total, "videos"),
  }).finally(line.done);
  if (flags.dryRun) {
    if (flags.json) printJson(planned);
    else print(`${renderGoldPlan(planned)} Nothing was sent.`);
    return null;
  }
  say(renderGoldPlan(planned));
  const folder = out ?? newAttributionFolder(input);
  say(`Folder: ${folder}. To continue it: \`${resumeCommand("attribute", folder)}\`.`);
  return { found: await startGoldAttribution(input, folder, sources, options), folder };
}

function renderGoldPlan(plan: GoldAttributionPlan): string {
  const { gold, samples, without_gold, notes, oracle } = plan;
  const from = (sources: Record<string, number>) =>
    Object.entries(sources)
      .map(([name, count]) => `${name} (${countOf(count, "sample")})`)
      .join(", ");
  const left = without_gold
    .slice(0, 3)
    .map(({ sample, lacks }) => `${sample} (${lacks.join(", ") || "nothing to make right"})`);
  return printable(
    [
      table([["stage", "gold from"], ...gold.map((one) => [one.stage, from(one.from)])]),
      ...(oracle === null ? [] : [`Results will be relative to ${oracle}.`]),
      `Samples with this gold: ${samples}${
        without_gold.length === 0
          ? "."
          : `; left out without it: ${without_gold.length}, ${left.join(", ")}${without_gold.length > left.length ? " ..." : ""}. Fewer stages (--stages) may keep them.`
      }`,
      ...notes.map((note) => `${noteText(note)}.`),
      "",
      renderSweepPlan(plan),
    ].join("\n"),
  );
}

/** Prints the result. Returns the exit code. */
export async function showGold(
  found: GoldAttribution,
  folder: string,
  flags: GoldFlags & { html?: string },
  inWords: (data: ReportData) => string,
): Promise<number> {
  const { stageReport } = await import("../../../evals/attribution/stage-report.ts");
  const { writeReport } = await import("./save-report.ts");
  const { reportPage } = await import("../../pages/report.ts");
  const { join } = await import("node:path");
  const data = stageReport(found, found.attribution);
  const page = reportPage(data);
  await writeReport(join(folder, "attribution.html"), page);
  if (flags.json) printJson(found);
  else print(printable(inWords(data)));
  if (flags.html !== undefined) {
    await writeReport(flags.html, page);
    say(`Page: ${resolve(flags.html)}`);
  }
  const { calls, failed, stopped } = found;
  say(
    `Calls: ${calls.sum} in all runs, ${calls.unique} of them distinct. Runs: ${resolve(folder)}. Create a page of them with \`report ${folder}\`.`,
  );
  for (const { sample, message } of failed) say(printable(`${sample}: ${message}`));
  for (const one of stopped) say(printable(`${placeOf(one)}: stopped by the budget of ${one.by}.`));
  return failed.length + stopped.length > 0 ? EXIT.failed : EXIT.ok;
}
