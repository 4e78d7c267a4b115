import type { ModelUsage } from "./log-schema.ts";

/** Tokens and dollars of a call, or of several. */
export interface Spent {
  /** With the tokens of the provider's cache. */
  input: number;
  /** With reasoning. */
  output: number;
  /** Null if not known. */
  cost: number | null;
  reasoning?: number;
  cached_input?: number;
}

/** The usage as Inspect counts it: cached tokens are not part of the input. */
export function toModelUsage({ input, output, cost, reasoning, cached_input }: Spent): ModelUsage {
  const cached = Math.min(cached_input ?? 0, input);
  return {
    input_tokens: input - cached,
    output_tokens: output,
    total_tokens: input + output,
    ...(cached > 0 ? { input_tokens_cache_read: cached } : {}),
    ...(reasoning ? { reasoning_tokens: reasoning } : {}),
    ...(cost === null ? {} : { total_cost: cost }),
  };
}

/** Sums up usages by name; a cost that one of them does not know is left out of the sum. */
export function sumUsage(
  items: Iterable<readonly [name: string, usage: ModelUsage]>,
): Record<string, ModelUsage> {
  const sums = new Map<string, ModelUsage>();
  for (const [name, usage] of items) {
    const sum = sums.get(name);
    sums.set(name, sum === undefined ? usage : added(sum, usage));
  }
  return Object.fromEntries(sums);
}

function added(a: ModelUsage, b: ModelUsage): ModelUsage {
  const cached = (a.input_tokens_cache_read ?? 0) + (b.input_tokens_cache_read ?? 0);
  const reasoning = (a.reasoning_tokens ?? 0) + (b.reasoning_tokens ?? 0);
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
    ...(cached > 0 ? { input_tokens_cache_read: cached } : {}),
    ...(reasoning > 0 ? { reasoning_tokens: reasoning } : {}),
    ...(a.total_cost === undefined || b.total_cost === undefined
      ? {}
      : { total_cost: a.total_cost + b.total_cost }),
  };
}

/** `provider/model`, as Inspect names models. */
export function modelName(name: string): string {
  return name.replace(":", "/");
}
