import { oneLine } from "../core/errors.ts";
import { type AttemptError, unusable } from "./attempt.ts";
import { wordsWithout } from "./json.ts";
import { secretsOf, type Target } from "./target.ts";

const MOST_CHARACTERS = 120;

/** The failure of a body that does not have this form, with its first words. */
export function notAReply(
  form: string,
  body: unknown,
  target: Pick<Target, "key" | "headers">,
): AttemptError {
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  const words = oneLine(wordsWithout(secretsOf(target), text), MOST_CHARACTERS);
  return unusable(`not a ${form} (${words || "it is empty"})`);
}
