import type { Accuracy, RunScore } from "../../evals/score-run.ts";
import { printable, table } from "./output.ts";

/** A run's scores for a person: by both denominators, with 95 % intervals clustered by video, and by groups. */
export function renderScore(score: RunScore): string {
  const { all, over_epochs, missing, skipped } = score;
  const lines = [
    `${score.name}: ${score.benchmark}, extractor ${score.extractor}`,
    "",
    table([
      ["", "accuracy", "95 % interval", "right", "questions"],
      ["all questions (unanswered = wrong)", ...cells(all, "ofAll")],
      ["answered only", ...cells(all, "ofAnswered")],
    ]),
    "",
    table([
      ...Object.entries(score.official)
        .filter(([, value]) => typeof value === "number")
        .map(([name, value]) => [name, String(value)]),
      ...Object.entries(score.measures).map(([name, value]) => [name, decimal(value)]),
      ["invalid rate of the replies", percent(score.invalid_rate)],
      ...(over_epochs === null
        ? []
        : [
            [`majority of ${over_epochs.epochs} epochs`, percent(over_epochs.majority)],
            ...over_epochs.pass_at.map((value, k) => [`pass@${k + 1}`, percent(value)]),
          ]),
    ]),
  ];
  if (score.groups.length > 0)
    lines.push(
      "",
      table([
        ["", "group", "accuracy", "95 % interval", "right", "questions", "answered only"],
        ...score.groups.map((group) => [
          group.kind,
          printable(group.group),
          ...cells(group, "ofAll"),
          percent(group.accuracyAnswered),
        ]),
      ]),
    );
  const notes = [
    ...(missing > 0 ? [`${missing} samples have no result yet and are not counted`] : []),
    ...(skipped > 0
      ? [`${skipped} samples were left out for want of a video (--skip-missing)`]
      : []),
    ...score.failures.map(
      ({ what, count, examples }) => `${count} failed (${what}): ${examples[0]}`,
    ),
    ...score.notes.map(({ what, count, examples }) => `${count} ${what}: ${examples[0]}`),
  ];
  if (notes.length > 0) lines.push("", ...notes.map((note) => `note: ${printable(note)}`));
  return lines.join("\n");
}

/** Accuracy, interval, right ones, questions. */
function cells(accuracy: Accuracy, of: "ofAll" | "ofAnswered"): string[] {
  const mean = accuracy[of];
  return [
    percent(mean?.mean ?? null),
    mean?.low == null || mean.high === null
      ? "none"
      : `${percent(mean.low)} to ${percent(mean.high)}`,
    String(accuracy.right),
    String(of === "ofAll" ? accuracy.all : accuracy.answered),
  ];
}

export function percent(value: number | null): string {
  return value === null ? "none" : `${(100 * value).toFixed(2)} %`;
}

function decimal(value: number | null): string {
  return value === null ? "none" : value.toFixed(4);
}
