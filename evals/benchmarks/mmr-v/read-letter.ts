import { standaloneLetters } from "../python-text.ts";
import type { Extraction } from "../scored-reply.ts";

/**
 * The released extraction. Stage 1, in the inference scripts: the first `[[X]]`, else the first `\boxed{X}`, else (in
 * `server_evaluation_on_MMR.py`, hence the option `standalone`) the last standalone letter of the upper-cased text.
 * Stage 2, in the scorer: the last `[X]` or `(X)` of the upper-cased text, else its last character from A to L.
 */
export function officialLetter(reply: string, { standalone = false } = {}): Extraction {
  const upper = reply.toUpperCase();
  const first = {
    "[[X]]": /\[\[([A-L])\]\]/.exec(reply)?.[1],
    "\\boxed{X}": /\\boxed\{([A-L])\}/.exec(reply)?.[1],
    "standalone letter": standalone ? standaloneLetters(upper, "A-L").at(-1) : undefined,
  };
  for (const [how, answer] of Object.entries(first))
    if (answer !== undefined) return { answer, how, stage: 1 };
  const second = {
    "scorer's letter in brackets": [...upper.matchAll(/[[(]([A-L])[\])]/g)].at(-1)?.[1],
    "scorer's last character": upper.match(/[A-L]/g)?.at(-1),
  };
  for (const [how, answer] of Object.entries(second))
    if (answer !== undefined) return { answer, how, stage: 2 };
  return { answer: null, how: "no character from A to L", stage: null };
}
