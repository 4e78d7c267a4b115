import type { PromptWording } from "../../../prompts/load-prompts.ts";
import type { Settings } from "../../../src/core/settings.ts";
import type { Stated } from "./protocol.ts";

/** `not certifiable`: the publication does not state it, or the run does not record it. */
export type Verdict = "equal" | "different" | "not certifiable";

/** One thing that a certificate compares between a run and the published protocol. */
export interface Aspect {
  /** `frames`, `prompt vcrbench/direct`. */
  aspect: string;
  /** Null: not stated. */
  wanted: unknown;
  got: unknown;
  verdict: Verdict;
  /** Where `wanted` is stated, or where it was looked for. */
  source: string;
  note: string | null;
}

/** What is known of a run when its certificate is made. */
export interface CertificateFacts {
  subset: string;
  settings: Settings;
  data: { hash: string };
  /** Questions asked; the pairs of one question count once. */
  questions: number;
  epochs: number;
  descriptions: "recognised" | "gold";
  /** Wordings of the prompts that can be sent; null where the run did not record them. */
  wordings: Readonly<Record<string, PromptWording>> | null;
  /** Prompts that a folder of the user's replaced; without any, all are this project's own. */
  replaced: readonly string[];
  /** Reads the replies. */
  extractor: string;
  /** Model that the extractor calls, where it calls one. */
  extractorModel?: string | null;
}

/** Equal by value; not certifiable where nothing is stated. A list names all values that are equal. */
export function compare<T>(
  aspect: string,
  { value, source, note }: Stated<T>,
  got: unknown,
): Aspect {
  const base = { aspect, wanted: value, got, source, note: note ?? null };
  if (value === null)
    return { ...base, verdict: "not certifiable", note: note ?? `not stated in ${source}` };
  const equal = Array.isArray(value) ? value.includes(got) : Object.is(value, got);
  return { ...base, verdict: equal ? "equal" : "different" };
}
