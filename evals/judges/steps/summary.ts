import type { Sample } from "../../benchmarks/sample.ts";
import type { Results } from "../../score/read-results.ts";
import { type Mean, meanShare } from "../../statistics/statistics.ts";
import type { Subject, SummaryOptions } from "../judge.ts";
import { type Judged, type JudgedReply, judgedReplies } from "../judged-replies.ts";
import type { Judging } from "../judging.ts";
import { placeOf } from "../subjects.ts";
import { officialScore } from "./official-score.ts";
import { contradictsItself, type ScoreCard, stepJudge } from "./score-card.ts";

/** Scores from 0 to 10. */
export interface StepSummary extends Judged {
  kind: "steps";
  official: OfficialSteps;
  /** Mean over what was judged: a question's score is the mean of the runs in which it was. Null without any. */
  sound: Mean | null;
  /** Over all replies that the judge was asked about: what was not judged counts 0. */
  all: Mean | null;
  /** Means of each judge run over what it judged. */
  per_run: (number | null)[];
  /** Share of annotated steps matched, over all grades. */
  matched: number | null;
  /** Grades whose score is more than the matched steps are worth although the answer is called wrong. */
  contradicting: number;
}

/**
 * The number of the released code, over the first epoch: the first reply of the judge read in its way, what it cannot
 * read and samples without a reply 0, and what does not fill a batch of 8 left out. Samples that the judge could not be
 * asked about are not part of it.
 */
export interface OfficialSteps {
  /** Mean of the runs; null for fewer than 8 samples, which the released code does not score. */
  mean: number | null;
  per_run: (number | null)[];
  /** Samples that count, of how many. */
  scored: number;
  of: number;
  /** Replies that it takes for 0 because it cannot read them, over all runs. */
  unread: number;
}

const BATCH = 8;

export function summariseSteps(
  results: Results,
  judging: Judging,
  options: SummaryOptions,
): StepSummary {
  const { told, replies, subjects } = judgedReplies(results, judging, stepJudge, options);
  const cards = replies.flatMap(({ parts }) => parts.flatMap(({ value }) => value ?? []));
  const byReply = Map.groupBy(replies, ({ subject }) => subject);
  const sound = subjects.flatMap((subject) => {
    const scores = scoresOf(byReply.get(subject) ?? []);
    return scores.length === 0
      ? []
      : [{ value: mean(scores), cluster: results.benchmark.cluster(subject.sample) }];
  });
  const all = subjects.flatMap((subject) => {
    const of = byReply.get(subject) ?? [];
    const cluster = results.benchmark.cluster(subject.sample);
    return of.length === 0 ? [] : [{ value: sum(scoresOf(of)) / of.length, cluster }];
  });
  return {
    ...told,
    kind: "steps",
    official: officialSteps(results, replies, told.runs, subjects),
    sound: meanOf(sound),
    all: meanOf(all),
    per_run: runNumbers(told.runs).map((run) => {
      const scores = scoresOf(replies.filter((reply) => reply.run === run));
      return scores.length === 0 ? null : mean(scores);
    }),
    matched:
      cards.length === 0
        ? null
        : sum(cards.map((card) => card.matched)) / sum(cards.map((card) => card.of)),
    contradicting: cards.filter(contradictsItself).length,
  };
}

function officialSteps(
  { samples, said }: Results,
  replies: readonly JudgedReply<ScoreCard>[],
  runs: number,
  subjects: readonly Subject[],
): OfficialSteps {
  const of = new Map(replies.map((reply) => [`${reply.run} ${placeOf(reply.subject)}`, reply]));
  const firsts = (sample: Sample) =>
    runNumbers(runs).map((run) => of.get(`${run} ${placeOf({ sample, epoch: 1 })}`)?.parts[0]);
  const asked = new Set(subjects.map(placeOf));
  const silent = new Set(
    said.filter(({ reply, epoch }) => epoch === 1 && !reply?.trim()).map(({ sample }) => sample.id),
  );
  const there = samples.filter(
    (sample) =>
      (silent.has(sample.id) && (sample.steps ?? []).length > 0) ||
      (asked.has(placeOf({ sample, epoch: 1 })) && !firsts(sample).includes(undefined)),
  );
  const counted = there.slice(0, there.length - (there.length % BATCH));
  let unread = 0;
  const per_run = runNumbers(runs).map((run) => {
    if (counted.length === 0) return null;
    const scores = counted.map((sample) => {
      const first = firsts(sample)[run - 1]?.first;
      const score = first === undefined ? null : officialScore(first);
      if (first !== undefined && score === null) unread++;
      return score ?? 0;
    });
    return mean(scores);
  });
  const means = per_run.filter((value) => value !== null);
  return {
    mean: means.length === 0 ? null : mean(means),
    per_run,
    scored: counted.length,
    of: there.length,
    unread,
  };
}

function scoresOf(replies: readonly JudgedReply<ScoreCard>[]): number[] {
  return replies.flatMap(({ parts }) => parts[0]?.value?.score ?? []);
}

function runNumbers(runs: number): number[] {
  return Array.from({ length: runs }, (_, index) => index + 1);
}

/** On the scale of the grades, 0 to 10. */
function meanOf(items: readonly { value: number; cluster: string }[]): Mean | null {
  if (items.length === 0) return null;
  const share = meanShare(items.map(({ value, cluster }) => ({ value: value / 10, cluster })));
  const scaled = (bound: number | null) => (bound === null ? null : 10 * bound);
  return {
    ...share,
    mean: mean(items.map(({ value }) => value)),
    se: scaled(share.se),
    low: scaled(share.low),
    high: scaled(share.high),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
