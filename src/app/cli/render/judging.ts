import type { Agreement, KappaInterval } from "../../../../evals/judges/agreement.ts";
import { COT_LABELS, type CotLabel } from "../../../../evals/judges/cot/cot.ts";
import type { CotSummary } from "../../../../evals/judges/cot/summary.ts";
import type { ErrorSummary } from "../../../../evals/judges/errors/summary.ts";
import type { Judged } from "../../../../evals/judges/judged-replies.ts";
import type { JudgingPlan } from "../../../../evals/judges/plan-judging.ts";
import type { StepSummary } from "../../../../evals/judges/steps/summary.ts";
import type { JudgeSummary } from "../../../../evals/judges/summary.ts";
import type { Mean } from "../../../../evals/statistics/statistics.ts";
import { money } from "../../../pages/evidence-page.ts";
import { percent, printable, table } from "../output.ts";

/** What a judging came to, for a person: the numbers with both denominators, and what was not judged and why. */
export function renderJudging(summary: JudgeSummary): string {
  return [
    `${summary.kind}, judged by ${summary.judge}: ${summary.replies} replies${summary.runs > 1 ? `, ${summary.runs} times each` : ""}`,
    numbers(summary),
    notes(summary),
  ].join("\n\n");
}

export function renderJudgingPlan({ replies, calls, tokens, cost_most, left_out }: JudgingPlan) {
  const rows = [
    ["replies", String(replies)],
    [
      "model calls",
      `${calls.least}, at most ${calls.most} (what cannot be read is asked once more)`,
    ],
    ["tokens", `about ${tokens.input} in without frames, at most ${tokens.output_most} out`],
    [
      "cost",
      cost_most === null
        ? "not known: the judge has no price (--prices)"
        : `at most ${money(cost_most)} without frames and second calls`,
    ],
    ...left_out.map(({ what, count }) => ["left out", `${count} ${what}`]),
  ];
  return `${table(rows)}\nNothing was sent.`;
}

export function failedText(failed: number): string {
  return `${failed} ${failed === 1 ? "judgement" : "judgements"} failed; the same command tries ${failed === 1 ? "it" : "them"} again.`;
}

function numbers(summary: JudgeSummary): string {
  switch (summary.kind) {
    case "steps":
      return steps(summary);
    case "errors":
      return errors(summary);
    case "cot":
      return cot(summary);
  }
}

function steps({ official, sound, all, per_run, matched, contradicting }: StepSummary): string {
  return table([
    ["step score, 0 to 10", "mean", "95 % interval", "over"],
    [
      "official (unreadable = 0, whole batches of 8)",
      score(official.mean),
      "",
      `${official.scored} of ${official.of} samples`,
    ],
    ["sound, judged replies alone", score(sound?.mean), interval(sound, score), over(sound)],
    ["all replies (not judged = 0)", score(all?.mean), interval(all, score), over(all)],
    ["official, by run", official.per_run.map(score).join(", "), "", ""],
    ["sound, by run", per_run.map(score).join(", "), "", ""],
    ["unreadable to the released code", String(official.unread), "", ""],
    ["annotated steps matched", percent(matched), "", ""],
    ["grades above what their own steps are worth", String(contradicting), "", ""],
  ]);
}

function errors({ types, judged, replies }: ErrorSummary): string {
  return table([
    ["error type", "replies", `of ${judged} judged`, `of all ${replies}`],
    ...types.map(({ type, about, count, of_judged, of_all }) => [
      about === "" ? type : `${type} ${about}`,
      String(count),
      percent(of_judged),
      percent(of_all),
    ]),
  ]);
}

function cot({ positions }: CotSummary): string {
  const labels = Object.keys(COT_LABELS) as CotLabel[];
  return table([
    ["piece", ...labels.map((label) => COT_LABELS[label]), "judged", "not judged"],
    ...positions.map(({ piece, shares, judged, not_judged }) => [
      String(piece),
      ...labels.map((label) => percent(shares[label]?.mean ?? null)),
      String(judged),
      String(not_judged),
    ]),
  ]);
}

function notes(told: Judged): string {
  const { judged, not_judged, repaired, missing, without_frames, usage } = told;
  const cost = usage.cost === null ? "cost not known" : `${money(usage.cost)}`;
  const paid = usage.paid === usage.cost ? "" : ` (${money(usage.paid)} paid)`;
  return [
    `${judged} judged${repaired > 0 ? `, ${repaired} of them at the second try` : ""}; ${not_judged} not judged; ${usage.calls} calls, ${cost}${paid}`,
    ...(missing > 0 ? [`${missing} replies were not asked about and stand in no number`] : []),
    ...(without_frames > 0
      ? [`${without_frames} judgements were made without frames of the video`]
      : []),
    ...[...told.why_not, ...told.left_out].map(
      ({ what, count, examples }) => `${count} ${what}: ${examples[0]}`,
    ),
    `kept in ${told.folder}`,
  ]
    .map((note) => `note: ${printable(note)}`)
    .join("\n");
}

/** A judge against people: kappa by both denominators, who said what, and the same type by type. */
export function renderAgreement(found: Agreement): string {
  const { n, n_judged, agreement, of_judged, of_all, confusion, types } = found;
  return [
    `${found.judged.judge} against people's error types: ${n} answers, ${n_judged} judged`,
    table([
      ["", "equal", "kappa", "95 % bootstrap over videos", "large-sample interval", "n"],
      ...(of_judged === null
        ? []
        : [kappaRow("judged answers alone", agreement.of_judged, of_judged)]),
      kappaRow("all answers (not judged = a category of its own)", agreement.of_all, of_all),
    ]),
    table([
      ["people \\ judge", ...confusion.types, "not judged"],
      ...confusion.counts.map((row, index) => [confusion.types[index] ?? "", ...row.map(String)]),
    ]),
    table([
      ["type", "people", "judge", "both", "precision", "recall"],
      ...types.map(({ type, people, judge, both, precision, recall }) => [
        ...[type, String(people), String(judge), String(both)],
        ...[percent(precision), percent(recall)],
      ]),
    ]),
    [notes(found.judged), ...found.notes.map(({ what, count }) => `note: ${count} ${what}`)].join(
      "\n",
    ),
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

function score(value: number | null | undefined): string {
  return value == null ? "none" : value.toFixed(2);
}

function over(mean: Mean | null): string {
  return mean === null ? "no replies" : `${mean.n} replies`;
}

function interval(mean: Mean | null, show: (value: number) => string): string {
  return mean?.low == null || mean.high === null
    ? "none"
    : `${show(mean.low)} to ${show(mean.high)}`;
}
