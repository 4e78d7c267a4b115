import { z } from "zod";

/*
 * Data types that all layers share. Seconds count from the start of the container; boxes are in pixels of the
 * upright (rotation applied) frame; every hash is a lower-case hex SHA-256.
 */

export const Hash = z.string().regex(/^[0-9a-f]{64}$/, { error: "a lower-case hex SHA-256" });

/** One decoded frame on disk: `hash` is of its JPEG bytes, `video` is the hash of the file, `t_s` the frame's own time in seconds. */
export const FrameRef = z.strictObject({
  hash: Hash,
  video: Hash,
  t_s: z.number().min(0),
  width: z.int().positive(),
  height: z.int().positive(),
});
export type FrameRef = z.infer<typeof FrameRef>;

/** Pixels of the upright frame, origin top left. */
export const Box = z.strictObject({
  x: z.number(),
  y: z.number(),
  width: z.number().nonnegative(),
  height: z.number().nonnegative(),
});
export type Box = z.infer<typeof Box>;

export const EVIDENCE_KINDS = [
  "caption",
  "text",
  "equation",
  "subtitle",
  "speech",
  "frame",
  "comparison",
  "calculation",
] as const;
/** What an item of evidence is. */
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** An observation in a video, with its source. `id` is the hash of all other members. */
export const Evidence = z.strictObject({
  id: Hash,
  video: Hash,
  kind: z.enum(EVIDENCE_KINDS),
  start_s: z.number().min(0),
  end_s: z.number().min(0),
  text: z.string(),
  /** Number of the clip on its title card, from 1. */
  clip: z.int().positive().optional(),
  frame: FrameRef.optional(),
  box: Box.optional(),
  /** Data of the kind in addition to `text`: the pair and verdict of a comparison, the expression of a calculation. */
  data: z.record(z.string(), z.unknown()).optional(),
  by: z.strictObject({
    who: z.enum(["model", "tool", "file", "person", "gold"]),
    name: z.string(),
  }),
  /** 0 to 1, or null if its source gives none. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Ids of the evidence that this was derived from. */
  from: z.array(Hash),
  /** Id of the evidence that this one replaces. */
  replaces: Hash.optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Immutable. A correction creates a new set whose `base` is the old one; `id` is the hash of `base`, the item ids and the names. */
export const EvidenceSet = z.strictObject({
  id: Hash,
  base: Hash.nullable(),
  items: z.array(Evidence),
  /**
   * Names (`E1`) by id of evidence, those of earlier versions of the set included, so that an item keeps its name.
   * Omitted if names follow the order of time.
   */
  names: z.record(Hash, z.string()).optional(),
});
export type EvidenceSet = z.infer<typeof EvidenceSet>;

/** One option of a question. */
export const Option = z.strictObject({ letter: z.string().regex(/^[A-Z]$/), text: z.string() });
export type Option = z.infer<typeof Option>;

export const TASKS = ["order", "choice", "open"] as const;
/** What a question asks for: an order of clips, one of some options, or words. */
export type Task = (typeof TASKS)[number];

/** A question that was asked and answered before another one, in its thread. */
export const EarlierQuestion = z.strictObject({
  question: z.string(),
  /** The answer in words, on one line. */
  answer: z.string(),
});
export type EarlierQuestion = z.infer<typeof EarlierQuestion>;

/** A question about one video. */
export const Question = z.strictObject({
  id: z.string().min(1),
  /** Hash of the video file. */
  video: Hash,
  text: z.string(),
  task: z.enum(TASKS),
  /** The procedure that the clips show in their right order, for `order` questions. */
  goal: z.string().optional(),
  options: z.array(Option).optional(),
  /** For a follow-up: the questions before it, oldest first. Models are told of them; searches use `text` only. */
  earlier: z.array(EarlierQuestion).optional(),
});
export type Question = z.infer<typeof Question>;

/** `cost`: dollars without the memo; `paid`: dollars that this run spent; null if no price is known. */
export const Usage = z.strictObject({
  calls: z.int().nonnegative(),
  frames: z.int().nonnegative(),
  input: z.int().nonnegative(),
  output: z.int().nonnegative(),
  cost: z.number().nonnegative().nullable(),
  paid: z.number().nonnegative().nullable(),
  /** Calls whose tokens are estimated here, because the server did not report them; omitted for 0. */
  estimated: z.int().positive().optional(),
  /** Reasoning tokens within `output`; omitted for 0. */
  reasoning: z.int().positive().optional(),
  /** Tokens of `input` from the provider's cache; omitted for 0. */
  cached_input: z.int().positive().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** The usage of no call. */
export const NO_USAGE: Usage = { calls: 0, frames: 0, input: 0, output: 0, cost: 0, paid: 0 };

/** The sum of two usages; a cost that is not known makes the sum unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum = (x: number | null, y: number | null) => (x === null || y === null ? null : x + y);
  const estimated = (a.estimated ?? 0) + (b.estimated ?? 0);
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  const cached_input = (a.cached_input ?? 0) + (b.cached_input ?? 0);
  return {
    calls: a.calls + b.calls,
    frames: a.frames + b.frames,
    input: a.input + b.input,
    output: a.output + b.output,
    cost: sum(a.cost, b.cost),
    paid: sum(a.paid, b.paid),
    ...(estimated > 0 ? { estimated } : {}),
    ...(reasoning > 0 ? { reasoning } : {}),
    ...(cached_input > 0 ? { cached_input } : {}),
  };
}

export const LIMITS = ["calls", "frames", "tokens", "seconds", "cost"] as const;
/** A limit of a budget. */
export type Limit = (typeof LIMITS)[number];

export const ANSWER_STATUS = [
  "answered",
  "not-answered",
  "unparsed",
  "refused",
  "truncated",
  "error",
] as const;

/**
 * Whether the cited evidence supports the answer, checked by a second call (`model`) or by a rule (`code`); `unchecked`
 * if there was no check. `words`: the reason.
 */
export const Support = z.strictObject({
  verdict: z.enum(["supported", "contradicted", "not-shown", "unchecked"]),
  by: z.enum(["model", "code"]),
  words: z.string(),
});
export type Support = z.infer<typeof Support>;

/** A moment of the video that words of the question lead to. */
export const Moment = z.strictObject({
  /** Seconds. */
  start_s: z.number(),
  end_s: z.number(),
  /** What is said or written there. */
  text: z.string(),
  /** Its words that match those of the question and of the option. */
  words: z.array(z.string()),
  /** The option that it mentions; omitted for an open question. */
  option: z.string().optional(),
  /** 0 to 1; comparable only within one question. */
  score: z.number().min(0).max(1),
  /** Ids of its evidence. */
  evidence: z.array(Hash),
});
export type Moment = z.infer<typeof Moment>;

/** The answer to a question, with what it cites and what it cost. */
export const Answer = z.strictObject({
  status: z.enum(ANSWER_STATUS),
  /** Free text, the letter of an option, or clip numbers (from 1) in their right order. */
  answer: z.union([z.string(), z.array(z.int())]).nullable(),
  /** Ids of evidence in `set`. */
  cites: z.array(Hash),
  /** Who chose the citations. */
  cited_by: z.enum(["model", "code"]),
  /** Id of the evidence set that the answer is based on. */
  set: Hash,
  limits_met: z.array(z.enum(LIMITS)),
  confidence: z.number().min(0).max(1).nullable(),
  /** How `confidence` was computed; null if `confidence` is null. */
  confidence_basis: z.string().nullable(),
  /** Omitted by strategies without a check. */
  support: Support.optional(),
  /** Moments that match the question, best first; omitted by strategies that rank none. */
  moments: z.array(Moment).optional(),
  /** The model reply from which the answer was read, verbatim; omitted if code computed the answer. */
  reply: z.string().optional(),
  /** The model's reasoning, if the server returned it separately; never read for an answer. */
  reasoning: z.string().optional(),
  diagnostics: z.record(z.string(), z.unknown()).optional(),
  usage: Usage,
  error: z.strictObject({ kind: z.string(), message: z.string() }).optional(),
});
export type Answer = z.infer<typeof Answer>;

/** `value` null: the answer could not be scored, which is counted separately from 0. */
export interface Score {
  value: number | null;
  answer: string | number[] | null;
  explanation: string;
  extractor: string;
}
