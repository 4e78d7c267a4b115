import type { z } from "zod";
import type { PromptName } from "../../prompts/catalogue.ts";
import type { Prompts, Rendered } from "../../prompts/load-prompts.ts";
import type { Score } from "../../src/core/shapes.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { Reading } from "./reading.ts";

/** A reply to be judged. `text` is untrusted: it reaches a judge only as quoted data. */
export interface Subject {
  sample: Sample;
  /** Of the run, from 1. */
  epoch: number;
  text: string;
  /** Hash of the question, for a response file (`reply-key.ts`). */
  question_hash?: string;
  /** What the judge before this one wrote of the reply, if the judge needs that. */
  critique?: string;
}

/** A reply that may become a subject. */
export interface Candidate {
  sample: Sample;
  /** What the judge would read. */
  text: string;
  /** As the results score it. */
  score: Score;
  /** Whether the samples to be judged were named one by one. */
  isNamed: boolean;
}

/** How the replies of some benchmarks are judged. */
export interface Judge<V> {
  kind: string;
  /** Names of the benchmarks whose replies it judges; `any`: those of every benchmark. */
  benchmarks: readonly string[] | "any";
  /** The judgement of one part of a reply, as it is stored. */
  value: z.ZodType<V>;
  /** Whether frames of the video are sent, if there are any. */
  sees: boolean;
  /** Sampling temperature that the released judge uses; 0 if none was released. */
  temperature: number;
  /** Names of the prompts that it sends, or prompts in code. Judgements by other words are kept apart. */
  prompts: readonly (PromptName | Rendered)[];
  /** What it reads of a reply; default: the reply. `reasoning` is what a server returned apart from it. */
  textOf?(reply: string, reasoning: string | undefined): string;
  /** Why a reply is not judged, as a clause; null: it is. Replies without text never are. */
  leavesOut?(candidate: Candidate): string | null;
  /** Why samples cannot be judged at all, as a sentence; null: they can. */
  refuses?(samples: readonly Sample[]): string | null;
  /** The kind of judge whose critique it is shown, which is therefore asked first. */
  after?: string;
  /** The critique in a judgement, for a judge that comes after this one. */
  critiqueOf?(value: V): string;
  /** One prompt for each part of the reply that is judged on its own; none if the reply cannot be judged. */
  ask(subject: Subject, prompts: Prompts): Rendered[];
  read(reply: string, subject: Subject): Reading<V>;
  /**
   * Whether an empty reply, or one that the server broke off, is a failure of the call, so that the same command asks
   * again; for judges that read every reply. Default: the judge is asked once more at once.
   */
  needsWholeReply?: boolean;
  /** Labels by people that its judgements can be compared with. */
  people?: PeopleLabels<V>;
}

/** Types that people and a judge name. */
export interface PeopleLabels<V> {
  types: readonly string[];
  /** Where the label is in a row of the data, for messages. */
  member: string;
  /** The label in a row of the data; null without one. */
  labelOf(row: Readonly<Record<string, unknown>>): string | null;
  /** The type that a label means; null for an unknown label. */
  typeOf(label: string): string | null;
  /** The type that the judge named. */
  named(value: V): string;
}

/** What a summary of judgements is about. */
export interface SummaryOptions {
  /** Default: that of the results. */
  extractor?: string;
  /** Only these samples. */
  only?: ReadonlySet<string>;
}

/** The options of a question, a line each. */
export function optionLines({ options }: Sample): string {
  return options.map(({ letter, text }) => `(${letter}) ${text}`).join("\n");
}

/** The right option with its text. */
export function rightOption({ answer, options }: Sample): string {
  const words = options.find(({ letter }) => letter === answer)?.text;
  return words === undefined ? `(${answer})` : `(${answer}) ${words}`;
}

export function stepLines({ steps = [] }: Sample): string {
  return steps.map((step, index) => `${index + 1}. ${step.trim()}`).join("\n");
}
