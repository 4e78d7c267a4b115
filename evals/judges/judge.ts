import type { z } from "zod";
import type { PromptName } from "../../prompts/catalogue.ts";
import type { Prompts, Rendered } from "../../prompts/load.ts";
import { Failure } from "../../src/core/errors.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { Reading } from "./reading.ts";

export const JUDGE_KINDS = ["letter", "steps", "errors", "cot"] as const;
export type JudgeKind = (typeof JUDGE_KINDS)[number];

/** A reply that is to be judged. `text` is untrusted: it reaches a judge only as quoted data. */
export interface Subject {
  sample: Sample;
  /** Of the run, from 1. */
  epoch: number;
  text: string;
  /** What the judge of the steps wrote, for the judge of the errors. */
  critique?: string;
}

/** One way of judging a reply. */
export interface Judge<V> {
  kind: JudgeKind;
  benchmark: string;
  /** What it says of one part of a reply, as it is kept. */
  value: z.ZodType<V>;
  /** Whether frames of the video go along where there are any. */
  sees: boolean;
  /** Sampling temperature that the released judge uses; 0 where none was released. */
  temperature: number;
  prompts: readonly PromptName[];
  /** One prompt for each part of the reply that is judged by itself; none where the reply cannot be judged. */
  ask(subject: Subject, prompts: Prompts): Rendered[];
  read(reply: string, subject: Subject): Reading<V>;
}

const KINDS: Record<string, readonly JudgeKind[]> = {
  vcrbench: [],
  "mmr-v": ["letter", "errors", "cot"],
  videomathqa: ["letter", "steps", "errors"],
};

/** Throws `Failure` `wrong-usage` for a kind that the benchmark's replies are not judged by. */
export function refuseKind(kind: JudgeKind, { name, title }: Benchmark): void {
  const kinds = KINDS[name] ?? [];
  if (kinds.includes(kind)) return;
  throw new Failure(
    "wrong-usage",
    kinds.length === 0
      ? `Expected replies of MMR-V or VideoMathQA to be judged, got ${title}: its orders are scored without a judge.`
      : `Expected \`--kind\` to be one of ${kinds.join(", ")} for ${title}, got ${kind}.`,
    { kind, benchmark: name },
  );
}

export function optionLines({ options }: Sample): string {
  return options.map(({ letter, text }) => `(${letter}) ${text}`).join("\n");
}

/** The right option with its words. */
export function rightOption({ answer, options }: Sample): string {
  const words = options.find(({ letter }) => letter === answer)?.text;
  return words === undefined ? `(${answer})` : `(${answer}) ${words}`;
}

export function stepLines({ steps = [] }: Sample): string {
  return steps.map((step, index) => `${index + 1}. ${step.trim()}`).join("\n");
}
