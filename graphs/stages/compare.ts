import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import type { ChatReply } from "../../src/models/chat.ts";
import type { Ask, Judgement } from "../../tools/ranking/judgements.ts";
import { comparePrompt } from "../answer-prompts.ts";
import type { GraphContext } from "../context.ts";
import { beginsWithLetter, parseComparison } from "../replies/parse-comparison.ts";
import type { State } from "../state.ts";
import { callModel, unreadableReply } from "./call-model.ts";
import type { DescribedClip, ReasoningMedia } from "./described-clips.ts";
import { STAGE } from "./order.ts";
import { goalOf } from "./question-prompts.ts";

/** Asks the model for the comparisons of one ranking. Clips are given by their index in `clips`. */
export interface Comparer {
  ask: Ask;
  counts: { comparisons: number; asked_again: number; invalid: number; not_paid: number };
  /** Number of judgements with a probability from the server. */
  weighed(): number;
  /** One item per readable reply, in the order of the replies. */
  evidence: Evidence[];
  /** Waits for the calls in flight, which are billed even if the ranking fails. */
  settle(): Promise<void>;
}

/** Attempts to get A or B as the answer. */
const TRIES = 2;

/** Makes `ask(a, b)`: one call with clip `a` as Event A. After a failure no further call is made. */
export function comparer(
  clips: readonly DescribedClip[],
  media: ReasoningMedia | null,
  state: State,
  context: GraphContext,
): Comparer {
  const counts = { comparisons: 0, asked_again: 0, invalid: 0, not_paid: 0 };
  const evidence: Evidence[] = [];
  const asked: Promise<Judgement>[] = [];
  let stopped: { error: unknown } | null = null;
  let weighed = 0;

  async function compare(a: number, b: number): Promise<Judgement> {
    const [left, right] = [clips[a] as DescribedClip, clips[b] as DescribedClip];
    counts.comparisons++;
    for (let draw = 0; draw < TRIES; draw++) {
      if (draw > 0) counts.asked_again++;
      const result = await callModel(context, {
        stage: STAGE,
        role: "reasoner",
        label: `A ${left.number} against B ${right.number}`,
        prompts: [
          context.prompts.render(comparePrompt(media?.kind ?? null), {
            goal: goalOf(state.question),
            a: left.text,
            b: right.text,
          }),
        ],
        media: media?.pair(left.number, right.number),
        evidence: [left, right].flatMap(({ id }) => id ?? []),
        logprobs: true,
        draw,
      });
      if (result.status === "limit") {
        counts.not_paid++;
        return { p: 1, valid: false };
      }
      const first = unreadableReply(result) === null ? parseComparison(result.reply.text) : null;
      if (first === null) continue;
      const { reply } = result;
      const weight = beginsWithLetter(reply.text) ? weightOfA(reply) : null;
      if (weight !== null) weighed++;
      const p = weight ?? (first === "A" ? 1 : 0);
      const item = comparison(context, state, left, right, first, weight);
      evidence.push(item);
      return { p, valid: true };
    }
    counts.invalid++;
    return { p: 1, valid: false };
  }

  return {
    counts,
    evidence,
    weighed: () => weighed,
    ask(a, b) {
      if (stopped !== null) throw stopped.error;
      const judgement = compare(a, b);
      asked.push(judgement);
      judgement.catch((error: unknown) => {
        stopped ??= { error };
      });
      return judgement;
    },
    async settle() {
      await Promise.allSettled(asked);
    },
  };
}

/** Below this total probability of A and B, the reply began with another token, which says little. */
const LEAST_MASS = 0.5;

/** The share of `A` in the probability of `A` and `B` at the first token; null if the server does not report it. */
export function weightOfA({ logprobs }: Pick<ChatReply, "logprobs">): number | null {
  if (logprobs === undefined) return null;
  const mass = { A: 0, B: 0 };
  for (const [token, logprob] of Object.entries(logprobs)) {
    // Tokenizers mark a leading space in different ways; `a` may be the article of a sentence.
    const letter = token.replace(/[^A-Za-z]/g, "");
    if (letter === "A" || letter === "B") mass[letter] += Math.exp(logprob);
  }
  const both = mass.A + mass.B;
  return both >= LEAST_MASS ? mass.A / both : null;
}

function comparison(
  context: GraphContext,
  state: State,
  a: DescribedClip,
  b: DescribedClip,
  first: "A" | "B",
  weight: number | null,
): Evidence {
  const [before, after] = first === "A" ? [a, b] : [b, a];
  const spans = state.segments.filter(({ number }) => number === a.number || number === b.number);
  return makeEvidence({
    video: context.video.hash,
    kind: "comparison",
    start_s: Math.min(...spans.map((span) => span.start_s)),
    end_s: Math.max(...spans.map((span) => span.end_s)),
    text: `Clip ${before.number} comes before clip ${after.number}.`,
    data: {
      a: a.number,
      b: b.number,
      first,
      ...(weight === null ? {} : { weight_of_a: rounded(weight) }),
    },
    by: { who: "model", name: context.models.nameOf("reasoner") ?? "unnamed" },
    confidence: null,
    from: [a.id, b.id].flatMap((id) => id ?? []),
  });
}

/** To four decimal places, which is more than the precision of a log-probability. */
export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
