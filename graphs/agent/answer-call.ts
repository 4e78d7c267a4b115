import { z } from "zod";
import { ANSWER } from "../../tools/agent/define-tool.ts";
import { readArguments, seconds } from "../../tools/agent/read-arguments.ts";

export { ANSWER };

export const AnswerParameters = z.object({
  answer: z.string().max(8000),
  evidence: z.array(z.string().max(40)).max(64).default([]),
  confidence: z.number().min(0).max(1).nullish(),
});
export type AnswerArguments = z.output<typeof AnswerParameters>;

/**
 * What a call of `answer` says. A number for the answer and a percentage for the confidence are accepted. Throws `Failure`
 * `wrong-usage`.
 */
export function readAnswerCall(parameters: z.ZodObject, given: unknown): AnswerArguments {
  return readArguments(ANSWER, parameters, given, repaired) as AnswerArguments;
}

function repaired(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name === "confidence") return [name, share(seconds(value))];
      return [name, typeof value === "number" && name === "answer" ? String(value) : value];
    }),
  );
}

/** `80` and `"80 %"` are 0.8; null for anything that is not a share, such as `"high"`: the answer still counts. */
function share(value: unknown): number | null {
  const percent =
    typeof value === "string" ? /^\s*(\d+(?:\.\d+)?)\s*%/.exec(value)?.[1] : undefined;
  const number = percent === undefined ? value : Number(percent);
  if (typeof number !== "number") return null;
  const part = number > 1 || percent !== undefined ? number / 100 : number;
  return part >= 0 && part <= 1 ? part : null;
}
