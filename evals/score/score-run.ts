import type { Task } from "../../src/core/shapes.ts";
import type { Note, Sample } from "../benchmarks/sample.ts";
import {
  answeredOf,
  type Denominators,
  denominators,
  type OfficialScores,
  questionMeans,
  type ScoredQuestion,
  type ScoredReply,
  unscored,
} from "../benchmarks/scored-reply.ts";
import type { Certificate } from "../certificate/certificate.ts";
import { certifyResults } from "../certificate/certify-results.ts";
import { type EvidenceTestScore, summarise } from "../evidence-test/summary.ts";
import { epochsOf } from "../run/option-orders.ts";
import { accountOf, type RunAccount, stoppedBy } from "../run/run-account.ts";
import type { EvalHeader } from "../run/run-header.ts";
import type { Scorers } from "../scorers/choose-scorers.ts";
import { scorers } from "../scorers/define-scorer.ts";
import type { GradeReport } from "../scorers/grading.ts";
import { type Mean, meanShare } from "../statistics/statistics.ts";
import { type ExtractorAgreement, extractorAgreement } from "./extractor-agreement.ts";
import { type ExtractorChoice, extractorOf, withExtractor } from "./extractor-choice.ts";
import { MODEL_LETTER } from "./extractor-settings.ts";
import type { MatchReport } from "./match-report.ts";
import { type MetricName, metricItems, scoredQuestions } from "./metrics.ts";
import { type LetterReport, namedLetters } from "./named-letters.ts";
import {
  type OrderConsistency,
  orderConsistency,
  type PositionScore,
  positionScores,
} from "./option-positions.ts";
import { type PartialOrders, partialOrders } from "./partial-orders.ts";
import type { Results, SampleReply } from "./read-results.ts";
import { type RetrievalFunnel, retrievalFunnel } from "./retrieval-funnel.ts";
import { scoreReplies } from "./score-replies.ts";
import { type Unscored, unscoredTasks } from "./scorer-choice.ts";
import { shortenedNotes } from "./shortened-questions.ts";

/** An accuracy with both denominators, each with its interval clustered by video; null without questions. */
export interface Accuracy extends Denominators {
  /** Over all questions: unanswered and unscored epochs count as wrong. `n`: questions. */
  ofAll: Mean | null;
  /** Over the answered epochs of the questions that have some. */
  ofAnswered: Mean | null;
}

/** The score of one group of questions. */
export interface GroupScore extends Accuracy {
  kind: string;
  group: string;
}

/** How many replies show a sign that the benchmark defines. */
export interface SignRate {
  name: string;
  count: number;
  /** Replies, over all epochs. */
  of: number;
  /** Clustered by video. */
  rate: Mean;
}

/** Over all questions; unanswered and unscored ones have no right position. */
export interface StepAccuracy {
  /** Over all positions (the released `avg_step_accuracy`). */
  micro: Mean;
  /** Mean over questions of the share of right positions (the paper's formula). */
  macro: Mean;
}

/** Every score of a run. Shares from 0 to 1, with 95 % intervals clustered by video. */
export interface RunScore {
  name: string;
  benchmark: string;
  /** Who answered a human study; null if a strategy answered. */
  human_study: NonNullable<EvalHeader["human_study"]> | null;
  extractor: string;
  /** Why it was chosen, its model if it calls one, and a warning if it cannot read the requested answer format. */
  extraction: ExtractorChoice;
  /** The scorer of each task, with its settings. */
  scorers: Scorers;
  /** Tasks without a scorer, whose samples are in no accuracy. */
  unscored: Unscored[];
  /** Samples whose steps may partly swap; null if there are none. */
  partial_orders: PartialOrders | null;
  /** Scores with the names of the released scorer; over the first epoch only. */
  official: OfficialScores;
  /** Over all results, of every epoch; a question's score is the mean of its epochs. */
  all: Accuracy;
  /** The same with those that have no result as wrong; null if none is missing. */
  all_planned: Accuracy | null;
  groups: GroupScore[];
  measures: Record<string, number | null>;
  /** Share of the replies from which no answer was read; null without replies. */
  invalid_rate: number | null;
  /** Share of the replies with each sign of the benchmark, such as `identity_order`; empty if it defines none. */
  reply_signs: SignRate[];
  /** Samples without a reply, by kind of failure; those that a budget stopped are in `account`. */
  failures: Note[];
  /** Budgets, estimates and times; null for a response file. */
  account: RunAccount | null;
  /** Positions of the orders, micro and macro; null for benchmarks without orders. */
  step_accuracy: StepAccuracy | null;
  /**
   * Null for a single epoch. `pass_at`: pass@1, pass@2 ... over the `n` questions with all their epochs; empty until
   * there is one.
   */
  over_epochs: { epochs: number; majority: Mean; pass_at: Mean[] } | null;
  /** Results that are missing: of a run that is not finished, or questions that a response file lacks. */
  missing: number;
  /** Why the run stopped; null if it did not, and for a response file. */
  ended_by: string | null;
  skipped: number;
  /** Null if the citations were not tested. */
  evidence_test: EvidenceTestScore | null;
  /** Null if no sample has both known evidence spans and a recorded trail. */
  retrieval_funnel: RetrievalFunnel | null;
  /** Comparison with the published protocol; null for a response file. */
  certificate: Certificate | null;
  notes: Note[];
  /** Agreement with the other extractors. */
  agreement: ExtractorAgreement[];
  /** Calls of the model of `model-letter`; null for other extractors. */
  letters: LetterReport | null;
  /** Grades by a model or a program, by task; empty without a scorer that has replies graded. */
  grades: TaskGrades[];
  /** How the replies of a response file were matched with the questions; null for a run. */
  match: MatchReport | null;
  /** Scores by position of the right option, as the model saw it; empty for questions without options. */
  option_positions: PositionScore[];
  /** Null for a run with a single order of the options. */
  option_orders: OrderConsistency | null;
}

