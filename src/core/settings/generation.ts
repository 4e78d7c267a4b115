import { z } from "zod";
import { settingMeta } from "./setting-meta.ts";

export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

const JSON_OBJECT = 'a JSON object such as {"min_p": 0.05}';

/** Members of a request body with their own setting (its flag), or that only the program sets (null). */
const RESERVED: ReadonlyMap<string, string | null> = new Map([
  ["model", "--model"],
  ["temperature", "--temperature"],
  ["max_tokens", "--max-tokens"],
  ["max_completion_tokens", "--max-tokens"],
  ["seed", "--seed"],
  ["messages", null],
  ["tools", null],
  ["tool_choice", null],
  ["functions", null],
  ["function_call", null],
  ["stream", null],
  ["stream_options", null],
  ["n", null],
  ["logprobs", null],
  ["top_logprobs", null],
]);

/** Members of Ollama's `options` that have their own setting. */
const RESERVED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["temperature", "--temperature"],
  ["num_predict", "--max-tokens"],
  ["seed", "--seed"],
]);

/** The members of a body that are refused, each with its flag. */
function reservedIn(body: Record<string, unknown>): [name: string, flag: string | null][] {
  const { options } = body;
  const optionNames = typeof options === "object" && options !== null ? Object.keys(options) : [];
  return [
    ...Object.keys(body).flatMap((name): [string, string | null][] => {
      const flag = RESERVED.get(name);
      return flag === undefined ? [] : [[name, flag]];
    }),
    ...optionNames.flatMap((name): [string, string][] => {
      const flag = RESERVED_OPTIONS.get(name);
      return flag === undefined ? [] : [[`options.${name}`, flag]];
    }),
  ];
}

/** A JSON object, or its text. The schema refuses text that is not JSON. */
const ExtraBody = z.preprocess(
  (given) => {
    if (typeof given !== "string") return given;
    try {
      return JSON.parse(given) as unknown;
    } catch {
      return given; // the schema below refuses it with the setting's own message
    }
  },
  z.record(z.string(), z.json(), { error: JSON_OBJECT }).superRefine((body, context) => {
    for (const [name, flag] of reservedIn(body)) {
      const instead = flag === null ? "the program sets it" : `use \`${flag}\``;
      context.addIssue({
        code: "custom",
        message: `a JSON object without \`${name}\` (${instead})`,
      });
    }
  }),
);

/**
 * How a model generates replies, in addition to temperature and length. A setting enters the request and its memo key
 * only if it is set.
 */
export const Generation = z.strictObject({
  top_p: z
    .number()
    .positive()
    .max(1)
    .nullable()
    .default(null)
    .describe("nucleus sampling: cumulative probability of the tokens to sample from, up to 1")
    .meta(settingMeta({ flag: "top-p", caller: true, added: true })),
  top_k: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe("number of most likely tokens to sample from; not supported by OpenAI's own API")
    .meta(settingMeta({ flag: "top-k", caller: true, added: true })),
  reasoning_effort: z
    .enum(REASONING_EFFORTS)
    .nullable()
    .default(null)
    .describe("effort of a reasoning model; Gemini 3: minimal to high")
    .meta(settingMeta({ flag: "reasoning-effort", caller: true, added: true })),
  thinking_budget: z
    .int()
    .min(-1)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe(
      "tokens for thinking, 0: off, -1: chosen by the model; sent as Gemini's thinkingConfig or Anthropic's thinking, or as enable_thinking and thinking_budget in chat_template_kwargs to vLLM and similar servers",
    )
    .meta(settingMeta({ flag: "thinking-budget", caller: true, added: true })),
  extra_body: ExtraBody.nullable()
    .default(null)
    .describe(
      `JSON object whose members are added to each request body, such as {"min_p": 0.05}; not for Gemini`,
    )
    .meta(settingMeta({ flag: "extra-body", added: true })),
});
