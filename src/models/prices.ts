import { readFile } from "node:fs/promises";
import { z } from "zod";
import { describeExpected } from "../core/describe-issue.ts";
import { Failure, oneLine, toFailure } from "../core/errors.ts";
import type { TokenCount } from "./chat.ts";
import { type Price, providers } from "./define-provider.ts";
import { fullName, parseModelName } from "./name.ts";

export type { Price } from "./define-provider.ts";

/** A model that transcribes may have a price per minute only. */
const PriceEntry: z.ZodType<Price> = z.preprocess(
  withoutTokens,
  z.strictObject({
    input: z.number().nonnegative(),
    cached_input: z.number().nonnegative().optional(),
    output: z.number().nonnegative(),
    minute: z.number().nonnegative().optional(),
    batch: z.number().min(0).max(1).optional(),
  }),
);

function withoutTokens(entry: unknown): unknown {
  const isPerMinute = typeof entry === "object" && entry !== null && "minute" in entry;
  return isPerMinute ? { input: 0, output: 0, ...entry } : entry;
}

/** By `provider:model`. */
export type Prices = Readonly<Record<string, Price>>;

/** Made again if a provider was added; none is ever removed. */
let builtIn: { providers: number; prices: Prices } | undefined;

/**
 * The list prices of all providers by `provider:model`. A model without a price has no cost (null), rather than 0.
 */
export function builtInPrices(): Prices {
  const known = providers.all();
  if (builtIn?.providers !== known.length)
    builtIn = {
      providers: known.length,
      prices: Object.fromEntries(
        known.flatMap(({ name, prices }) =>
          Object.entries(prices).map(([model, price]) => [`${name}:${model}`, price]),
        ),
      ),
    };
  return builtIn.prices;
}

/**
 * The built-in table extended by a YAML file of `provider:model: { input: 0.5, cached_input: 0.1, output: 1.5 }` (dollars per million tokens;
 * `cached_input` may be left out, and `batch: 0.5` is the price in a batch relative to a direct call), and of \`{ minute: 0.006 }\` (dollars per minute of sound) for models that transcribe.
 * Throws `Failure` `file-unreadable` or `wrong-setting`.
 */
export async function readPrices(file: string | null): Promise<Prices> {
  if (file === null) return builtInPrices();
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading prices from ${file}`);
  }
  const { parse } = await import("yaml");
  let content: unknown;
  try {
    content = parse(text);
  } catch (error) {
    throw badFile(file, oneLine(error instanceof Error ? error.message : String(error)));
  }
  const read = z.record(z.string(), PriceEntry).safeParse(content ?? {});
  if (!read.success) {
    const issue = read.error.issues[0];
    throw badFile(
      file,
      `${issue?.path.join(".") || "the file"} must be ${describeExpected(issue)}`,
    );
  }
  const given = Object.entries(read.data).map(([name, price]) => [fullName(name), price]);
  return { ...builtInPrices(), ...Object.fromEntries(given) };
}

function badFile(file: string, what: string): Failure {
  return new Failure(
    "wrong-setting",
    `Invalid prices in ${file}: ${what}. Write them as \`openai:gpt-4.1: { input: 2, output: 8 }\`.`,
    { file },
  );
}

/** Dollars for this much sound, or null if the price is unknown. */
export function costOfSound(price: Price | undefined, seconds: number): number | null {
  return price?.minute === undefined ? null : (price.minute * seconds) / 60;
}

/** Dollars, or null if the price is unknown. Reasoning tokens are output. */
export function costOf(price: Price | undefined, tokens: TokenCount): number | null {
  if (price === undefined) return null;
  const { input, output, cached_input: cached = 0 } = tokens;
  const read = (input - cached) * price.input + cached * (price.cached_input ?? price.input);
  return (read + output * price.output) / 1_000_000;
}

/** Prices with calls in batches; models without batches keep theirs. */
export function batchPrices(prices: Prices): Prices {
  return Object.fromEntries(
    Object.entries(prices).map(([name, price]) => [name, batchPrice(name, price) ?? price]),
  );
}

/** The price of a model in a batch; undefined if the model has no price, or its provider no batches. */
export function batchPrice(name: string, price: Price | undefined): Price | undefined {
  const factor = price?.batch ?? providers.get(parseModelName(name).provider).batch?.price;
  if (price === undefined || factor === undefined) return undefined;
  const { input, output, cached_input } = price;
  return {
    ...price,
    input: input * factor,
    output: output * factor,
    ...(cached_input === undefined ? {} : { cached_input: cached_input * factor }),
  };
}
