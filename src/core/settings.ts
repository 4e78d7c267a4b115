import { z } from "zod";
import { Failure } from "./errors.ts";
import { hashOf } from "./hash.ts";
import type { Task } from "./shapes.ts";

/*
 * One schema for every border: CLI flags, YAML, HTTP and the axes of a grid are all made from it.
 * A leaf's `meta.flag` is its CLI flag; `meta.strategies` lists the strategies that read it (absent: all of them).
 */

export const STRATEGIES = ["direct", "blind", "key-frame", "rrd", "extractive", "random"] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const SAMPLERS = ["ends", "midpoints", "fps", "fps-else-N", "times", "range"] as const;
export const RECOGNITION_MODES = ["all-at-once", "sequential"] as const;
export const RECOGNITION_INPUTS = ["whole-video", "clip"] as const;
export const REASONING_METHODS = [
  "all-at-once",
  "merge-sort",
  "tournament",
  "tournament-adaptive",
  "vote",
  "hybrid",
] as const;
export const REASONING_INPUTS = ["text", "video+text"] as const;
export const SUBTITLE_MODES = ["off", "aligned", "full", "retrieved"] as const;
export const OCR_MODES = ["off", "tesseract", "model"] as const;

const SEES: readonly Strategy[] = ["direct", "key-frame", "rrd"];
const CALLS: readonly Strategy[] = ["direct", "blind", "key-frame", "rrd"];
const RRD: readonly Strategy[] = ["rrd"];

interface LeafMeta {
  flag: string;
  strategies?: readonly Strategy[];
  [more: string]: unknown;
}
const leaf = (meta: LeafMeta) => meta;

const Recognition = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("model that recognises; default: --model")
    .meta(leaf({ flag: "recogniser", strategies: RRD })),
  mode: z
    .enum(RECOGNITION_MODES)
    .default("sequential")
    .describe("captions in one call, or one call a clip")
    .meta(leaf({ flag: "recognition", strategies: RRD })),
  input: z
    .enum(RECOGNITION_INPUTS)
    .nullable()
    .default(null)
    .describe(
      "frames of the whole video (the paper's) or chosen clip by clip; none: clip for `rrd`, the whole video for `direct`",
    )
    .meta(leaf({ flag: "recognition-input", strategies: ["direct", "rrd"] })),
  sampler: z
    .enum(["ends", "midpoints", "fps", "fps-else-N"])
    .default("ends")
    .describe("how frames are chosen")
    .meta(leaf({ flag: "sampler", strategies: SEES })),
  frames: z
    .int()
    .min(1)
    .max(2048)
    .default(32)
    .describe("frames a video (N of the samplers); a clip gets its even share, at least 4")
    .meta(leaf({ flag: "frames", strategies: ["direct", "rrd"] })),
  fps: z
    .number()
    .positive()
    .max(60)
    .default(1)
    .describe("frames a second, for the samplers `fps` and `fps-else-N`")
    .meta(leaf({ flag: "fps", strategies: ["direct", "rrd"] })),
  max_side: z
    .int()
    .min(16)
    .max(8192)
    .nullable()
    .default(768)
    .describe("longest side of a frame in pixels; null: as it is")
    .meta(leaf({ flag: "max-side", strategies: SEES })),
  max_area: z
    .int()
    .min(256)
    .max(33_554_432)
    .nullable()
    .default(null)
    .describe("largest area of a frame in pixels; null: any")
    .meta(leaf({ flag: "max-area", strategies: SEES })),
  quality: z
    .int()
    .min(1)
    .max(100)
    .default(85)
    .describe("JPEG quality of the frames sent")
    .meta(leaf({ flag: "quality", strategies: SEES })),
  media: z
    .enum(["frames", "video"])
    .default("frames")
    .describe("send frames, or the video file itself where the provider takes it")
    .meta(leaf({ flag: "media", strategies: ["direct"] })),
  audio: z
    .boolean()
    .default(false)
    .describe("send the sound along where the provider takes it")
    .meta(leaf({ flag: "audio", strategies: ["direct"] })),
  subtitles: z
    .enum(SUBTITLE_MODES)
    .nullable()
    .default(null)
    .describe(
      "subtitles in the prompt: none, those at the frames, all, or those found for the question; not given: `retrieved` for choice and open questions of `rrd`, else off",
    )
    .meta(leaf({ flag: "subtitles", strategies: ["direct", "rrd"] })),
  ocr: z
    .enum(OCR_MODES)
    .nullable()
    .default(null)
    .describe(
      "text on screen: not read, by tesseract, or by the model; not given: tesseract for `extractive` and for choice and open questions of `rrd`, else off",
    )
    .meta(leaf({ flag: "ocr", strategies: ["rrd", "extractive"] })),
});

