import { countedNote } from "../../../../evals/benchmarks/tally.ts";
import type { Agreement, KappaInterval } from "../../../../evals/judges/agreement.ts";
import { judges } from "../../../../evals/judges/define-judge.ts";
import type { Judged } from "../../../../evals/judges/judged-replies.ts";
import type { JudgingPlan } from "../../../../evals/judges/plan-judging.ts";
import { countOf } from "../../../core/count-of.ts";
import { money } from "../../../core/money.ts";
import { percent } from "../../../core/percent.ts";
import { printable, table } from "../output.ts";
import { costText } from "./cost.ts";

/** The results of a judging with both denominators, and the replies that were not judged, with reasons. */
export function renderJudging(summary: Judged): string {
  return [
    `${summary.kind}, judged by ${summary.judge}: ${summary.replies} replies${summary.runs > 1 ? `, ${summary.runs} times each` : ""}`,
    table(judges.get(summary.kind).rows(summary)),
    notes(summary),
  ].join("\n\n");
}

export function renderJudgingPlan({ replies, calls, tokens, cost_most, left_out }: JudgingPlan) {
  const rows = [
    ["replies", String(replies)],
    [
      "model calls",
      `${calls.least}, at most ${calls.most} (unreadable replies are requested once more)`,
    ],
    ["tokens", `about ${tokens.input} in without frames, at most ${tokens.output_most} out`],
    [
      "cost",
      cost_most === null
        ? "not known: the judge has no price (--prices)"
        : `at most ${money(cost_most)} without frames and second calls`,
    ],
    ...left_out.map((note) => ["left out", countedNote(note)]),
  ];
  return `${table(rows)}\nNothing was sent.`;
}

export function failedText(failed: number): string {
  return `${countOf(failed, "judgement")} failed. Run the same command again to retry.`;
}

function notes(results: Judged): string {
  const { judged, not_judged, repaired, missing, without_frames, usage } = results;
  return [
    `${judged} judged${repaired > 0 ? `, ${repaired} of them at the second attempt` : ""}; ${not_judged} not judged; ${usage.calls} calls, ${costText(usage)}`,
    ...(missing > 0 ? [`${missing} replies were not sent to the judge and are not counted`] : []),
    ...(without_frames > 0
      ? [`${without_frames} judgements were made without frames of the video`]
      : []),
    ...[...results.why_not, ...results.left_out].map(
      (note) => `${countedNote(note)}: ${note.examples[0]}`,
    ),
    `stored in ${results.folder}`,
  ]
    .map((note) => `note: ${printable(note)}`)
    .join("\n");
}

/** The agreement of a judge with human labels: kappa with both denominators, the confusion matrix, and scores by type. */
export function renderAgreement(found: Agreement): string {
  const { n, n_judged, agreement, of_judged, of_all, confusion, types } = found;
  return [
    `${found.judged.judge} compared with human error types: ${n} answers, ${n_judged} judged`,
    table([
      ["", "equal", "kappa", "95 % bootstrap over videos", "large-sample interval", "n"],
      ...(of_judged === null
        ? []
        : [kappaRow("judged answers only", agreement.of_judged, of_judged)]),
      kappaRow("all answers (not judged = a category of its own)", agreement.of_all, of_all),
    ]),
    table([
      ["human \\ judge", ...confusion.types, "not judged"],
      ...confusion.counts.map((row, index) => [confusion.types[index] ?? "", ...row.map(String)]),
    ]),
    table([
      ["type", "people", "judge", "both", "precision", "recall"],
      ...types.map(({ type, people, judge, both, precision, recall }) => [
        ...[type, String(people), String(judge), String(both)],
        ...[percent(precision), percent(recall)],
      ]),
    ]),
    [notes(found.judged), ...found.notes.map((note) => `note: ${countedNote(note)}`)].join("\n"),
  ].join("\n\n");
}

function kappaRow(name: string, equal: number | null, kappa: KappaInterval): string[] {
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    low === null || high === null ? "none" : `${low.toFixed(3)} to ${high.toFixed(3)}`;
  return [
    name,
    percent(equal),
    kappa.kappa?.toFixed(3) ?? "undefined",
    range(kappa.bootstrap),
    range(kappa),
    String(kappa.n),
  ];
}

/** What to do if none of so many judgements could be made. */
export function unusableText(judgements: number): string {
  return `None of ${judgements} judgements could be made, for the reasons in the summary. They are not asked for again: use another --judge-model, or for the same one another --out and --data-dir.`;
}
