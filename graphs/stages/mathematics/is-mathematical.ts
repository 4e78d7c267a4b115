import type { Evidence, Question } from "../../../src/core/shapes.ts";
import { formsOf } from "../../../tools/mathematics/match-option.ts";
import type { GraphContext } from "../../context.ts";

const ASKS =
  /\b(?:calculate|compute|solve|evaluate|simplif|deriv|differentiat|integra|limit of|equation|fraction|percent|probabilit|average|mean|median|variance|deviation|angle|degrees|area|perimeter|circumference|volume|radius|diameter|hypotenuse|triangle|rectangle|circle|polynomial|matrix|determinant|factorial|permutation|combination|value of|how (?:long|far|fast|tall|wide)|sum of|product of|difference between|ratio|square root|how (?:much|many)[^?]*\b(?:in all|altogether|left|more|fewer|total))/i;

/**
 * Whether a choice or open question is to be calculated: as set, otherwise judged by the words of the question and its
 * options.
 */
export function isMathematical(
  question: Question,
  evidence: readonly Evidence[],
  { settings, wording }: Pick<GraphContext, "settings" | "wording">,
): boolean {
  const { mathematics } = settings.reasoning;
  if (question.task === "order" || mathematics === "off") return false;
  if (mathematics === "on" || wording.calculates) return true;
  if (ASKS.test(question.text)) return true;
  const shown = evidence.some(({ kind, text }) => kind === "equation" && text !== "");
  return (
    shown &&
    (question.options ?? []).some(({ text }) => /\d/.test(text) && formsOf(text).length > 0)
  );
}