const Reasoning = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("model that reasons; default: --model")
    .meta(leaf({ flag: "reasoner", strategies: RRD })),
  method: z
    .enum(REASONING_METHODS)
    .default("all-at-once")
    .describe("how events are put in order")
    .meta(leaf({ flag: "reasoning", strategies: RRD })),
  votes: z
    .int()
    .min(1)
    .max(25)
    .default(5)
    .describe("listwise calls that `vote` makes, each over another shuffle")
    .meta(leaf({ flag: "votes", strategies: RRD })),
  input: z
    .enum(REASONING_INPUTS)
    .default("text")
    .describe("what a reasoning call sees: the descriptions, or the video as well")
    .meta(leaf({ flag: "reasoning-input", strategies: RRD })),
  cot: z
    .boolean()
    .default(false)
    .describe("ask for the reasoning before the answer")
    .meta(leaf({ flag: "cot", strategies: ["direct", "blind", "key-frame"] })),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .describe("sampling temperature")
    .meta(leaf({ flag: "temperature", strategies: CALLS })),
  max_tokens: z
    .int()
    .min(1)
    .max(262_144)
    .default(2048)
    .describe("new tokens a reply may have")
    .meta(leaf({ flag: "max-tokens", strategies: CALLS })),
});

const ceiling = (flag: string, what: string) =>
  z
    .number()
    .nonnegative()
    .nullable()
    .default(null)
    .describe(what)
    .meta(leaf({ flag, strategies: CALLS }));

const BudgetSettings = z.strictObject({
  calls: ceiling("call-limit", "model calls a question may make; null: no limit"),
  frames: ceiling("frame-limit", "frames a question may send; null: no limit"),
  tokens: ceiling("token-limit", "tokens a question may use; null: no limit"),
  seconds: ceiling(
    "time-limit",
    "seconds a question may take before no new call is made; null: no limit",
  ),
  cost: ceiling("cost-limit", "dollars a question may cost; null: no limit"),
});

/** How many calls may be in flight: between `min` and `max`, `start` at first. */
export interface Connections {
  min: number;
  start: number;
  max: number;
}

const CONNECTIONS = "a whole number from 1 to 1024, or min-start-max such as 4-16-64";
const MOST_CONNECTIONS = 1024;

/** `16` begins with 16 and never goes above; null for what is neither a number nor `min-start-max` in rising order. */
function readConnections(given: number | string): Connections | null {
  const [, min = "", start, max] = /^(\d{1,4})(?:-(\d{1,4})-(\d{1,4}))?$/.exec(String(given)) ?? [];
  const read =
    start === undefined
      ? { min: 1, start: Number(min), max: Number(min) }
      : { min: Number(min), start: Number(start), max: Number(max) };
  const rising = 1 <= read.min && read.min <= read.start && read.start <= read.max;
  return rising && read.max <= MOST_CONNECTIONS ? read : null;
}

