import type { Option } from "../../src/core/shapes.ts";
import { finalLetter } from "./choice/final-letter.ts";

/** The option that a reply chooses (`finalLetter`); null if it chooses none of the question's options, or several. */
export function parseChoice(text: string, options: readonly Option[]): string | null {
  return finalLetter(text, options).letter;
}
