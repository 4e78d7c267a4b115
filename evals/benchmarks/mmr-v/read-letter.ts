import { standaloneLetters } from "../python-text.ts";
import type { Extraction } from "../scored-reply.ts";

/** How an inference script reads the letter of a reply. Every script takes `[[X]]` first. */
export interface LetterRule {
  /** Whether `\boxed{X}` counts without a `[[X]]`. Default: true. */
  boxed?: boolean;
  /** Whether the last `[[X]]` or `\boxed{X}` counts instead of the first. Default: false. */
  last?: boolean;
  /** Whether the last standalone letter of the upper-cased text counts without any mark. Default: false. */
  standalone?: boolean;
}

/**
 * The released extraction. Stage 1, in the inference scripts: by `rule`, which differs between them. Stage 2, in the
 * scorer: the last `[X]` or `(X)` of the upper-cased text, else its last character from A to L.
 */
export function officialLetter(
  reply: string,
  { boxed = true, last = false, standalone = false }: LetterRule = {},
): Extraction {
  const upper = reply.toUpperCase();
  const marked = (mark: RegExp) => [...reply.matchAll(mark)].at(last ? -1 : 0)?.[1];
  const first = {
    "[[X]]": marked(/\[\[([A-L])\]\]/g),
    "\\boxed{X}": boxed ? marked(/\\boxed\{([A-L])\}/g) : undefined,
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