/** Scores a run or response file, by default with its own extractor (`extractorOf`). Throws `Failure` `wrong-usage` for an extractor that the benchmark does not have. */
export function scoreResults(given: Results, asked?: string): RunScore {
  const results = withExtractor(given, { extractor: asked });
  const { benchmark } = results;
  const extraction = extractorOf(results);
  const { name: extractor } = extraction;
  const scored = scoreReplies(results, extractor);
  const first = scored.filter((item) => item.epoch === 1);
  const questions = scoredQuestions(results, scored);
  const share = (metric: MetricName) => metricShare(metric, results, scored);
  const [micro, macro] =
    benchmark.positions === undefined
      ? [null, null]
      : [share("step-accuracy"), share("macro-step-accuracy")];
  const replied = scored.filter((item) => item.extraction !== null);
  return {
    name: results.name,
    benchmark: benchmark.name,
    human_study: results.header?.human_study ?? null,
    extractor,
    extraction,
    scorers: benchmark.scorers,
    unscored: unscoredTasks(benchmark, results.samples),
    partial_orders: partialOrders(results.samples),
    official: officialOf(results, first.length > 0 ? first : scored),
    all: accuracyOf(questions),
    all_planned:
      results.missing === 0
        ? null
        : accuracyOf(scoredQuestions(results, [...scored, ...withoutResult(results, extractor)])),
    groups: groupScores(questions, results.unknownGroups),
    measures: benchmark.measures(scored),
    invalid_rate:
      replied.length === 0
        ? null
        : replied.filter((item) => item.extraction?.answer == null).length / replied.length,
    reply_signs: signRates(results, scored),
    failures: failuresOf(scored),
    account: accountOf(results),
    step_accuracy: micro === null || macro === null ? null : { micro, macro },
    over_epochs: overEpochs(mostEpochs(results), share),
    missing: results.missing,
    ended_by: results.header?.status === "finished" ? null : (results.header?.ended_by ?? null),
    skipped: results.skipped,
    evidence_test:
      results.evidenceTest === undefined
        ? null
        : summarise(results.evidenceTest, results.samples, benchmark),
    retrieval_funnel: retrievalFunnel(results),
    certificate: certifyResults(results).certificate,
    notes: [...results.notes, ...shortenedNotes(results.samples)],
    option_positions: positionScores(scored, benchmark),
    option_orders: orderConsistency(scored, results),
    agreement: extractorAgreement(results, scored),
    letters:
      extractor === MODEL_LETTER
        ? (namedLetters(results.judgings, extraction)[0]?.report ?? null)
        : null,
    grades: taskGrades(results, scored),
    match: results.match ?? null,
  };
}

/** The epochs in which a sample is asked: one for each order of its options and repetition. */
function epochsAsked({ epochs, option_orders: orders = 1 }: Results, sample: Sample): number[] {
  return epochsOf(sample, epochs / orders, orders);
}

function mostEpochs(results: Results): number {
  return results.samples.reduce(
    (most, sample) => Math.max(most, epochsAsked(results, sample).length),
    1,
  );
}

/** Samples without a result, as if they were unanswered. */
function withoutResult(results: Results, extractor: string): (ScoredReply & SampleReply)[] {
  const present = new Set(results.said.map(({ sample, epoch }) => `${epoch} ${sample.id}`));
  const why = "no result";
  return results.samples.flatMap((sample) =>
    epochsAsked(results, sample)
      .filter((epoch) => !present.has(`${epoch} ${sample.id}`))
      .map((epoch) => ({
        ...{ sample, epoch, reply: null, why, line: null },
        ...unscored(sample, why, extractor),
      })),
  );
}

