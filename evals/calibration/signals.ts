import { orderingOf } from "../../src/core/ordering.ts";
import { majorityVote } from "../../src/core/vote.ts";
import { majorityVotes } from "../score/metrics.ts";
import type { Results } from "../score/read-results.ts";
import { scoreReplies } from "../score/score-replies.ts";
import { answerKey } from "../scorers/answer-key.ts";
import type { Rated } from "../statistics/calibration.ts";
import { votedEpochs } from "./voted-epochs.ts";

/** A value in a run that may predict whether an answer is right. */
export interface Signal {
  name: string;
  /** Name for people. */
  title: string;
  /** Whether its values are probabilities; otherwise only their order counts. */
  isProbability: boolean;
  /** The answers that have the signal. */
  read(results: Results): Rated[];
}

type Scored = ReturnType<typeof scoreReplies>[number];

/** Verdicts of the verification from worst to best, as ranks from 0 to 1. */
const VERDICTS: Record<string, number> = {
  contradicted: 0,
  "not-shown": 1 / 3,
  unchecked: 2 / 3,
  supported: 1,
};

/** All signals, in the order of tables. */
export const SIGNALS: readonly Signal[] = [
  {
    name: "votes",
    title: "share of the epochs that gave the majority answer",
    isProbability: true,
    read: voteShares,
  },
  {
    name: "confidence",
    title: "confidence that the strategy states",
    isProbability: true,
    read: perReply(({ line }) => line?.confidence ?? null),
  },
  {
    name: "margin",
    title: "margin of the order over the second-best order",
    isProbability: false,
    read: perReply(({ line }) => orderingOf(line?.diagnostics)?.margin ?? null),
  },
  {
    name: "verdict",
    title: "verdict of the verification",
    isProbability: false,
    read: perReply(({ line }) => VERDICTS[String(line?.diagnostics.support)] ?? null),
  },
];

/** A signal computed from each reply. Replies without an answer are left out. */
function perReply(confidenceOf: (reply: Scored) => number | null): Signal["read"] {
  return (results) =>
    scoreReplies(results).flatMap((reply): Rated[] => {
      const confidence = confidenceOf(reply);
      const { value } = reply.score;
      if (confidence === null || value === null || reply.extraction?.answer == null) return [];
      return [{ confidence, value, cluster: results.benchmark.cluster(reply.sample) }];
    });
}

/** Of the samples that have the epochs of `votedEpochs`. */
function voteShares(results: Results): Rated[] {
  const voted = votedEpochs(results);
  if (voted === null) return [];
  const { benchmark } = results;
  const scored = scoreReplies(results).filter(
    ({ sample, epoch }) => epoch <= voted.used && voted.has(sample.id),
  );
  // A question without options has one order of them: a single reply is no vote.
  const asked = [...Map.groupBy(scored, ({ sample }) => sample.id)].filter(
    ([, replies]) => replies.length > 1,
  );
  const shares = new Map(
    asked.map(([id, replies]) => [
      id,
      majorityVote(
        replies.map(({ epoch, extraction }) => ({
          number: epoch,
          answer: extraction?.answer ?? null,
        })),
        (given) => answerKey(benchmark, (replies[0] as Scored).sample, given),
      ).share,
    ]),
  );
  return majorityVotes(scored, benchmark).flatMap(({ sample, score, extraction }): Rated[] => {
    const confidence = shares.get(sample.id);
    if (confidence === undefined || score.value === null || extraction?.answer == null) return [];
    return [{ confidence, value: score.value, cluster: benchmark.cluster(sample) }];
  });
}
