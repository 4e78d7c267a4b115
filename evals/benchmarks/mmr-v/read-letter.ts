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
  const marked = (mark: RegExp) => [...reply.matchAll(mark)].at(last ? -1 : 0)?.[1];
  const bracketed = marked(/\[\[([A-L])\]\]/g);
  if (bracketed !== undefined) return { answer: bracketed, how: "[[X]]", stage: 1 };
  const inBox = boxed ? marked(/\\boxed\{([A-L])\}/g) : undefined;
  if (inBox !== undefined) return { answer: inBox, how: "\\boxed{X}", stage: 1 };
  const upper = reply.toUpperCase();
  const alone = standalone ? standaloneLetters(upper, "A-L").at(-1) : undefined;
  if (alone !== undefined) return { answer: alone, how: "standalone letter", stage: 1 };
  const inOne = [...upper.matchAll(/[[(]([A-L])[\])]/g)].at(-1)?.[1];
  if (inOne !== undefined) return { answer: inOne, how: "scorer's letter in brackets", stage: 2 };
  const character = upper.match(/[A-L]/g)?.at(-1);
  return character === undefined
    ? { answer: null, how: "no character from A to L", stage: null }
    : { answer: character, how: "scorer's last character", stage: 2 };
}
