import type { Question } from "../../src/core/shapes.ts";
import { voteOf } from "../ask-samples.ts";
import type { GraphContext, StrategyAnswer } from "../context.ts";
import { allSettledOrThrow } from "../stage.ts";
import { ballotsToDecide } from "./ballots-to-decide.ts";

/**
 * Asks with another strategy, at most `samples` times, and answers by majority. No call is made that cannot change the
 * winner.
 */
export async function askUntilDecided(
  question: Question,
  context: GraphContext,
  { samples, temperature, strategy }: { samples: number; temperature: number; strategy: string },
): Promise<StrategyAnswer> {
  const settings = { "reasoning.temperature": temperature };
  const drawn: StrategyAnswer[] = [];
  const vote = () =>
    voteOf(
      drawn.map(({ answer }) => answer),
      question.task,
    );
  for (let next = ballotsToDecide(vote(), samples); next > 0; ) {
    const first = drawn.length;
    const asking = Array.from({ length: next }, (_, place) =>
      context.ask(strategy, { draw: first + place, settings }),
    );
    drawn.push(...(await allSettledOrThrow(asking)));
    // A spent budget refuses every further call.
    next = context.ledger.met().length > 0 ? 0 : ballotsToDecide(vote(), samples);
  }
  const { number, share, answer, votes, cast } = vote();
  const winner = drawn[(number ?? 1) - 1] as StrategyAnswer;
  const { diagnostics } = winner.answer;
  return {
    ...winner,
    answer: {
      ...winner.answer,
      diagnostics: { ...diagnostics, vote: { votes, cast, samples: drawn.length } },
      ...(answer === null
        ? { confidence: null, confidence_basis: null }
        : {
            confidence: share,
            confidence_basis: `the share of ${drawn.length} calls that gave this answer (majority vote); uncalibrated`,
          }),
    },
  };
}
