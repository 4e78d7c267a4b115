import { createLedger } from "../src/core/ledger.ts";
import { type Answer, addUsage, LIMITS, NO_USAGE, type Task } from "../src/core/shapes.ts";
import { majorityVote, type VoteResult } from "../src/core/vote.ts";
import { type AskInStore, type AskResult, askInStore } from "./ask.ts";

/** One of several answers to a question; `sample` counts from 1. */
export interface SampleAnswer extends Answer {
  sample: number;
}

/** The result that won the vote, with every sample. */
export interface SampledAskResult extends AskResult {
  samples: SampleAnswer[];
}

/**
 * Asks one question several times, as epochs that share no reply, and answers by majority (see `majorityVote`): the
 * evidence is that of the lowest sample with the winning answer, the confidence the share of all samples that gave it.
 * Budgets of the settings apply to all samples together; the samples are then asked one after another, so that the
 * budget goes to the lowest ones. A strategy's own limits apply to each sample.
 */
export async function askSamples(
  parts: Omit<AskInStore, "epoch" | "within" | "events">,
  count: number,
): Promise<SampledAskResult> {
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
  const results: AskResult[] = [];
  if (limited) for (const index of indices) results.push(await one(index));
  else {
    const settled = await Promise.allSettled(indices.map(one));
    for (const result of settled) {
      if (result.status === "rejected") throw result.reason;
      results.push(result.value);
    }
  }
  const vote = voteOf(
    results.map(({ answer }) => answer),
    question.task,
  );
  const chosen = results[(vote.number ?? 1) - 1] as AskResult;
  return {
    ...chosen,
    answer: votedAnswer(chosen.answer, results, vote, shared.overshoot()),
    events: results.flatMap(({ events }) => events),
    samples: results.map(({ answer }, index) => ({ sample: index + 1, ...answer })),
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
      .replace(/(?<![\s.!?])[\s.!?]+$/, "")
      .trim(),
  );
}

function votedAnswer(
  chosen: Answer,
  results: readonly AskResult[],
  { answer, votes, cast, ballots, share }: VoteResult<string | number[]>,
  overshoot: { tokens: number; cost: number },
): Answer {
  const answers = results.map((asking) => asking.answer);
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
          confidence_basis: `the share of ${ballots} samples that gave this answer (majority vote${cast < ballots ? `, ${cast} answered` : ""}); uncalibrated`,
        }),
  };
}
