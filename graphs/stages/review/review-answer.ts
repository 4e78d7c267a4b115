import type { Runtime } from "@langchain/langgraph";
import type { z } from "zod";
import type { Answer } from "../../../src/core/shapes.ts";
import { type GraphContext, requireContext } from "../../context.ts";
import { stage } from "../../stage.ts";
import { outcome, type State, type Update } from "../../state.ts";
import { awaitReview } from "./await-review.ts";
import { AnswerReview } from "./review.ts";

/** Shows the answer with the evidence that it cites to a person, and continues with their answer. */
export async function reviewAnswer(state: State, runtime: Runtime<GraphContext>): Promise<Update> {
  requireContext(runtime.context);
  // The answer of another strategy is an answer already.
  const found = state.answer ?? state.outcome ?? outcome({ status: "not-answered" });
  const { text, options, goal } = state.question;
  const cited = new Set(found.cites);
  const request = {
    review: "answer",
    question: { text, options, goal },
    status: found.status,
    answer: found.answer,
    reasoning: found.reasoning ?? null,
    evidence: (state.set?.items ?? state.evidence).flatMap(({ id, kind, start_s, end_s, text }) =>
      cited.has(id) ? [{ id, kind, start_s, end_s, text }] : [],
    ),
  };
  const review = awaitReview(request, reviewOf(state, found.answer));
  return stage("review", (): Update => {
    const { person: by, note } = review;
    const answer = review.answer ?? found.answer;
    const isChanged = JSON.stringify(answer) !== JSON.stringify(found.answer);
    const diagnostics = {
      review: {
        ...{ of: "answer", by },
        ...(isChanged ? { before: found.answer } : {}),
        ...(note === undefined ? {} : { note }),
      },
    };
    const reviewed = isChanged ? withAnswer(found, answer) : found;
    if (state.answer === undefined) return { diagnostics, outcome: reviewed };
    const all = { ...state.answer.diagnostics, ...diagnostics };
    return { answer: { ...(reviewed as Answer), diagnostics: all } };
  })(state, runtime);
}

/** Confidence and check were those of another answer. */
function withAnswer<T extends Partial<Answer>>(found: T, answer: Answer["answer"]): T {
  const { support: _support, error: _error, ...kept } = found;
  const none = { confidence: null, confidence_basis: null };
  return { ...kept, ...none, status: "answered", answer } as unknown as T;
}

/** A review whose answer fits the question. `before`: the answer under review. */
function reviewOf(state: State, before: Answer["answer"]): z.ZodType<AnswerReview> {
  return AnswerReview.check(({ value: input, issues }) => {
    if (issues.length > 0 || input.answer === undefined) return;
    const message = problemWith(input.answer, before, state);
    if (message !== null) issues.push({ code: "custom", message, path: ["answer"], input });
  });
}

function problemWith(
  answer: string | number[],
  before: Answer["answer"],
  { question, segments }: State,
): string | null {
  const { task, options = [] } = question;
  if (task === "order") {
    const given = sorted(Array.isArray(answer) ? answer : []);
    // A strategy may answer without finding the clips in the video.
    const known = segments.length > 0 ? segments.map(({ number }) => number) : before;
    const clips = Array.isArray(known) ? sorted(known) : given.map((_, index) => index + 1);
    if (clips.length === 0) return "use the numbers of the clips in their right order";
    return clips.join() === given.join() ? null : `use each of the clips ${clips.join(", ")} once`;
  }
  if (typeof answer !== "string") return "use text";
  const letters = options.map(({ letter }) => letter);
  return task === "open" || letters.includes(answer) ? null : `use one of ${letters.join(", ")}`;
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b);
}
