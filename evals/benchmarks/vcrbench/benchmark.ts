import { z } from "zod";
import { isOrder } from "../../../graphs/replies/order/clip-lists.ts";
import { soundOrder } from "../../../graphs/replies/order/sound-order.ts";
import { ASK_WORDING } from "../../../graphs/wording.ts";
import { kendallTau } from "../../statistics/kendall-tau.ts";
import { isIdentityOrder, isRunawayList } from "../consecutive-lists.ts";
import type { Row } from "../data-files.ts";
import { defineBenchmark } from "../define-benchmark.ts";
import { EvidenceSpans } from "../evidence-spans.ts";
import { type LoadContext, loadRows, unreadable, videoOf } from "../load-rows.ts";
import { respects, unusablePairs, withImplied } from "../partial-order.ts";
import { numpyRoundedMean, pythonRound } from "../python-text.ts";
import { afterStripping } from "../reasoning-tags.ts";
import type { BenchmarkData, Sample } from "../sample.ts";
import type { ScoredReply } from "../scored-reply.ts";
import { orderPositions } from "../sound-answer.ts";
import { VCRBENCH_PROTOCOL, vcrbenchAspects } from "./protocol.ts";
import published from "./published.json" with { type: "json" };
import { officialOrder, ordersOtherClips } from "./read-order.ts";
import { VCRBENCH_RELEASED } from "./released-prompts.ts";
import { toLeaderboard, VCRBENCH_RESPONSES } from "./response-file.ts";

/* VCRBench (arXiv 2505.08455): put the shuffled clips of a procedure in their right order. */

const VcrRow = z.looseObject({
  qid: z.union([z.string(), z.number()]).transform(String),
  goal: z.string(),
  video_file: z.string(),
  /** 0-based clip indices in their right order. */
  ground_truth: z.array(z.int()),
  steps: z.array(z.string()).optional(),
  evidence_s: EvidenceSpans.optional(),
  /** Pairs [earlier, later] of 0-based clip indices, of sets whose steps may partly swap. */
  partial_order: z.array(z.tuple([z.int(), z.int()])).optional(),
});

const TITLE = "VCRBench";

export const vcrbench = defineBenchmark({
  name: "vcrbench",
  title: TITLE,
  tasks: ["order"],
  load,
  groups: (sample) => ({ goal: sample.goal ?? "", steps: String(sample.answer.length) }),
  cluster: (sample) => sourceOf(sample) ?? sample.video,
  extractors: {
    official: (reply, sample) => officialOrder(reply, sample.answer.length),
    "lmms-eval-0.7": afterStripping((reply, sample) => officialOrder(reply, sample.answer.length)),
    sound: (reply, sample) => soundOrder(reply, sample.answer.length),
  },
  answers: { written: "order-line", readBy: { "order-line": "sound" }, unreadable: {} },
  scorer: "order",
  official: officialScores,
  measures,
  positions,
  replySigns: {
    about:
      "identity_order: the order read from the reply is 1, 2, ..., n. runaway_list: the reply counts on from 1 past the number of clips (figure 6 of the paper).",
    read: (reply, { sample, extraction }) => ({
      identity_order: isIdentityOrder(extraction?.answer ?? null),
      runaway_list: isRunawayList(reply, sample.answer.length),
    }),
  },
  namesForeignAnswer: ordersOtherClips,
  // Order questions use the same prompts everywhere. Evidence of one question must not help another.
  wording: { ...ASK_WORDING, recalls: false },
  asksWith: [
    "vcrbench/direct",
    "vcrbench/direct-cot",
    "rrd/count-clips",
    "rrd/recognise-all",
    "rrd/recognise-one",
    "rrd/recognise-clips",
    "rrd/recognise-clips-video",
    "rrd/recognise-clip",
    "rrd/recognise-clip-video",
    "rrd/order",
    "rrd/order-video",
    "rrd/order-clips",
    "rrd/compare",
    "rrd/compare-video",
    "rrd/compare-clips",
  ],
  released: VCRBENCH_RELEASED,
  protocol: VCRBENCH_PROTOCOL,
  aspects: vcrbenchAspects,
  published,
  responses: VCRBENCH_RESPONSES,
  leaderboard: toLeaderboard,
});

function load(path: string): Promise<BenchmarkData> {
  const columns = ["qid", "goal", "video_file", "ground_truth"];
  return loadRows(path, { title: TITLE, columns }, readRow);
}

