import type { Ledger, Reservation, Spend } from "../../src/core/ledger.ts";
import { expectedOutput } from "../../src/core/settings.ts";
import type { Limit, Question } from "../../src/core/shapes.ts";
import type { Part } from "../../src/models/chat.ts";
import type { GraphContext } from "../context.ts";
import { foreseeModel, type StageRequest } from "./call-model.ts";
import { evidencePrompt, goalOf } from "./question-prompts.ts";

/*
 * Reserves budget for calls that have to follow, so that no recognition is billed whose answer the budget does not
 * cover.
 */

/** Budget that is reserved for later calls. `next` releases the share of the next call, right before it is made. */
export interface ReservedCalls {
  next(): void;
  /** Releases the rest. */
  release(): void;
}

/** Reserves budget for all of these calls, or returns the limit that they exceed together. */
export function reserveCalls(
  ledger: Ledger,
  calls: readonly Spend[],
): ReservedCalls | { refused: Limit } {
  const reservations: Reservation[] = [];
  for (const call of calls) {
    const booked = ledger.reserve(call);
    if ("refused" in booked) {
      for (const one of reservations) one.release();
      return booked;
    }
    reservations.push(booked);
  }
  return {
    next: () => reservations.shift()?.release(),
    release: () => {
      for (const one of reservations.splice(0)) one.release();
    },
  };
}

/** Whether the question has any budget limit. */
export function isLimited({ ledger }: GraphContext): boolean {
  return Object.values(ledger.left()).some((amount) => amount !== null);
}

/** Ranking methods whose calls show two descriptions; the others show all of them. */
const BY_PAIRS = ["merge-sort", "tournament", "tournament-adaptive"];

/** The sum of several calls; `cost` is null if one has no price. */
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
 * Estimates the first reasoning call: its prompt, so many `descriptions` of the expected length, `known` tokens of text
 * that exists already, and the `media` if the reasoner sees the video. Empty if no reasoner is configured.
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
  const request: StageRequest = {
    stage: "answer",
    role: "reasoner",
    label: "the answer",
    prompts: [prompt],
    media: input === "text" ? [] : media,
  };
  const tokens = known + shown * expectedOutput(settings, "recogniser", max_tokens);
  return [await foreseeModel(context, request, tokens)];
}
