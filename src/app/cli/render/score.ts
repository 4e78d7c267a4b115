import { noteText } from "../../../../evals/benchmarks/tally.ts";
import type { EvidenceTestScore } from "../../../../evals/evidence-test/summary.ts";
import { mixedText } from "../../../../evals/human-study/study-questions.ts";
import { type RunAccount, stoppedText } from "../../../../evals/run/run-account.ts";
import { isCoefficient, metricTitle } from "../../../../evals/score/metrics.ts";
import type { LetterReport } from "../../../../evals/score/named-letters.ts";
import { partialOrdersText } from "../../../../evals/score/partial-orders.ts";
import { countsNote } from "../../../../evals/score/right-counts.ts";
import type { Accuracy, RunScore, TaskGrades } from "../../../../evals/score/score-run.ts";
import { unscoredText } from "../../../../evals/score/scorer-choice.ts";
import { scorersText } from "../../../../evals/scorers/choose-scorers.ts";
import type { Mean } from "../../../../evals/statistics/statistics.ts";
import { countOf } from "../../../core/count-of.ts";
import { money } from "../../../core/money.ts";
import { percent } from "../../../core/percent.ts";
import { printable, table } from "../output.ts";
import { renderVerdict } from "./certificate.ts";
import { costText } from "./cost.ts";
import { renderFunnel } from "./funnel.ts";
import { renderConsistency, renderPositions } from "./options.ts";

/** Why the extractor of a run was chosen. */
const EXTRACTOR_REASON = {
  asked: "as asked",
  protocol: "the published one",
  format: "fits the prompts",
  default: "the default",
  file: "the released one",
};

/** Who answered a human study. */
function peopleText({
  raters,
  per_item,
  mixed_questions,
}: NonNullable<RunScore["human_study"]>): string {
  const mixed = mixedText(mixed_questions);
  return `human study: ${raters.length} people, ${per_item} for each question; no model answered${mixed === null ? "" : `. ${mixed}`}`;
}

/** The scores of a run with both denominators, 95 % intervals clustered by video, and groups. */
export function renderScore(score: RunScore): string {
  const { all, all_planned, over_epochs, step_accuracy, missing, skipped } = score;
  const several = over_epochs !== null;
  // Each question counts once for every epoch.
  const counted = several ? "results" : "questions";
  const measures = Object.entries(score.measures);
  const shares = measures.filter(([name]) => !isCoefficient(name));
  const coefficients = measures.filter(([name]) => isCoefficient(name));
  const means: [string, Mean][] = [
    ...(step_accuracy === null
      ? []
      : ([
          [metricTitle("step-accuracy"), step_accuracy.micro],
          [metricTitle("macro-step-accuracy"), step_accuracy.macro],
        ] as [string, Mean][])),
    ...(over_epochs === null
      ? []
      : ([
          [`majority of ${over_epochs.epochs} epochs`, over_epochs.majority],
          ...over_epochs.pass_at.map((mean, place) => [
            `pass@${place + 1} (${countOf(mean.n, "question")} with all epochs)`,
            mean,
          ]),
        ] as [string, Mean][])),
  ];
  const lines = [
    `${score.name}: ${score.benchmark}, extractor ${score.extractor} (${EXTRACTOR_REASON[score.extraction.by]})`,
    ...(score.human_study === null ? [] : [peopleText(score.human_study)]),
    ...(isChosen(score) ? [`scorers: ${scorersText(score.scorers)}`] : []),
    ...(score.extraction.warning === null ? [] : [score.extraction.warning]),
    ...score.unscored.map(unscoredText),
    ...(score.partial_orders === null ? [] : [partialOrdersText(score.partial_orders)]),
    ...(score.match === null ? [] : [score.match.told]),
    "",
    table([
      ["", "accuracy", "95 % interval", "right", counted],
      [
        all_planned === null
          ? "all questions (unanswered = wrong)"
          : "questions with a result (unanswered = wrong)",
        ...cells(all, "ofAll"),
      ],
      ["answered only", ...cells(all, "ofAnswered")],
      ...(all_planned === null
        ? []
        : [["all questions (without a result = wrong)", ...cells(all_planned, "ofAll")]]),
    ]),
    ...noteOf([
      [all, "ofAll"],
      [all, "ofAnswered"],
      ...(all_planned === null ? [] : [[all_planned, "ofAll"] as const]),
    ]),
    ...(score.ended_by === null ? [] : [`not finished: ${printable(score.ended_by)}`]),
    ...accountLines(score),
    ...releasedLines(score.official, several),
    "",
    table([
      [`further measures${several ? ", all epochs" : ""}`, "percent", "95 % interval"],
      ...means.map(([name, mean]) => [name, percent(mean.mean), interval(mean)]),
      ...shares.map(([name, value]) => [
        `${name}${several ? " of the replies" : ""}`,
        percent(value),
        "",
      ]),
      ["invalid rate of the replies", percent(score.invalid_rate), ""],
      ...score.reply_signs.map(({ name, rate, count, of }) => [
        `${name} rate of the replies`,
        `${percent(rate.mean)} (${count} of ${of})`,
        interval(rate),
      ]),
    ]),
    ...coefficients.map(([name, value]) => `${name}, from -1 to 1: ${decimal(value)}`),
  ];
  if (score.groups.length > 0)
    lines.push(
      "",
      table([
        ["", "group", "accuracy", "95 % interval", "right", counted, "answered only"],
        ...score.groups.map((group) => [
          group.kind,
          printable(group.group),
          ...cells(group, "ofAll"),
          percent(group.accuracyAnswered),
        ]),
      ]),
      ...noteOf(score.groups.map((group) => [group, "ofAll"])),
    );
  if (score.evidence_test !== null) lines.push("", evidenceTest(score.evidence_test));
  if (score.option_positions.length > 0) lines.push("", renderPositions(score.option_positions));
  if (score.option_orders !== null) lines.push("", renderConsistency(score.option_orders));
  if (score.retrieval_funnel !== null) lines.push("", renderFunnel(score.retrieval_funnel));
  if (score.certificate !== null) lines.push("", renderVerdict(score.certificate));
  if (score.agreement.length > 0) lines.push("", table(agreementRows(score)));
  const notes = [
    ...(score.letters === null ? [] : letterNotes(score.letters)),
    ...score.grades.flatMap((grades) => gradeNotes(grades, score.name)),
    ...(missing > 0 ? [`${countOf(missing, "sample has", "samples have")} no result`] : []),
    ...(skipped > 0
      ? [
          `${countOf(skipped, "sample was skipped because its", "samples were skipped because their")} video is missing (--skip-missing)`,
        ]
      : []),
    ...score.failures.map(
      ({ what, count, examples }) => `${count} failed (${what}): ${examples[0]}`,
    ),
    ...score.notes.map(noteText),
  ];
  if (notes.length > 0) lines.push("", ...notes.map((note) => `note: ${printable(note)}`));
  return lines.join("\n");
}

