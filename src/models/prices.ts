import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";
import { Failure, oneLine, toFailure } from "../core/errors.ts";
import { expectedOf } from "../core/expected.ts";
import type { TokenCount } from "./chat.ts";

/** Dollars per million tokens. `cached_input`: those that the provider had cached; default: as `input`. */
const Price = z.strictObject({
  input: z.number().nonnegative(),
  cached_input: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});
export type Price = z.infer<typeof Price>;

/** By `provider:model`. */
export type Prices = Readonly<Record<string, Price>>;

/**
 * List prices for text and image tokens as we knew them in September 2025, `cached_input` for tokens that the provider
 * had cached; surcharges for long prompts (gemini-2.5-pro above 200,000 tokens) are not included. Prices change: check
 * them and put your own into the file of `--prices`. A model that is in neither has no cost (null), rather than 0.
 */
export const PRICES: Prices = {
  "openai:gpt-4o": { input: 2.5, cached_input: 1.25, output: 10 },
  "openai:gpt-4o-mini": { input: 0.15, cached_input: 0.075, output: 0.6 },
  "openai:gpt-4.1": { input: 2, cached_input: 0.5, output: 8 },
  "openai:gpt-4.1-mini": { input: 0.4, cached_input: 0.1, output: 1.6 },
  "openai:gpt-4.1-nano": { input: 0.1, cached_input: 0.025, output: 0.4 },
  "openai:text-embedding-3-small": { input: 0.02, output: 0 },
  "openai:text-embedding-3-large": { input: 0.13, output: 0 },
  "google-genai:gemini-2.0-flash": { input: 0.1, cached_input: 0.025, output: 0.4 },
  "google-genai:gemini-2.5-flash": { input: 0.3, cached_input: 0.075, output: 2.5 },
  "google-genai:gemini-2.5-pro": { input: 1.25, cached_input: 0.31, output: 10 },
  "google-genai:gemini-embedding-001": { input: 0.15, output: 0 },
};

/**
 * The built-in table extended by a YAML file of `provider:model: { input: 0.5, cached_input: 0.1, output: 1.5 }` (dollars per million tokens;
 * `cached_input` may be left out).
 * Throws `Failure` `file-unreadable` or `wrong-setting`.
 */
export async function readPrices(file: string | null): Promise<Prices> {
  if (file === null) return PRICES;
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading prices from ${file}`);
  }
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw badFile(file, oneLine(error instanceof Error ? error.message : String(error)));
  }
  const read = z.record(z.string(), Price).safeParse(content ?? {});
  if (!read.success) {
    const issue = read.error.issues[0];
    throw badFile(file, `${issue?.path.join(".") || "the file"} has to be ${expectedOf(issue)}`);
  }
  return { ...PRICES, ...read.data };
}

function badFile(file: string, what: string): Failure {
  return new Failure(
    "wrong-setting",
    `Expected ${file} to hold prices such as \`openai:gpt-4.1: { input: 2, output: 8 }\`, got ${what}.`,
    { file },
  );
}

/** Dollars, or null where the price is not known. Reasoning tokens are output. */
export function costOf(price: Price | undefined, tokens: TokenCount): number | null {
  if (price === undefined) return null;
  const { input, output, cached_input: cached = 0 } = tokens;
  const read = (input - cached) * price.input + cached * (price.cached_input ?? price.input);
  return (read + output * price.output) / 1_000_000;
}
