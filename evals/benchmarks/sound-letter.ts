import { finalLetter } from "../../graphs/replies/choice/final-letter.ts";
import type { Sample } from "./sample.ts";
import type { Extraction } from "./scored-reply.ts";

/** The extractor `sound` of benchmarks with options. */
export function soundLetter(reply: string, { options }: Sample): Extraction {
  const { letter, how } = finalLetter(reply, options);
  return { answer: letter, how };
}

const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => ({ letter, text: "" }));

/** Whether a reply chooses a letter that its question does not offer. */
export function namesForeignLetter(reply: string, { options }: Sample): boolean {
  const { letter } = finalLetter(reply, ALPHABET);
  return letter !== null && !options.some((option) => option.letter === letter);
}