/** The scores with the names of the released scorer: shares in percent, and the total if it is given with its counts. */
function releasedLines(official: RunScore["official"], several: boolean): string[] {
  const rows = Object.entries(official).flatMap(([name, value]): [string, string][] => {
    if (typeof value === "number") return [[name, `${value.toFixed(2)} %`]];
    // Some scorers give shares as text, with their counts: `57.00%`, `57/100`.
    const { count, accuracy } = (value ?? {}) as Record<string, unknown>;
    return typeof count === "string" && typeof accuracy === "string"
      ? [[name, `${accuracy.replace("%", " %")} (${count})`]]
      : [];
  });
  if (rows.length === 0) return [];
  return [
    "",
    table([[`released scores${several ? ", first epoch only" : ""}`, "percent"], ...rows]),
  ];
}

/** Whether the scorers are not given with the benchmark: several, or with settings. */
function isChosen({ scorers }: RunScore): boolean {
  const chosen = Object.values(scorers);
  return chosen.length > 1 || chosen.some(({ settings }) => Object.keys(settings).length > 0);
}

/** Notes on budgets, answers without a model, estimated tokens, and durations. */
function accountLines({ account, unscored }: RunScore): string[] {
  if (account === null) return [];
  const stopped = stoppedText(account);
  const { answered_at_limit, overshoot, by_word_overlap, results, calls, estimated_calls } =
    account;
  return [
    ...(stopped === null
      ? []
      : [
          `stopped by a budget: ${stopped}${unscored.length === 0 ? "; each counts as wrong" : ""}`,
        ]),
    ...(answered_at_limit === 0
      ? []
      : [`answered although a budget was met: ${answered_at_limit} of ${results}`]),
    ...(overshoot.samples === 0
      ? []
      : [
          `budgets exceeded by calls in flight: ${overshoot.samples} of ${results}, by ${overshoot.tokens} tokens and ${money(overshoot.cost)} in total`,
        ]),
    ...(by_word_overlap === 0
      ? []
      : [
          `answered by word overlap, because the model gave no answer: ${by_word_overlap} of ${results}`,
        ]),
    ...(estimated_calls === 0
      ? []
      : [
          `tokens are estimates for ${estimated_calls} of ${calls} calls: the server did not report them`,
        ]),
    ...(account.batch ? ["model calls in batches: the cost has the prices of batches"] : []),
    ...(account.reasoning_tokens === 0
      ? []
      : [`reasoning tokens (included in output): ${account.reasoning_tokens}`]),
    ...(account.cached_input_tokens === 0
      ? []
      : [`input tokens from the provider's cache: ${account.cached_input_tokens}`]),
    ...timeLines(account),
  ];
}

