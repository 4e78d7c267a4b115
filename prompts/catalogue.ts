import { createRegistry } from "../src/core/registry.ts";

/** The prompts of this folder, each with the names of its variables. A test compares this list with the files. */
export const PROMPTS = {
  "vcrbench/direct": ["goal"],
  "vcrbench/direct-cot": ["goal"],
  "rrd/count-clips": [],
  "rrd/recognise-all": [],
  "rrd/recognise-one": ["clip"],
  "rrd/recognise-clips": ["count"],
  "rrd/recognise-clips-video": ["count"],
  "rrd/recognise-clip": [],
  "rrd/recognise-clip-video": [],
  "rrd/describe-all": ["count"],
  "rrd/describe-all-video": ["count"],
  "rrd/describe-part": ["part"],
  "rrd/describe-part-video": ["part"],
  "rrd/read-text": [],
  "rrd/order": ["goal", "clips"],
  "rrd/order-video": ["goal", "clips"],
  "rrd/order-clips": ["goal", "clips"],
  "rrd/compare": ["goal", "a", "b"],
  "rrd/compare-video": ["goal", "a", "b"],
  "rrd/compare-clips": ["goal", "a", "b"],
  "rrd/recognise-event": ["options"],
  "rrd/match-step": ["goal", "description", "options"],
  "mathematics/plan": ["question", "options", "evidence", "spoken"],
  "mathematics/repair": ["reply", "problem"],
  "mathematics/read-board": [],
  "choice/direct": ["question", "options"],
  "choice/direct-cot": ["question", "options"],
  "open/direct": ["question"],
  "open/direct-cot": ["question"],
  "ask/subtitles": ["subtitles"],
  "ask/follow-up": ["question", "earlier"],
  "ask/choice": ["question", "options", "evidence"],
  "ask/open": ["question", "evidence"],
  "judges/letter": ["options", "solution"],
  "judges/steps": ["question", "options", "answer", "steps", "solution"],
  "judges/math-errors": ["question", "options", "answer", "steps", "solution", "critique"],
  "judges/mmr-errors": ["question", "options", "answer", "solution"],
  "judges/cot-piece": ["question", "options", "solution", "piece"],
  "judges/grade": ["rubric", "asked", "reference", "reply"],
  "judges/grade-rubric": [],
  "judges/repair": ["reply", "fault"],
  "agent/system": ["tools"],
  "agent/question-choice": [
    "question",
    "options",
    "duration",
    "known",
    "times",
    "left",
    "evidence",
  ],
  "agent/question-open": ["question", "duration", "known", "times", "left", "evidence"],
  "agent/found": ["count", "evidence"],
  "agent/nothing-found": [],
  "agent/pictures": ["count", "left"],
  "agent/clip": ["moments", "left"],
  "agent/no-frames-left": ["left"],
  "agent/server-result": ["tool", "result"],
  "agent/repeated": ["names"],
  "agent/unknown-tool": ["called", "tools"],
  "agent/refused-call": ["problem"],
  "agent/not-run": [],
  "agent/answer-now": [],
  "agent/call-a-tool": [],
  "agent/uncited": ["names"],
  "agent/unreadable-answer": ["letters"],
  "agent/contradicted": ["reason", "evidence"],
  "agent/verify": ["question", "claim", "evidence"],
  "agent/tools/answer": [],
  "react/system": [],
  "react/question-choice": ["question", "options", "duration", "left"],
  "react/question-open": ["question", "duration", "left"],
  "react/question-order": ["goal", "duration", "left"],
  "react/answer-now": [],
} as const satisfies Record<string, readonly string[]>;

/** Variables for the text of a caller. */
export const CALLER_VARIABLES = ["question", "goal", "options"];

/** Name of a built-in prompt. */
export type PromptName = keyof typeof PROMPTS;

/** The variables of a prompt, one string each. */
export type PromptVariables<N extends PromptName> = Record<(typeof PROMPTS)[N][number], string>;

/** A prompt that belongs to a definition, such as a benchmark, and whose file is in the folder of the definition. */
export interface DefinedPrompt<V extends string = string> {
  /** Unique, `<definition>/<prompt>`: `--prompts DIR` replaces it by the file `DIR/<name>.md`. */
  readonly name: string;
  readonly file: URL;
  readonly variables: readonly V[];
  /** Variables that a user's prompt may use instead of those in `variables`. */
  readonly alternatives?: Readonly<Record<string, V>>;
}

/**
 * Defines a prompt whose file is next to the definition that sends it. The definition lists it in its `prompts`.
 *
 * @example
 * const direct = definePrompt({
 *   name: "my-benchmark/direct",
 *   file: new URL("./prompts/direct.md", import.meta.url),
 *   variables: ["question", "options"],
 * });
 */
export function definePrompt<const V extends string>(prompt: DefinedPrompt<V>): DefinedPrompt<V> {
  return prompt;
}

const ownedPrompts: (() => readonly DefinedPrompt[])[] = [];

/** Adds the prompts of one kind of definition. They are listed whenever prompts are loaded: definitions may come later. */
export function addPromptsOf(list: () => readonly DefinedPrompt[]): void {
  ownedPrompts.push(list);
}

/** A prompt that the variables `V` fill: the name of one in the catalogue, or one of a definition. */
export type PromptWith<V extends string> =
  | DefinedPrompt<V>
  | { [N in PromptName]: (typeof PROMPTS)[N][number] extends V ? N : never }[PromptName];

export function nameOfPrompt(prompt: PromptName | DefinedPrompt): string {
  return typeof prompt === "string" ? prompt : prompt.name;
}

/**
 * Every prompt of this process: those of the catalogue, then those of the definitions. Throws `Failure` `wrong-usage` if
 * two prompts have one name.
 */
export function allPrompts(): DefinedPrompt[] {
  const own = Object.entries(PROMPTS).map(
    ([name, variables]): DefinedPrompt => ({
      name,
      file: new URL(`./${name}.md`, import.meta.url),
      variables,
    }),
  );
  const all = createRegistry<DefinedPrompt>("a prompt");
  all.add(...own, ...ownedPrompts.flatMap((list) => list()));
  return [...all.all()];
}