/** `runtime.max_connections` in numbers. */
export function connectionsOf({ max_connections }: Settings["runtime"]): Connections {
  const read = readConnections(max_connections);
  if (read === null)
    throw new Failure(
      "wrong-setting",
      `Expected \`--max-connections\` to be ${CONNECTIONS}, got ${JSON.stringify(max_connections)}.`,
      { given: max_connections },
    );
  return read;
}

const Runtime = z.strictObject({
  data: z
    .string()
    .default(".video-rrd")
    .describe("folder of the store")
    .meta(leaf({ flag: "data-dir" })),
  base_url: z
    .string()
    .nullable()
    .default(null)
    .describe("an OpenAI-compatible server, or another address for Google")
    .meta(leaf({ flag: "base-url" })),
  max_connections: z
    .union([z.int(), z.string()], { error: CONNECTIONS })
    .refine((given) => readConnections(given) !== null, { error: CONNECTIONS })
    .default(16)
    .describe("model calls in flight at once: a number, or min-start-max such as 4-16-64")
    .meta(leaf({ flag: "max-connections" })),
  call_timeout_s: z
    .number()
    .positive()
    .default(300)
    .describe("seconds one model call may take")
    .meta(leaf({ flag: "call-timeout" })),
  prompts: z
    .string()
    .nullable()
    .default(null)
    .describe("folder whose files replace prompts of the same names")
    .meta(leaf({ flag: "prompts" })),
  prices: z
    .string()
    .nullable()
    .default(null)
    .describe("YAML file of prices that extends the built-in table")
    .meta(leaf({ flag: "prices" })),
});

export const Settings = z.strictObject({
  strategy: z
    .enum(STRATEGIES)
    .default("extractive")
    .describe("how the question is answered")
    .meta(leaf({ flag: "strategy" })),
  seed: z
    .int()
    .min(0)
    .default(0)
    .describe("seed of everything drawn")
    .meta(leaf({ flag: "seed" })),
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("provider:model, such as openai:gpt-4.1 or google-genai:gemini-2.5-flash")
    .meta(leaf({ flag: "model", strategies: CALLS })),
  recognition: Recognition.prefault({}),
  reasoning: Reasoning.prefault({}),
  budget: BudgetSettings.prefault({}),
  runtime: Runtime.prefault({}),
});
export type Settings = z.infer<typeof Settings>;
export type SettingsInput = z.input<typeof Settings>;

/** A leaf of the schema: where it is, what it is called on a command line, what it takes. */
export interface SettingLeaf {
  path: string;
  flag: string;
  description: string;
  default: unknown;
  strategies: readonly Strategy[] | null;
  kind: "boolean" | "number" | "string" | "choice";
  choices: readonly string[] | null;
  nullable: boolean;
}

/** Every leaf of `Settings`, in the order of the schema: the source of flags, help and grid axes. */
export function settingLeaves(): SettingLeaf[] {
  return leavesOf(Settings, []);
}

function leavesOf(schema: z.ZodObject, path: string[]): SettingLeaf[] {
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const group = unwrap(member as z.ZodType);
    if (group.inner instanceof z.ZodObject) return leavesOf(group.inner, [...path, name]);
    const meta = (member as z.ZodType).meta() as LeafMeta;
    return [
      {
        path: [...path, name].join("."),
        flag: meta.flag,
        description: String(meta.description ?? ""),
        default: (member as z.ZodType).parse(undefined),
        strategies: meta.strategies ?? null,
        kind: kindOf(group.inner),
        choices: group.inner instanceof z.ZodEnum ? group.inner.options.map(String) : null,
        nullable: group.nullable,
      },
    ];
  });
}

function unwrap(schema: z.ZodType): { inner: z.ZodType; nullable: boolean } {
  let inner = schema;
  let nullable = false;
  for (;;) {
    if (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault)
      inner = inner.def.innerType as z.ZodType;
    else if (inner instanceof z.ZodNullable) {
      nullable = true;
      inner = inner.def.innerType as z.ZodType;
    } else return { inner, nullable };
  }
}

