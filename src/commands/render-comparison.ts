import type { Comparison, Contrast, Flip, Side } from "../../evals/compare.ts";
import { oneLine } from "../core/errors.ts";
import { clock } from "../core/time.ts";
import { percent, printable, table } from "./output.ts";

/** Evidence of a flipped question to show for each run. */
const MOST_EVIDENCE = 3;

/** Runs side by side, what their difference is worth, and questions that they answer differently. */
export function renderComparison(comparison: Comparison, flips: number): string {
  const { benchmark, extractor, common, runs, comparisons } = comparison;
  const anyStopped = runs.some(({ stopped }) => stopped !== null);
  const left = runs.filter((run) => run.left_out > 0);
  const lines = [
    `${benchmark}, ${extractor === null ? "each run by its own extractor" : `extractor ${extractor}`}: ${common} questions in common${left.map((run) => `, ${run.left_out} of ${run.name} left out`).join("")}`,
    "",
    table([
      [
        "run",
        "extractor",
        "accuracy",
        "95 % interval",
        "answered only",
        ...(anyStopped ? ["stopped by a budget"] : []),
      ],
      ...runs.map(({ name, extractor: own, accuracy, stopped }) => [
        name,
        own,
        percent(accuracy.ofAll?.mean ?? null),
        accuracy.ofAll?.low == null
          ? "none"
          : `${percent(accuracy.ofAll.low)} to ${percent(accuracy.ofAll.high)}`,
        percent(accuracy.accuracyAnswered),
        ...(anyStopped ? [stopped ?? "none"] : []),
      ]),
    ]),
  ];
  for (const { a, b, all, mcnemar, groups, flipped } of comparisons) {
    lines.push("", `${b} against ${a}: ${verdict(all)}`);
    if (mcnemar !== null)
      lines.push(
        `exact McNemar (one question a video): ${mcnemar.onlyA} only ${a}, ${mcnemar.onlyB} only ${b}, p ${p(mcnemar.p)}, mid-p ${p(mcnemar.midP)}`,
      );
    lines.push(
      "",
      table([
        [
          "",
          "group",
          "questions",
          a,
          b,
          "difference",
          "95 % interval",
          "p",
          "p (Holm)",
          "detectable",
        ],
        ...[all, ...groups].map(row),
      ]),
    );
    if (flipped.length > 0) lines.push("", ...renderFlips(flipped, a, b, flips));
  }
  return lines.join("\n");
}

function verdict({ difference, low, high, p_holm }: Contrast): string {
  const how = p_holm <= 0.05 ? "differs" : "no difference shown";
  return `${how}: ${points(difference)} (${points(low)} to ${points(high)}), p ${p(p_holm)} after Holm`;
}

function row(contrast: Contrast): string[] {
  return [
    contrast.kind,
    printable(contrast.group),
    String(contrast.n),
    percent(contrast.a),
    percent(contrast.b),
    points(contrast.difference),
    `${points(contrast.low)} to ${points(contrast.high)}`,
    p(contrast.p),
    p(contrast.p_holm),
    contrast.detectable === null ? "none" : points(contrast.detectable).replace("+", ""),
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
    `${flipped.length} flipped questions: ${better} better, ${flipped.length - better} worse`,
    ...shown,
    ...(more > 0 ? [`  ... and ${more} more (--flips ${flipped.length})`] : []),
  ];
}

function side(name: string, { answers, evidence, frames_s }: Side): string[] {
  const seen =
    evidence.length > 0
      ? evidence
          .slice(0, MOST_EVIDENCE)
          .map(
            (item) =>
              `      ${clock(item.start_s)} ${item.kind}: ${printable(oneLine(item.text, 120))}`,
          )
      : frames_s.length > 0
        ? [
            `      ${frames_s.length} frames from ${clock(frames_s[0] ?? 0)} to ${clock(frames_s.at(-1) ?? 0)}`,
          ]
        : [];
  return [`    ${name}: ${printable(answers.join(" | "))}`, ...seen];
}

function points(difference: number): string {
  return `${difference < 0 ? "" : "+"}${(100 * difference).toFixed(2)}`;
}

function p(value: number): string {
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}
