import type { Sample } from "../../../evals/benchmarks/sample.ts";
import type { ModelsOptions } from "../../../src/models/models.ts";
import { createModels } from "../../../src/models/models.ts";
import { PATIENCE } from "../../../src/models/retry.ts";
import type { SeenRequest } from "../../support/model-server.ts";

/* Runs whose replies are judged, and readers of a judge's requests. */

const OPTIONS = ["A", "B", "C", "D", "E"].map((letter, index) => ({
  letter,
  text: String(index + 1),
}));
export const STEPS = ["read the sides", "square them", "add", "take the root"];

/** A question of VideoMathQA, right: C. */
export function mathSample(id: string, more: Partial<Sample> = {}): Sample {
  return {
    id,
    video: `videos/${id}.mp4`,
    hasVideo: false,
    question: `How long is the side in ${id}?`,
    task: "choice",
    options: OPTIONS,
    answer: "C",
    steps: STEPS,
    row: { question_id: id, category: "Geometry Length" },
    ...more,
  };
}

/** A question of MMR-V, right: B. */
export function mmrSample(id: string, video = `${id}.mp4`): Sample {
  const question = `What does the coat in ${id} stand for?`;
  const row = {
    video,
    question,
    options: ["(A) rain", "(B) a father", "(C) fear"],
    correctAnswer: "(B)",
  };
  return {
    id,
    video: `videos/${video}`,
    hasVideo: false,
    question,
    task: "choice",
    options: [
      { letter: "A", text: "rain" },
      { letter: "B", text: "a father" },
      { letter: "C", text: "fear" },
    ],
    answer: "B",
    row,
  };
}

/** All words of a request. */
export function wordsOf({ texts }: SeenRequest): string {
  return texts.join("\n");
}

/** Which sample it asks about: its question names it. */
export function idOf(request: SeenRequest): string {
  return /\bin (\w+)(?:\?| stand)/.exec(wordsOf(request))?.[1] ?? "?";
}

/** Whether it shows an earlier reply and its error. */
export function isRepair(request: SeenRequest): boolean {
  return wordsOf(request).includes("You replied to this once before");
}

/** The text outside all quotations. */
export function unquoted(request: SeenRequest): string {
  return wordsOf(request).replace(/<<<data\n[\s\S]*?\ndata>>>/g, "");
}

export const scoreCard = (score: number, more: object = {}) =>
  `SCORE_CARD: ${JSON.stringify({ critique: `Worth ${score}.`, matched_steps: `${Math.min(4, Math.ceil(score / 2.5))}/4`, final_answer_correct: 0, score, ...more })}`;

/** The real models with pauses of milliseconds. */
export const hasty = (options: ModelsOptions) =>
  createModels({ ...options, patience: { ...PATIENCE, pause: 1, longestPause: 5 } });
