import type { Command } from "commander";
import type { Attributed } from "../../evals/attribution.ts";
import type { Attribution, Share } from "../../evals/attribution-numbers.ts";
import type { Difference } from "../../evals/paired-statistics.ts";
import type { Mean } from "../../evals/statistics.ts";
import { addRunFlags, givenOwn } from "./eval.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";
import { progressLine } from "./progress.ts";
import { addSettingFlags, givenSettings } from "./setting-flags.ts";

interface Flags {
  otherModel?: string;
  json?: boolean;
}

export function addAttribute(program: Command): void {
  const command = program
    .command("attribute")
    .description(
      "recognition against reasoning: which stage of rrd the errors come from, on a set in VCRBench's form",
    )
    .option(
      "--other-model <name>",
      "a second provider:model, swapped with the first in both roles; needs no step names",
    )
    .option("--json", "print one JSON value");
  addRunFlags(command);
  addSettingFlags(command, () => true);
  withExamples(
    command,
    "attribute --data my-set --model openai:gpt-4.1",
    "attribute --data vcrbench --model openai:gpt-4.1 --other-model google-genai:gemini-2.5-flash",
  );
  command.action((flags: Flags) =>
    run(async (signal) => {
      const { attributeStages } = await import("../../evals/attribution.ts");
      const { closeOcr } = await import("../../tools/ocr.ts");
      const line = progressLine("attribute");
      const given = givenSettings(command);
      const input = { benchmark: "vcrbench", strategy: "rrd", ...givenOwn(command), ...given };
      const found = await attributeStages(input, {
        other: flags.otherModel,
        signal,
        progress: line.update,
      }).finally(async () => {
        line.done();
        await closeOcr();
      });
      if (flags.json) printJson(found);
      else print(printable(renderAttribution(found)));
      for (const { sample, message } of found.failed) say(printable(`${sample}: ${message}`));
      return found.failed.length > 0 ? EXIT.failed : EXIT.ok;
    }),
  );
}

/** Tables for a person. */
export function renderAttribution(found: Attributed): string {
  const { samples, failed, recogniser, reasoner, stages, swap } = found;
  const parts = [
    `${samples} samples, recogniser ${recogniser}, reasoner ${reasoner}${failed.length > 0 ? `; ${failed.length} failed and stand in no figure` : ""}.`,
  ];
  if (stages === null)
    parts.push(
      "This set has no step names (released VCRBench has none), so nothing can be said of gold descriptions; `build-vcrbench` makes sets that have them.",
    );
  else {
    parts.push(
      table([
        ["of the errors", "exact order", "", "step", ""],
        stageRow("recognition explains", stages, (of) => of.recognition),
        stageRow("reasoning explains", stages, (of) => of.reasoning),
        [
          "with recognised",
          percent(stages.exact.recognised),
          "",
          percent(stages.step.recognised),
          "",
        ],
        ["with gold", percent(stages.exact.gold), "", percent(stages.step.gold), ""],
        [
          "gold less recognised",
          points(stages.exact.difference),
          interval(stages.exact.difference, true),
          points(stages.step.difference),
          interval(stages.step.difference, true),
        ],
      ]),
      table([
        ["recogniser", "event recognition", "", "exact", "step"],
        ...stages.scatter.map((point) => [
          point.recogniser,
          ...meanCells(point.recognition),
          percent(point.exact),
          percent(point.step),
        ]),
      ]),
    );
    if (stages.told_apart !== null)
      parts.push(
        `${meanCells(stages.told_apart).join(" ")} of the descriptions can be told apart: the step is named from the description alone.`,
      );
  }
  if (swap !== null)
    parts.push(
      table([
        ["recogniser", "reasoner", "exact", "step"],
        ...swap.cells.map((cell) => [
          cell.recogniser,
          cell.reasoner,
          percent(cell.exact),
          percent(cell.step),
        ]),
      ]),
      table([
        ["second model less first", "exact", "", "step", ""],
        ...(["recogniser", "reasoner"] as const).map((role) => [
          `as ${role}`,
          points(swap[role].exact),
          interval(swap[role].exact, true),
          points(swap[role].step),
          interval(swap[role].step, true),
        ]),
      ]),
    );
  parts.push("In brackets: 95 % intervals, paired by question and clustered by source video.");
  return parts.join("\n\n");
}

function stageRow(
  name: string,
  stages: NonNullable<Attributed["stages"]>,
  of: (attribution: Attribution) => Share,
): string[] {
  const cells = [of(stages.exact), of(stages.step)].flatMap((share) => [
    share.share === null ? "no errors" : percent(share.share),
    interval(share, false),
  ]);
  return [name, ...cells];
}

function interval(
  { low, high }: { low: number | null; high: number | null },
  signed: boolean,
): string {
  if (low === null || high === null) return "";
  const show = (value: number) => (signed && value > 0 ? "+" : "") + (100 * value).toFixed(1);
  return `[${show(low)}, ${show(high)}]`;
}

function meanCells(mean: Mean): string[] {
  return [percent(mean.mean), interval(mean, false)];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function points({ difference }: Difference): string {
  return `${difference > 0 ? "+" : ""}${(100 * difference).toFixed(1)}`;
}
