import {
  type Denominators,
  denominators,
  type Note,
  type OfficialScores,
  type Scored,
  type ScoredQuestion,
} from "./benchmarks/benchmark.ts";
import type { Certificate } from "./certificate/certificate.ts";
import { certifyResults } from "./certificate/certify-results.ts";
import { type EvidenceTestScore, summarise } from "./evidence-test/summary.ts";
import { type ExtractorChoice, extractorOf, withExtractor } from "./extractor-choice.ts";
import type { MatchReport } from "./match-records.ts";
import {
  type OrderConsistency,
  orderConsistency,
  type PositionScore,
  positionScores,
} from "./option-positions.ts";
import { type Results, type Said, scoreSaid } from "./read-results.ts";
import { type RetrievalFunnel, retrievalFunnel } from "./retrieval-funnel.ts";
import { accountOf, type RunAccount, stoppedBy } from "./run-account.ts";
import { clusteredMean, type Mean, majority, meanShare, overEpochs } from "./statistics.ts";

/** An accuracy by both denominators, each with its interval clustered by video; null without questions. */
export interface Accuracy extends Denominators {
  /** Over all questions: unanswered and unscored ones count as wrong. */
  ofAll: Mean | null;
  ofAnswered: Mean | null;
}

export interface GroupScore extends Accuracy {
  kind: string;
  group: string;
}

export interface SignRate {
  name: string;
  count: number;
  /** Replies, over all epochs. */
  of: number;
  /** Clustered by video. */
  rate: Mean;
}

export interface RunScore {
  name: string;
  benchmark: string;
  extractor: string;
  /** Why that one, its model if it is one, and one sentence if it cannot read what was asked for. */
  extraction: ExtractorChoice;
  /** By the names of the released scorer; over the first epoch where there are several. */
  official: OfficialScores;
  /** Over all epochs; a question's score is the mean of its epochs. */
  all: Accuracy;
  groups: GroupScore[];
  measures: Record<string, number | null>;
  /** Share of the replies that no answer was read from; null without replies. */
  invalid_rate: number | null;
  /** Share of the replies that show a sign (VCRBench: `identity_order`, `runaway_list`); empty for other benchmarks. */
  reply_signs: SignRate[];
  /** Samples without a reply, by what went wrong; those that a budget stopped are in `account`. */
  failures: Note[];
  /** Budgets, estimates, times; null for files of others. */
  account: RunAccount | null;
  /** Null for a single epoch. Majority: self-consistency over them; `pass_at`: pass@1, pass@2 ... */
  over_epochs: { epochs: number; majority: number; pass_at: number[] } | null;
  missing: number;
  skipped: number;
  /** Null where the citations were not tested. */
  evidence_test: EvidenceTestScore | null;
  /** Null where no sample has known evidence spans, or nothing was recorded of its evidence. */
  retrieval_funnel: RetrievalFunnel | null;
  /** How the run compares with the published protocol; null for the files of others. */
  certificate: Certificate | null;
  notes: Note[];
  /** Of a response file: how its replies were matched with the questions; else null. */
  match: MatchReport | null;
  /** By the place of the right option as the model saw it; empty for questions without options. */
  option_positions: PositionScore[];
  /** Null for a run under one order of the options only. */
  option_orders: OrderConsistency | null;
}

/** Scores a run or response file, by default with its own extractor (`extractorOf`). Throws `Failure` `wrong-usage` for an extractor that the benchmark lacks. */
export function scoreResults(given: Results, asked?: string): RunScore {
  const results = withExtractor(given, { extractor: asked });
  const { benchmark } = results;
  const extraction = extractorOf(results);
  const { name: extractor } = extraction;
  const scored = scoreSaid(results, extractor);
  const first = scored.filter((item) => item.epoch === 1);
  const byEpoch = [...Map.groupBy(scored, (item) => item.epoch).values()];
  const questions = byEpoch.flatMap((items) => benchmark.questions(items));
  const replied = scored.filter((item) => item.extraction !== null);
  return {
    name: results.name,
    benchmark: benchmark.name,
    extractor,
    extraction,
    official: officialOf(results, first.length > 0 ? first : scored),
    all: accuracyOf(questions),
    groups: groupScores(questions, results.unknownGroups),
    measures: benchmark.measures(scored),
    invalid_rate:
      replied.length === 0
        ? null
        : replied.filter((item) => item.extraction?.answer == null).length / replied.length,
    reply_signs: signRates(results, scored),
    failures: failuresOf(scored),
    account: accountOf(results),
    over_epochs: results.epochs > 1 ? overAllEpochs(results, scored, questions) : null,
    missing: results.missing,
    skipped: results.skipped,
    evidence_test:
      results.evidenceTest === undefined
        ? null
        : summarise(results.evidenceTest, results.samples, benchmark),
    retrieval_funnel: retrievalFunnel(results),
    certificate: certifyResults(results).certificate,
    notes: results.notes,
    option_positions: positionScores(scored, benchmark),
    option_orders: orderConsistency(scored, results),
    match: results.match ?? null,
  };
}