/** How the replies to the questions of one task were graded. */
export interface TaskGrades {
  task: Task;
  scorer: string;
  /** Null: no grade was asked for yet. */
  report: GradeReport | null;
  /** Replies with a grade; asked about, but without one, which count as wrong; and not asked about yet. */
  graded: number;
  without_grade: number;
  waiting: number;
}

function taskGrades(
  results: Results,
  scored: readonly (ScoredReply & SampleReply)[],
): TaskGrades[] {
  return Object.entries(results.benchmark.scorers).flatMap(([name, { name: scorer }]) => {
    const task = name as Task;
    if (!scorers.get(scorer).isGraded) return [];
    const said = scored.filter(({ sample, reply }) => sample.task === task && reply !== null);
    const grades = results.grades?.[task];
    const without = said.filter(({ score }) => score.value === null);
    const waiting = without.filter((item) => grades?.of(item) == null).length;
    return [
      {
        ...{ task, scorer, report: grades?.report ?? null },
        graded: said.length - without.length,
        without_grade: without.length - waiting,
        waiting,
      },
    ];
  });
}

/**
 * Accuracy with both denominators and their intervals. A question counts once, with the mean of its epochs, whatever
 * their number.
 */
export function accuracyOf(questions: readonly ScoredQuestion[]): Accuracy {
  return {
    ...denominators(questions),
    ofAll: meanOf(questionMeans(questions)),
    ofAnswered: meanOf(questionMeans(answeredOf(questions))),
  };
}

function meanOf(items: readonly { cluster: string; value: number }[]): Mean | null {
  return items.length === 0 ? null : meanShare([...items]);
}

/** A metric's mean with its interval; null without items. Throws as `metricItems`. */
export function metricShare(
  metric: MetricName,
  results: Results,
  scored: readonly (ScoredReply & SampleReply)[],
): Mean | null {
  const items = metricItems(metric, results, scored);
  return items.length === 0 ? null : meanShare(items);
}

function groupScores(
  questions: readonly ScoredQuestion[],
  unknown: readonly string[],
): GroupScore[] {
  const kinds = [...new Set(questions.flatMap((question) => Object.keys(question.groups)))];
  return kinds
    .filter((kind) => !unknown.includes(kind))
    .flatMap((kind) => {
      const having = questions.filter((question) => question.groups[kind] !== undefined);
      return [...Map.groupBy(having, (question) => question.groups[kind] ?? "")]
        .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
        .map(([group, members]) => ({ kind, group, ...accuracyOf(members) }));
    });
}

/** Leaves out scores over groups that the file does not contain. */
function officialOf(
  { benchmark, unknownGroups }: Results,
  scored: readonly ScoredReply[],
): OfficialScores {
  if (scored.length === 0) return {};
  const scores = benchmark.official(scored);
  if (!unknownGroups.includes("goal")) return scores;
  const { weighted_avg_accuracy: _weighted, scores_per_class: _byGoal, ...rest } = scores;
  return rest;
}

function signRates(
  { benchmark }: Results,
  scored: readonly (ScoredReply & SampleReply)[],
): SignRate[] {
  const signs = scored.flatMap(({ reply, ...item }) =>
    Object.entries(reply === null ? {} : (benchmark.replySigns?.read(reply, item) ?? {})).map(
      ([name, shown]) => ({
        name,
        value: Number(shown),
        cluster: benchmark.cluster(item.sample),
      }),
    ),
  );
  return [...Map.groupBy(signs, ({ name }) => name)].map(([name, items]) => ({
    name,
    count: items.filter(({ value }) => value === 1).length,
    of: items.length,
    rate: meanShare(items),
  }));
}

function failuresOf(scored: readonly (ScoredReply & SampleReply)[]): Note[] {
  const failed = scored.filter(
    ({ extraction, line }) => extraction === null && line !== null && stoppedBy(line) === null,
  );
  return [...Map.groupBy(failed, ({ line }) => line?.error?.kind ?? "no reply")].map(
    ([what, items]) => ({
      what,
      count: items.length,
      examples: items.slice(0, 5).map(({ sample, why }) => `${sample.id}: ${why}`),
    }),
  );
}

function overEpochs(
  epochs: number,
  share: (metric: MetricName) => Mean | null,
): RunScore["over_epochs"] {
  const majority = epochs > 1 ? share("majority") : null;
  if (majority === null) return null;
  const pass_at = Array.from({ length: epochs }, (_, place) => share(`pass@${place + 1}`));
  return { epochs, majority, pass_at: pass_at.filter((mean) => mean !== null) };
}

/** One JSON value: the names of the released scorer at the top level, and everything else under `video_rrd`. */
export function scoreJson({ official, ...ours }: RunScore): Record<string, unknown> {
  return { ...official, video_rrd: ours };
}