function readRow(row: Row, position: number, loading: LoadContext): Sample | null {
  const read = VcrRow.safeParse(row);
  if (!read.success) return unreadable(position, loading);
  const { qid, goal, video_file, ground_truth, steps, evidence_s, partial_order } = read.data;
  const { tally, samples } = loading;
  const answer = ground_truth.map((index) => index + 1);
  if (!isOrder(answer, answer.length) || answer.length < 2) {
    tally.add("rows whose ground truth is not a permutation", qid);
    return null;
  }
  const pairs = partial_order?.map(([earlier, later]): [number, number] => [
    earlier + 1,
    later + 1,
  ]);
  const unusable = pairs === undefined ? null : unusablePairs(pairs, answer);
  if (unusable !== null) {
    tally.add(`rows whose partial order cannot be used: ${unusable}`, qid);
    return null;
  }
  if (samples.has(qid)) tally.add("repeated qid, the last counts", qid);
  return {
    id: qid,
    ...videoOf([video_file], video_file, loading),
    question: `Put the clips in the order that completes this task: ${goal}`,
    task: "order",
    goal,
    options: [],
    answer,
    ...(steps === undefined ? {} : { steps }),
    ...(evidence_s === undefined ? {} : { evidence_s }),
    ...(pairs === undefined ? {} : { partial_order: pairs }),
    row,
  };
}

/**
 * The source of an arrangement of clips that `build-vcrbench` made; null for the released set. Arrangements of one source
 * are not independent.
 */
function sourceOf({ row }: Sample): string | null {
  const { provenance } = row as { provenance?: { source_sha256?: unknown } };
  return typeof provenance?.source_sha256 === "string" ? provenance.source_sha256 : null;
}

/** Which positions of the answer are right; of a partial order, by its best match. */
function positions(scored: ScoredReply): boolean[] {
  return scored.sample.partial_order === undefined
    ? officialPositions(scored)
    : orderPositions(scored);
}

/** Which positions of the ground truth the answer matches; a wrong length (here: no answer) matches none. */
function officialPositions({ sample, extraction }: ScoredReply): boolean[] {
  const answer = extraction?.answer ?? [];
  const comparable = answer.length === sample.answer.length;
  return [...sample.answer].map((clip, place) => comparable && answer[place] === clip);
}

/**
 * `metrics.py` of VCRBench, percentages; a sample without a reply counts as wrong. The released code knows no partial
 * orders: only the ground truth is right.
 */
function officialScores(scored: readonly ScoredReply[]): Record<string, unknown> {
  const byGoal = percentBy(scored, ({ sample }) => sample.goal ?? "");
  const places = scored.flatMap(officialPositions);
  const exact = scored.filter(isOfficiallyRight).length;
  return {
    avg_accuracy: pythonRound((exact / scored.length) * 100),
    avg_step_accuracy: pythonRound((places.filter(Boolean).length / places.length) * 100),
    weighted_avg_accuracy: numpyRoundedMean([...byGoal.values()]),
    scores_per_class: Object.fromEntries(byGoal),
    scores_per_step: Object.fromEntries(
      percentBy(scored, ({ sample }) => String(sample.answer.length)),
    ),
  };
}

function percentBy(
  scored: readonly ScoredReply[],
  groupOf: (item: ScoredReply) => string,
): Map<string, number> {
  return new Map(
    [...Map.groupBy(scored, groupOf)].map(([group, items]) => {
      const exact = items.filter(isOfficiallyRight).length;
      return [group, pythonRound((exact / items.length) * 100)];
    }),
  );
}

function isOfficiallyRight(scored: ScoredReply): boolean {
  return scored.sample.partial_order === undefined
    ? scored.score.value === 1
    : officialPositions(scored).every(Boolean);
}

/** The share of replies without an order, and Kendall's tau over those with one. */
function measures(scored: readonly ScoredReply[]): Record<string, number | null> {
  const replied = scored.filter(({ extraction }) => extraction !== null);
  const mean = (values: readonly number[]) =>
    values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    invalid_rate: mean(replied.map(({ extraction }) => (extraction?.answer == null ? 1 : 0))),
    kendall_tau: mean(
      replied.flatMap(({ sample, extraction }) =>
        Array.isArray(extraction?.answer) && Array.isArray(sample.answer)
          ? (tauOf(extraction.answer, sample.answer, sample.partial_order) ?? [])
          : [],
      ),
    ),
  };
}

/** Of a partial order, tau over the pairs of clips whose order is fixed; null if no pair is. */
function tauOf(
  order: readonly number[],
  truth: readonly number[],
  partial: Sample["partial_order"],
): number | null {
  if (partial === undefined) return orderTau(order, truth);
  const pairs = withImplied(partial, truth);
  const right = pairs.filter((pair) => respects(order, [pair])).length;
  return pairs.length === 0 ? null : (2 * right - pairs.length) / pairs.length;
}

/** Kendall's tau between the places that two orders give to each clip: 1 the same order, -1 the reverse. */
export function orderTau(order: readonly number[], truth: readonly number[]): number {
  return kendallTau(
    truth.map((clip) => order.indexOf(clip)),
    truth.map((_, place) => place),
  );
}
