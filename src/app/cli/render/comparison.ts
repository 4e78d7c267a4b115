import { caveatsText } from "../../../../evals/compare/caveats.ts";
import type { Comparison, RunComparison } from "../../../../evals/compare/compare.ts";
import {
  detectableWords,
  disagreement,
  FEW_CLUSTERS_NOTE,
  intervalWords,
  leftOutText,
  noFloorText,
  otherServerText,
  points,
  pValue,
  verdict,
} from "../../../../evals/compare/contrast-words.ts";
import type { Contrast } from "../../../../evals/compare/contrasts.ts";
import type { Flip, Side } from "../../../../evals/compare/flips.ts";
import type { NoiseComparison, NoiseFloor } from "../../../../evals/compare/noise-floor.ts";
import { type MetricName, metricTitle } from "../../../../evals/score/metrics.ts";
import { countOf } from "../../../core/count-of.ts";
import { oneLine } from "../../../core/errors.ts";
import { percent } from "../../../core/percent.ts";
import { clock } from "../../../core/time.ts";
import { printable, table } from "../output.ts";
import { interval } from "./score.ts";

/** Maximum evidence items of a flipped question for each run. */
const MAX_EVIDENCE = 3;

/** The scores of the runs, their differences with intervals, and the questions with different results. */
export function renderComparison(comparison: Comparison, flips: number): string {
  const { benchmark, extractor, metric, common, runs, comparisons, noise, rerun } = comparison;
  const anyStopped = runs.some(({ stopped }) => stopped !== null);
  const left = runs.filter((run) => run.left_out > 0);
  const title = metricTitle(metric);
  const lines = [
    `${benchmark}, ${extractor === null ? "each run with its own extractor" : `extractor ${extractor}`}, by ${title}: ${common} questions in common${left.map((run) => `, ${run.left_out} of ${run.name} left out`).join("")}`,
    "",
    table([
      [
        "run",
        "extractor",
        title,
        "95 % interval",
        ...(metric === "accuracy" ? ["answered only"] : []),
        ...(anyStopped ? ["stopped by a budget"] : []),
      ],
      ...runs.map(({ name, extractor: own, value, accuracy, stopped }) => [
        name,
        own,
        percent(value.mean),
        interval(value),
        ...(metric === "accuracy" ? [percent(accuracy.accuracyAnswered)] : []),
        ...(anyStopped ? [stopped ?? "none"] : []),
      ]),
    ]),
  ];
  const caveats = [...runs, ...(rerun === null ? [] : [rerun])].flatMap((run) => {
    const told = caveatsText(run);
    return told === null ? [] : [`${run.name}: ${printable(told)}.`];
  });
  if (caveats.length > 0) lines.push("", ...caveats);
  if (noise !== null) lines.push("", ...renderNoise(noise));
  for (const one of comparisons) {
    const { a, b, all, also, mcnemar, groups, flipped, noise: against } = one;
    const rows = [all, ...also, ...groups];
    // A position of an order is scored by step accuracy (micro), a question by every other metric.
    const isMixed = rows.some((contrast) => titleOf(contrast, metric) === STEPS);
    lines.push("", `${b} compared with ${a}${relation(one)}: ${verdict(all)}`);
    for (const contrast of rows) {
      const conflict = disagreement(contrast);
      if (conflict !== null) lines.push(`${prefix(contrast)}${conflict}`);
    }
    if (against !== null) lines.push(noiseVerdict(all, against));
    if (mcnemar !== null && !all.identical)
      lines.push(
        `exact McNemar (one question a video): ${mcnemar.onlyA} only ${a}, ${mcnemar.onlyB} only ${b}, p ${pValue(mcnemar.p)}, mid-p ${pValue(mcnemar.midP)}`,
      );
    lines.push(
      "",
      table([
        [
          "",
          "group",
          isMixed ? "scored" : "questions",
          a,
          b,
          "points",
          "95 % interval",
          "p",
          "p (Holm)",
          "detectable points",
        ],
        ...rows.map((contrast) => row(contrast, metric, isMixed)),
      ]),
    );
    if (rows.some(({ n_too_small }) => n_too_small)) lines.push(FEW_CLUSTERS_NOTE);
    if (flipped.length > 0) lines.push("", ...renderFlips(flipped, a, b, flips));
  }
  return lines.join("\n");
}

