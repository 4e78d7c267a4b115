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
  /** Where `wanted` is stated, or where it was searched for. */
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
  /** Wordings of the prompts that can be sent; null if the run did not record them. */
  wordings: Readonly<Record<string, PromptWording>> | null;
  /** Prompts that a folder of the user replaced; if empty, all are this project's own. */
  replaced: readonly string[];
  /** Name of the extractor. */
  extractor: string;
  /** Model that the extractor calls, if it calls one. */
  extractorModel?: string | null;
  /** How that model is called; null or absent: not recorded. */
  extractorDecoding?: {
    temperature: number | null;
    top_p?: number | null;
    top_k?: number | null;
    max_tokens: number | null;
    thinking?: boolean | null;
  };
}

/** Compares by value; `not certifiable` if nothing is stated. A list contains all values that count as equal. */
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
