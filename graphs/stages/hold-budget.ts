import type { Ledger, Reservation, Spend } from "../../src/core/ledger.ts";
import { expectedOutput } from "../../src/core/settings.ts";
import type { Limit, Question } from "../../src/core/shapes.ts";
import type { Part } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { foreseeModel, type Request } from "./call-model.ts";
import { evidencePrompt, goalOf } from "./wording.ts";

/*
 * Budget that is held for calls which have to follow, so that no recognition is paid for whose answer cannot be.
 */

/** Budget held for calls to come. `next` gives back the share of one of them, right before it is made. */
export interface Held {
  next(): void;
  /** Gives back what is left. */
  release(): void;
}

/** Holds all of these calls together, or names the limit that they exceed together. */
export function hold(ledger: Ledger, calls: readonly Spend[]): Held | { refused: Limit } {
  const open: Reservation[] = [];
  for (const call of calls) {
    const booked = ledger.reserve(call);
    if ("refused" in booked) {
      for (const one of open) one.release();
      return booked;
    }
    open.push(booked);
  }
  return {
    next: () => open.shift()?.release(),
    release: () => {
      for (const one of open.splice(0)) one.release();
    },
  };
}

/** Whether any ceiling is set. */
export function isLimited({ ledger }: GraphContext): boolean {
  return Object.values(ledger.left()).some((amount) => amount !== null);
}

/** Ranking methods whose calls show two descriptions; the others show all of them. */
const BY_PAIRS = ["merge-sort", "tournament", "tournament-adaptive"];

/** The sum of several calls; null cost where one has no price. */
export function addSpends(calls: readonly Spend[]): Spend {
  return calls.reduce(
    (sum, call) => ({
      calls: sum.calls + call.calls,
      frames: sum.frames + call.frames,
      tokens: sum.tokens + call.tokens,
      cost: sum.cost === null || call.cost === null ? null : sum.cost + call.cost,
    }),
    { calls: 0, frames: 0, tokens: 0, cost: 0 },
  );
}

/**
 * What the first reasoning call will take: the words of its prompt, so many descriptions of the expected length, words
 * that are there already (`known`, in tokens), and the `media` if the reasoner sees the video. Empty if no reasoner is
 * configured.
 */
export async function foreseeAnswer(
  question: Question,
  { descriptions, known = 0 }: { descriptions: number; known?: number },
  media: readonly Part[],
  context: GraphContext,
): Promise<Spend[]> {
  const { settings, prompts, wording, models } = context;
  if (models.nameOf("reasoner") === null) return [];
  const { method, input, max_tokens } = settings.reasoning;
  const inOrder = question.task === "order";
  const prompt = inOrder
    ? prompts.render("rrd/order", { goal: goalOf(question), clips: "" })
    : evidencePrompt(question, wording, "", prompts).prompt;
  const shown = inOrder && BY_PAIRS.includes(method) ? Math.min(2, descriptions) : descriptions;
  const request: Request = {
    stage: "answer",
    role: "reasoner",
    label: "the answer",
    prompts: [prompt],
    media: input === "text" ? [] : media,
  };
  const tokens = known + shown * expectedOutput(settings, "recogniser", max_tokens);
  return [await foreseeModel(context, request, tokens)];
}
