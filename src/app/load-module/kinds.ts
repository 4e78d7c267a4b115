import { z } from "zod";
import { type Benchmark, benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import { type JudgeDefinition, judges } from "../../../evals/judges/define-judge.ts";
import { type Scorer, scorers } from "../../../evals/scorers/define-scorer.ts";
import { type StrategyDefinition, strategies } from "../../../graphs/define-strategy.ts";
import { defineTool, type ToolDefinition, tools } from "../../../tools/agent/define-tool.ts";
import type { Definition, DefinitionKind, Registry } from "../../core/registry.ts";
import { TASKS } from "../../core/shapes.ts";
import { type ProviderDefinition, providers } from "../../models/define-provider.ts";
import { problemWithSettings } from "./own-settings.ts";

/** What the loader needs to know about one kind of definition. */
interface KindOf<D extends Definition> {
  /** Name for messages, with its article. */
  title: string;
  /** Name of the function that makes one. */
  define: string;
  registry: Registry<D>;
  /** Whether an exported object is of this kind: it has members that no other kind has. */
  isMeant(exported: object): boolean;
  shape: z.ZodType;
  /** Checks what the schema cannot: returns the problem as a clause, or null. Throws `Failure`. */
  check?(definition: D): string | null;
}

const fn = z.custom<unknown>((value) => typeof value === "function", { error: "a function" });
const names = z.array(z.string());
const NAME = "letters, digits, dashes and underscores, at most 64";
const name = z.string({ error: NAME }).regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: NAME });
const tasks = z.array(z.enum(TASKS)).min(1, { error: `some of ${TASKS.join(", ")}` });

const has = (exported: object, ...members: string[]) => members.every((one) => one in exported);

const strategy: KindOf<StrategyDefinition> = {
  title: "a strategy",
  define: "defineStrategy",
  registry: strategies,
  isMeant: (exported) => has(exported, "approach") || has(exported, "shows"),
  shape: z.looseObject({
    name,
    summary: z.string(),
    approach: z.enum(["single-call", "decomposed", "search", "other"]),
    shows: z.enum(["video", "one-frame", "nothing"]),
    tasks,
    roles: names,
    reads: names,
    graph: fn,
    settings: z.record(z.string(), z.unknown()).optional(),
    defaults: fn.optional(),
    plan: fn.optional(),
  }),
  check: problemWithSettings,
};

const tool: KindOf<ToolDefinition> = {
  title: "a tool",
  define: "defineTool",
  registry: tools,
  isMeant: (exported) => has(exported, "parameters"),
  shape: z.looseObject({
    name: z.string(),
    description: z.union([z.string().min(1), z.instanceof(URL)], {
      error: "a text, or the URL of a Markdown file",
    }),
    parameters: z.custom<unknown>((value) => value instanceof z.ZodObject, {
      error: "an object schema of zod 4: z.object({ ... })",
    }),
    needs: z.array(z.enum(["pictures", "sound", "index"])),
    cost: z.union([z.literal("nothing"), z.looseObject({ frames: fn })], {
      error: '"nothing" or { frames: (arguments) => number }',
    }),
    run: fn,
  }),
  check(definition) {
    defineTool(definition);
    return null;
  },
};

const benchmark: KindOf<Benchmark> = {
  title: "a benchmark",
  define: "defineBenchmark",
  registry: benchmarks,
  isMeant: (exported) => has(exported, "load"),
  shape: z.looseObject({
    name,
    title: z.string(),
    tasks,
    load: fn,
    extractors: z.looseObject({ official: fn, sound: fn }),
    answers: z.looseObject({ written: z.string(), readBy: z.looseObject({}) }),
    scorers: z.record(z.string(), z.looseObject({ name: z.string() })),
    namesForeignAnswer: fn,
    responses: z.looseObject({}),
    // What defineBenchmark adds.
    cluster: fn,
    groups: fn,
    questions: fn,
  }),
};

const scorer: KindOf<Scorer> = {
  title: "a scorer",
  define: "defineScorer",
  registry: scorers,
  isMeant: (exported) => has(exported, "score"),
  shape: z.looseObject({ name, score: fn }),
};

const judge: KindOf<JudgeDefinition> = {
  title: "a judge",
  define: "defineJudge",
  registry: judges,
  isMeant: (exported) => has(exported, "judges") || has(exported, "summarise"),
  shape: z.looseObject({
    name,
    summary: z.string(),
    judges: z.array(
      z.looseObject({
        kind: z.string(),
        benchmarks: z.union([names, z.literal("any")], { error: 'names of benchmarks, or "any"' }),
        value: z.custom<unknown>((value) => value instanceof z.ZodType, {
          error: "a schema of zod 4",
        }),
        ask: fn,
        read: fn,
      }),
    ),
    summarise: fn,
    rows: fn,
    report: fn,
  }),
};

const provider: KindOf<ProviderDefinition> = {
  title: "a provider",
  define: "defineProvider",
  registry: providers,
  isMeant: (exported) => has(exported, "chat") || has(exported, "key", "server"),
  shape: z.looseObject({
    name,
    title: z.string(),
    example: z.string(),
    server: z.looseObject({ home: z.string() }),
    key: z.looseObject({ variables: names, header: z.string() }),
    chat: fn,
    prices: z.record(z.string(), z.looseObject({ input: z.number(), output: z.number() })),
    media: fn,
    generationProblem: fn,
  }),
};

/** Every kind, in the order in which the definitions of one file are added. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has its own type of definition
export const KINDS: Readonly<Record<DefinitionKind, KindOf<any>>> = {
  provider,
  tool,
  strategy,
  scorer,
  judge,
  benchmark,
};
