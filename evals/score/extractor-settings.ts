import { z } from "zod";
import { Failure } from "../../src/core/errors.ts";
import type { ExtractorOptions } from "../benchmarks/scored-reply.ts";

/** The extractor that calls a model to name the letter that a reply chooses (`letter-judge.ts`). */
export const MODEL_LETTER = "model-letter";

/** As published for VideoMathQA: Qwen3-4B without thinking (`cot_postprocess.py` of lmms-eval). */
export const LETTER_SETTINGS = { temperature: 0.7, max_tokens: 16 } as const;

const Tag = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/);

/** Settings of extractors, as flags or members of a YAML file. */
export const EXTRACTOR_SETTINGS = {
  extractor: z.string().min(1).nullable().default(null),
  /** `provider:model` of `model-letter`. */
  extractor_model: z
    .string()
    .regex(/^[^:\s]+:\S/)
    .nullable()
    .default(null),
  extractor_temperature: z.number().min(0).max(2).nullable().default(null),
  extractor_max_tokens: z.int().min(1).max(1_000_000).nullable().default(null),
  /** Of `lmms-eval-0.7`: `think,analysis`, or a list. */
  reasoning_tags: z
    .union([z.string().transform((text) => text.split(",").map((tag) => tag.trim())), z.array(Tag)])
    .pipe(z.array(Tag).min(1))
    .nullable()
    .default(null),
};
const Asked = z.object(EXTRACTOR_SETTINGS);
export type ExtractorAsked = z.infer<typeof Asked>;

/** The expected value of each setting, for messages. */
export const EXTRACTOR_EXPECTED: Record<keyof ExtractorAsked, string> = {
  extractor: "the name of an extractor, such as sound",
  extractor_model: "a provider:model, such as openai:Qwen/Qwen3-4B",
  extractor_temperature: "a number from 0 to 2",
  extractor_max_tokens: "a whole number from 1 to 1000000",
  reasoning_tags: "names of tags without brackets, such as think,analysis",
};

/** Throws `Failure` `wrong-usage` that names the flag. */
export function readExtractorAsked(given: unknown): ExtractorAsked {
  const read = Asked.safeParse(given);
  if (read.success) return read.data;
  const name = String(read.error.issues[0]?.path[0]) as keyof ExtractorAsked;
  const value = (given as Record<string, unknown>)[name];
  throw new Failure(
    "wrong-usage",
    `Invalid --${name.replaceAll("_", "-")} ${JSON.stringify(value)}: use ${EXTRACTOR_EXPECTED[name]}.`,
    { name, value },
  );
}

/** The extractor as stored in the header of a run. */
export const StoredExtractor = z.object({
  name: z.string(),
  /** Why it was chosen: `asked` by a setting; `protocol`: the published one; `format`: it fits the prompts; `default`: the format of replaced prompts is not known; `file`: a response file. */
  by: z.enum(["asked", "protocol", "format", "default", "file"]),
  /** `provider:model`, of `model-letter`. */
  model: z.string().nullable().default(null),
  temperature: z.number().nullable().default(null),
  max_tokens: z.int().nullable().default(null),
  /** Of `lmms-eval-0.7`; null: those of lmms-eval. */
  reasoning_tags: z.array(z.string()).nullable().default(null),
});
export type StoredExtractor = z.infer<typeof StoredExtractor>;

/** What the extractors of a run are given; undefined: nothing is stored, as in older runs. */
export function extractorOptions(
  stored: Pick<StoredExtractor, "reasoning_tags"> | undefined,
): ExtractorOptions {
  const tags = stored?.reasoning_tags ?? null;
  return tags === null ? {} : { reasoning_tags: tags };
}