/** What a run with the settings of the first one is. */
function relation({ rerun, copy }: RunComparison): string {
  if (copy === "same-run") return " (the same run)";
  if (copy === "stored-replies")
    return " (the same settings; all replies of the later run were stored)";
  return rerun ? " (a rerun of the same settings)" : "";
}

/** The difference between two runs with the same settings. */
function renderNoise(noise: NoiseFloor): string[] {
  const { run, rerun, questions, answers_changed, flipped, difference, floor, no_floor } = noise;
  const none = noFloorText(noise);
  const left = leftOutText(noise);
  const other = otherServerText(noise);
  const notes = [left, other].filter((text) => text !== null);
  if (no_floor === "same-run" || no_floor === "stored-replies") return [none ?? ""];
  if (flipped === null || difference === null) return [none ?? "", ...notes];
  const changed =
    answers_changed === null
      ? ""
      : `${percent(answers_changed.mean)} of the answers changed (${interval(answers_changed)}), `;
  return [
    `Noise floor, from ${run} and its rerun ${rerun} on ${questions} questions: ${changed}${percent(flipped.mean)} of the questions flipped between right and wrong (${interval(flipped)}), ${points(difference)} points.`,
    none ??
      `Two runs of these settings differ by at most ${(100 * (floor ?? 0)).toFixed(2)} points, 95 times in 100.`,
    ...notes,
    ...(noise.same_settings === false
      ? ["The settings, prompts or epochs of the two differ, so this may include more than noise."]
      : []),
    ...((noise.from_memory ?? 0) > 0
      ? [
          `${percent(noise.from_memory)} of the calls of ${rerun} came from the cache, which repeats the same answer. Rerun with another \`--data-dir\` to measure noise.`,
        ]
      : []),
  ];
}

function noiseVerdict({ difference }: Contrast, { floor, exceeds }: NoiseComparison): string {
  return `The difference of ${points(difference)} points ${exceeds ? "exceeds" : "does not exceed"} the noise floor of ${(100 * floor).toFixed(2)} points.`;
}

const STEPS = metricTitle("step-accuracy");

/** The metric of a row. */
function titleOf({ kind, group }: Contrast, metric: MetricName): string {
  return kind === "metric" ? group : metricTitle(metric);
}

/** Which row a sentence is about; empty for the first one. */
function prefix({ kind, group }: Contrast): string {
  if (kind === "all") return "";
  return kind === "metric" ? `${printable(group)}: ` : `${kind} ${printable(group)}: `;
}

function row(contrast: Contrast, metric: MetricName, isMixed: boolean): string[] {
  const { kind, group, n } = contrast;
  const unit = titleOf(contrast, metric) === STEPS ? "step" : "question";
  return [
    kind,
    printable(kind === "all" ? metricTitle(metric) : group),
    isMixed ? `${n} ${unit}${n === 1 ? "" : "s"}` : String(n),
    percent(contrast.a),
    percent(contrast.b),
    points(contrast.difference),
    intervalWords(contrast),
    pValue(contrast.p),
    pValue(contrast.p_holm),
    detectableWords(contrast),
  ];
}

function renderFlips(flipped: readonly Flip[], a: string, b: string, most: number): string[] {
  const better = flipped.filter((flip) => flip.to === "better").length;
  const shown = flipped
    .slice(0, most)
    .flatMap((flip) => [
      `  ${printable(flip.question)} (${printable(flip.video)}, ${flip.to}): ${printable(oneLine(flip.text, 100))} Right: ${flip.right}`,
      ...side(a, flip.a),
      ...side(b, flip.b),
    ]);
  const more = flipped.length - most;
  return [
    `${countOf(flipped.length, "flipped question")}: ${better} better, ${flipped.length - better} worse`,
    ...shown,
    ...(more > 0 ? [`  ... and ${more} more (--flips ${flipped.length})`] : []),
  ];
}

function side(name: string, { answers, evidence, frames_s }: Side): string[] {
  const seen =
    evidence.length > 0
      ? evidence
          .slice(0, MAX_EVIDENCE)
          .map(
            (item) =>
              `      ${clock(item.start_s)} ${item.kind}: ${printable(oneLine(item.text, 120))}`,
          )
      : frames_s.length > 0
        ? [
            `      ${countOf(frames_s.length, "frame")} from ${clock(frames_s[0] ?? 0)} to ${clock(frames_s.at(-1) ?? 0)}`,
          ]
        : [];
  return [`    ${name}: ${printable(answers.join(" | "))}`, ...seen];
}