/** Both denominators with their intervals. Several epochs of a question are one item: their mean. */
export function accuracyOf(questions: readonly ScoredQuestion[]): Accuracy {
  const answered = questions.filter((question) => question.answered && question.value !== null);
  return {
    ...denominators(questions),
    ofAll: meanOf(questions),
    ofAnswered: meanOf(answered),
  };
}

function meanOf(questions: readonly ScoredQuestion[]): Mean | null {
  const items = questionMeans(questions).map(({ value, cluster }) => ({ value, cluster }));
  if (items.length === 0) return null;
  const mean = clusteredMean(items);
  // With few videos the t interval reaches beyond what an accuracy can be.
  const within = (bound: number | null) =>
    bound === null ? null : Math.min(1, Math.max(0, bound));
  return { ...mean, low: within(mean.low), high: within(mean.high) };
}

/** One value a question: the mean of its epochs, in which what could not be scored is wrong. */
export function questionMeans(
  questions: readonly ScoredQuestion[],
): { id: string; cluster: string; groups: Record<string, string>; value: number }[] {
  return [...Map.groupBy(questions, (question) => question.id)].map(([id, epochs]) => {
    const { cluster, groups } = epochs[0] as ScoredQuestion;
    const sum = epochs.reduce((total, { value }) => total + (value ?? 0), 0);
    return { id, cluster, groups, value: sum / epochs.length };
  });
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

/** Without what was computed over groups that the file does not hold. */
function officialOf(
  { benchmark, unknownGroups }: Results,
  scored: readonly Scored[],
): OfficialScores {
  if (scored.length === 0) return {};
  const scores = benchmark.official(scored);
  if (!unknownGroups.includes("goal")) return scores;
  const { weighted_avg_accuracy: _weighted, scores_per_class: _byGoal, ...rest } = scores;
  return rest;
}

function signRates({ benchmark }: Results, scored: readonly (Scored & Said)[]): SignRate[] {
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

function failuresOf(scored: readonly (Scored & Said)[]): Note[] {
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

function overAllEpochs(
  { benchmark, epochs }: Results,
  scored: readonly (Scored & Said)[],
  questions: readonly ScoredQuestion[],
): RunScore["over_epochs"] {
  const voted = [...Map.groupBy(scored, ({ sample }) => sample.id).values()].map(
    (items): Scored => {
      const { sample, score } = items[0] as Scored;
      const answer = majority(items.map(({ extraction }) => extraction?.answer ?? null));
      const extraction = { answer, how: `most frequent of ${items.length} epochs` };
      return { sample, extraction, score: benchmark.score(extraction, sample, score.extractor) };
    },
  );
  const whole = [...Map.groupBy(questions, (question) => question.id).values()].filter(
    (values) => values.length === epochs,
  );
  const passes = whole.map((values) => overEpochs(values.map(({ value }) => value ?? 0)).passAt);
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    epochs,
    majority: denominators(benchmark.questions(voted)).accuracy ?? 0,
    pass_at:
      passes.length === 0
        ? []
        : Array.from({ length: epochs }, (_, k) => mean(passes.map((passAt) => passAt[k] ?? 0))),
  };
}

/** One JSON value with the benchmark's own names at the top, and ours under `video_rrd`. */
export function scoreJson({ official, ...ours }: RunScore): Record<string, unknown> {
  return { ...official, video_rrd: ours };
}