function kindOf(schema: z.ZodType): SettingLeaf["kind"] {
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodEnum) return "choice";
  return "string";
}

/**
 * Reads settings given by anyone, with defaults filled in.
 * Throws `Failure` `wrong-setting` for a value out of range, an unknown name, or one that the strategy does not read.
 */
export function readSettings(input: unknown): Settings {
  const read = Settings.safeParse(input ?? {});
  if (!read.success) throw settingFailure(read.error, input);
  for (const leaf of settingLeaves()) {
    if (leaf.strategies === null || leaf.strategies.includes(read.data.strategy)) continue;
    const given = at(input, leaf.path);
    if (given === undefined || given === leaf.default) continue;
    throw new Failure(
      "wrong-setting",
      `The strategy \`${read.data.strategy}\` does not read \`--${leaf.flag}\` (${leaf.path}), which was ${JSON.stringify(given)}: leave it out, or choose one of ${leaf.strategies.join(", ")}.`,
      { path: leaf.path, flag: leaf.flag, given, strategy: read.data.strategy },
    );
  }
  return read.data;
}

/**
 * Who reads the text on screen, with the strategy's own choice filled in: what is asked of shuffled clips is answered
 * from their descriptions alone, as in the paper.
 */
export function ocrMode(
  { strategy, recognition }: Settings,
  task: Task,
): (typeof OCR_MODES)[number] {
  const reads = strategy === "extractive" || (strategy === "rrd" && task !== "order");
  return recognition.ocr ?? (reads ? "tesseract" : "off");
}

/** Which subtitles go along, with the strategy's own choice filled in. */
export function subtitleMode(
  { strategy, recognition }: Settings,
  task: Task,
): (typeof SUBTITLE_MODES)[number] {
  if (strategy === "extractive") return "full";
  return recognition.subtitles ?? (strategy === "rrd" && task !== "order" ? "retrieved" : "off");
}

/** What frames are chosen from, with the strategy's own choice filled in. */
export function recognitionInput({
  strategy,
  recognition,
}: Settings): (typeof RECOGNITION_INPUTS)[number] {
  const whole = strategy === "direct" || strategy === "key-frame";
  return recognition.input ?? (whole ? "whole-video" : "clip");
}

/** What results depend on: all but `runtime`. */
export function settingsHash(settings: Settings): string {
  const { runtime: _runtime, ...rest } = settings;
  return hashOf(rest);
}

/** `a.b` of nested plain objects. */
export function at(input: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) =>
        typeof value === "object" && value !== null
          ? (value as Record<string, unknown>)[name]
          : undefined,
      input,
    );
}

function settingFailure(error: z.ZodError, input: unknown): Failure {
  const issue = error.issues[0];
  if (issue === undefined) return new Failure("wrong-setting", "The settings could not be read.");
  const path = issue.path.join(".");
  const known = settingLeaves();
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => [...issue.path, key].join("."));
    return new Failure(
      "wrong-setting",
      `Unknown setting ${names.map((name) => `\`${name}\``).join(", ")}; known here: ${known
        .map((leaf) => leaf.path)
        .filter((name) => path === "" || name.startsWith(`${path}.`))
        .join(", ")}.`,
      { unknown: names },
    );
  }
  const leaf = known.find((item) => item.path === path);
  const given = at(input, path);
  const expected = leaf?.choices != null ? `one of ${leaf.choices.join(", ")}` : expectedOf(issue);
  const label = leaf === undefined ? `\`${path}\`` : `\`--${leaf.flag}\` (${path})`;
  return new Failure(
    "wrong-setting",
    `Expected ${label} to be ${expected}, got ${JSON.stringify(given)}.`,
    { path, given, flag: leaf?.flag },
  );
}

function expectedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "int" ? "a whole number" : `a ${issue.expected}`;
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}
