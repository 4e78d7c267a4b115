import { createLedger } from "../src/core/ledger.ts";
import { type Answer, addUsage, LIMITS, NO_USAGE, type Task } from "../src/core/shapes.ts";
import { majorityVote, type VoteResult } from "../src/core/vote.ts";
import { type AskInStore, type Asking, askInStore } from "./ask.ts";

/** One of several answers to a question; `sample` counts from 1. */
export interface SampleAnswer extends Answer {
  sample: number;
}

export interface SampledAsking extends Asking {
  samples: SampleAnswer[];
}

/**
 * Asks one question several times, as epochs that share no reply, and answers by majority (see `majorityVote`): the
 * evidence is that of the lowest sample with the winning answer, the confidence the share of all samples that gave it.
 * Budgets of the settings hold for all samples together, in which case they are asked one after another, so that the
 * budget goes to the lowest ones; what a strategy limits by itself holds for each sample.
 */
export async function askSamples(
  parts: Omit<AskInStore, "epoch" | "within" | "events">,
  count: number,
): Promise<SampledAsking> {
  const { settings, question } = parts;
  const { calls, frames, tokens, seconds, cost } = settings.budget;
  const shared = createLedger({ calls, frames, tokens, seconds, cost });
  const limited = [calls, frames, tokens, seconds, cost].some((limit) => limit !== null);
  const one = (index: number) =>
    askInStore({
      ...parts,
      epoch: index,
      within: shared,
      ...(index === 0 ? {} : { events: `${question.id} sample ${index + 1}` }),
    });
  const indices = Array.from({ length: count }, (_, index) => index);
  const askings: Asking[] = [];
  if (limited) for (const index of indices) askings.push(await one(index));
  else {
    const settled = await Promise.allSettled(indices.map(one));
    for (const result of settled) {
      if (result.status === "rejected") throw result.reason;
      askings.push(result.value);
    }
  }
  const vote = voteOf(
    askings.map(({ answer }) => answer),
    question.task,
  );
  const chosen = askings[(vote.number ?? 1) - 1] as Asking;
  return {
    ...chosen,
    answer: votedAnswer(chosen.answer, askings, vote, shared.overshoot()),
    events: askings.flatMap(({ events }) => events),
    samples: askings.map(({ answer }, index) => ({ sample: index + 1, ...answer })),
  };
}

/** Only answered samples vote. Open answers are equal if they differ in case, spaces and final punctuation at most. */
export function voteOf(answers: readonly Answer[], task: Task): VoteResult<string | number[]> {
  const ballots = answers.map(({ status, answer }, index) => ({
    number: index + 1,
    answer: status === "answered" ? answer : null,
  }));
  if (task !== "open") return majorityVote(ballots);
  return majorityVote(ballots, (answer) =>
    String(answer)
      .normalize("NFKC")
      .toLowerCase()
      .replace(/\s+/g, " ")
      .replace(/[\s.!?]+$/, "")
      .trim(),
  );
}

function votedAnswer(
  chosen: Answer,
  askings: readonly Asking[],
  { answer, votes, cast, ballots, share }: VoteResult<string | number[]>,
  overshoot: { tokens: number; cost: number },
): Answer {
  const answers = askings.map((asking) => asking.answer);
  const met = new Set(answers.flatMap(({ limits_met }) => limits_met));
  return {
    ...chosen,
    usage: answers.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
    limits_met: LIMITS.filter((limit) => met.has(limit)),
    diagnostics: {
      ...chosen.diagnostics,
      vote: { votes, cast, samples: ballots },
      ...(overshoot.tokens > 0 || overshoot.cost > 0 ? { overshoot } : {}),
    },
    ...(answer === null
      ? { confidence: null, confidence_basis: null }
      : {
          confidence: share,
          confidence_basis: `the share of ${ballots} samples that gave this answer (majority vote); uncalibrated`,
        }),
  };
}
