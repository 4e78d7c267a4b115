import { z } from "zod";
import { type Judge, optionLines } from "../judge.ts";
import { readObject } from "../reading.ts";

/** What a piece of a chain of thought does: the labels of MMR-V's appendix F, in the order of figure 6. */
export const COT_LABELS = {
  question_frame_desc: "question frame",
  other_frame_desc: "other frames",
  video_analysis: "video analysis",
  text_analysis: "text analysis",
} as const;
export type CotLabel = keyof typeof COT_LABELS;

/** Pieces of equal length that a chain of thought is cut into. */
export const PIECES = 10;

const flag = z.boolean({ error: "has to be true or false" });
const CotPiece = z.strictObject({
  question_frame_desc: flag,
  other_frame_desc: flag,
  video_analysis: flag,
  text_analysis: flag,
});
export type CotPiece = z.infer<typeof CotPiece>;

/** MMR-V: what each tenth of a chain of thought does; the judge gets frames, question, whole text and piece. */
export const cotJudge: Judge<CotPiece> = {
  kind: "cot",
  benchmarks: ["mmr-v"],
  value: CotPiece,
  sees: true,
  temperature: 0,
  prompts: ["judges/cot-piece"],
  textOf: withReasoning,
  leavesOut: ({ text }) =>
    [...text].length < PIECES ? `replies too short to be cut into ${PIECES}` : null,
  ask: ({ sample, text }, prompts) =>
    pieces(text, PIECES).map((piece) =>
      prompts.render("judges/cot-piece", {
        question: sample.question,
        options: optionLines(sample),
        solution: text,
        piece,
      }),
    ),
  read: (reply) => readObject(reply, CotPiece),
};

/**
 * A text cut into `count` pieces whose lengths in characters (code points) differ by one at most; none of a text that
 * has fewer characters.
 */
export function pieces(text: string, count: number): string[] {
  const characters = [...text];
  if (characters.length < count) return [];
  const cut = (piece: number) => Math.round((piece * characters.length) / count);
  return Array.from({ length: count }, (_, piece) =>
    characters.slice(cut(piece), cut(piece + 1)).join(""),
  );
}

/** A chain of thought: the reasoning that a server returned apart from the reply, and the reply. */
function withReasoning(reply: string, reasoning = ""): string {
  return [reasoning.trim(), reply].filter((words) => words !== "").join("\n\n");
}