function timeLines({ time, results }: RunAccount): string[] {
  if (time === null) return [];
  const each = (seconds: number) => (seconds / time.samples).toFixed(2);
  const unknown =
    time.unknown_calls === 0 ? "" : `, ${time.unknown_calls} calls of unknown duration left out`;
  const some = time.samples === results ? "" : ` (${time.samples} of ${results} samples)`;
  return [
    `seconds a sample${some}: model ${each(time.model_s)} (cached replies with their first duration${unknown}), own ${each(time.own_s)}, waiting ${each(time.waited_s)}`,
  ];
}

function agreementRows({ agreement }: RunScore): string[][] {
  return [
    ["read alike by", "replies", "share", "kappa", "right only here", "right only there"],
    ...agreement.map(({ b, same, replies, share, kappa, only_a_right, only_b_right }) => [
      b,
      `${same} of ${replies}`,
      percent(share),
      kappa === null ? "none" : kappa.toFixed(3),
      String(only_a_right),
      String(only_b_right),
    ]),
  ];
}

function letterNotes(letters: LetterReport): string[] {
  const { model, temperature, max_tokens, asked, without_letter, refused, empty, failed, usage } =
    letters;
  const refusals = refused > 0 ? `, ${refused} refused by the model (counted as wrong)` : "";
  const none = `${without_letter} without a letter (counted as wrong${empty > 0 ? `; ${empty} of them empty: if the model thinks, raise --extractor-max-tokens` : ""})`;
  return [
    `letters named by ${model} (temperature ${temperature}, at most ${max_tokens} tokens): ${asked} replies, ${none}${refusals}, ${usage.calls} calls, ${costText(usage)}`,
    ...(failed > 0
      ? [
          `${failed} ${failed === 1 ? "reply is" : "replies are"} not judged because the call failed or had no whole reply. Run the same command again to retry`,
        ]
      : []),
  ];
}

function gradeNotes(
  { task, scorer, report, graded, ...counts }: TaskGrades,
  run: string,
): string[] {
  const { without_grade, waiting } = counts;
  const usage = report?.usage ?? null;
  const spent = usage === null ? "" : `, ${usage.calls} calls, ${costText(usage)}`;
  return [
    ...(report === null || graded + without_grade === 0
      ? []
      : [
          `${task} answers graded by ${report.by}: ${graded} with a grade, ${without_grade} without one (counted as wrong)${spent}`,
        ]),
    ...(report !== null && report.failed > 0
      ? [`${report.failed} gradings failed. Run the same command again to retry`]
      : []),
    ...(waiting > 0
      ? [
          `${waiting} ${task} answers are not graded yet and count as wrong: score ${run} with the flags of the scorer ${scorer}`,
        ]
      : []),
  ];
}

/** How far answers depend on the cited evidence, and whether the citations are in the right places. */
function evidenceTest(test: EvidenceTestScore): string {
  const { overlap, tested, citing_nothing, failed, status } = test;
  const row = (what: string, mean: Mean | null) => [
    what,
    percent(mean?.mean ?? null),
    interval(mean),
    String(mean?.n ?? 0),
  ];
  const left = [
    ...(status === "finished" ? [] : ["not finished"]),
    ...(citing_nothing > 0 ? [`${citing_nothing} answers cite nothing`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return [
    table([
      [`evidence test of ${tested} answers`, "share", "95 % interval", "questions"],
      row("same answer with all evidence again", test.stability),
      row("same answer with cited evidence only (sufficiency)", test.sufficiency),
      row("different answer without cited evidence (necessity)", test.necessity),
      ...(overlap === null
        ? []
        : [
            row("right places cited (recall)", overlap.recall),
            row("citations in right places (precision)", overlap.precision),
            row("temporal overlap (IoU)", overlap.iou),
          ]),
    ]),
    ...(left.length > 0 ? [`evidence test: ${left.join(", ")}`] : []),
  ].join("\n");
}

export function interval(mean: Mean | null): string {
  return mean?.low == null || mean.high === null
    ? "none"
    : `${percent(mean.low)} to ${percent(mean.high)}`;
}

/** Accuracy, interval, number right, number of questions. */
function cells(accuracy: Accuracy, of: "ofAll" | "ofAnswered"): string[] {
  const mean = accuracy[of];
  return [
    percent(mean?.mean ?? null),
    interval(mean),
    String(accuracy.right),
    String(of === "ofAll" ? accuracy.all : accuracy.answered),
  ];
}

function noteOf(rows: Parameters<typeof countsNote>[0]): string[] {
  return [countsNote(rows) ?? []].flat();
}

function decimal(value: number | null): string {
  return value === null ? "none" : value.toFixed(4);
}
