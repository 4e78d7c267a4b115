import { isSubordinate } from "./answer-context.ts";

/* The only choice that a short reply states in a sentence: `It must be (C), as the narrator says.`, `I would go with C here` */

/** Longer replies weigh options. */
const SHORT_CHARS = 300;
const STATED =
  /\b(?:it(?: is|['’]s)|must be|has to be|is clearly|go(?:ing)? with|choose|pick|select) (?:option |choice )?(?:[([]([A-Z])[)\]]|([B-HJ-Z])(?![\p{L}\p{N}'’]))/giu;
const DOUBT =
  /\?|n['’]t\b|\b(?:not|no|neither|nor|never|cannot|wrong|incorrect|false|eliminates?|excludes?|rules? out|except|unless|if|whether|could|may|might|maybe|perhaps|possibly|unsure|uncertain|unlikely|or|but|however)\b/i;

/** Undefined if the reply names several letters, or if its words may deny or doubt the one that it states. */
export function onlyLetter(text: string): string | undefined {
  if (text.length > SHORT_CHARS || DOUBT.test(text)) return undefined;
  const stated = [...text.matchAll(STATED)].filter(({ index }) => !isSubordinate(text, index));
  const letters = new Set(stated.map(([, marked, bare]) => marked ?? bare ?? ""));
  const [letter] = letters;
  const isOnly = [...text.matchAll(/[([]([A-Z])[)\]]/g)].every(([, other]) => other === letter);
  return letters.size === 1 && isOnly && letter === letter?.toUpperCase() ? letter : undefined;
}
