import { z } from "zod";
import { settingMeta } from "./setting-meta.ts";

export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

const JSON_OBJECT = 'a JSON object such as {"min_p": 0.05}';

/** Members of a request body that have a setting of their own (its flag), or that only the program sets (null). */
const RESERVED: ReadonlyMap<string, string | null> = new Map([
  ["model", "--model"],
  ["temperature", "--temperature"],
  ["max_tokens", "--max-tokens"],
  ["max_completion_tokens", "--max-tokens"],
  ["messages", null],
  ["tools", null],
  ["tool_choice", null],
  ["stream", null],
  ["n", null],
  ["logprobs", null],
  ["top_logprobs", null],
]);

/** A JSON object, also as a text. Text that is not JSON is left for the schema to refuse. */
const ExtraBody = z.preprocess(
  (given) => {
    if (typeof given !== "string") return given;
    try {
      return JSON.parse(given) as unknown;
    } catch {
      return given; // refused below, with the words of the setting
    }
  },
  z.record(z.string(), z.json(), { error: JSON_OBJECT }).superRefine((body, context) => {
    for (const name of Object.keys(body)) {
      const flag = RESERVED.get(name);
      if (flag === undefined) continue;
      const instead = flag === null ? "the program sets it" : `use \`${flag}\``;
      context.addIssue({ code: "custom", message: `without \`${name}\` (${instead})` });
    }
  }),
);

/**
 * How a model writes its replies, in addition to temperature and length. Each setting enters a request, and its memo
 * key, only when it is set.
 */
export const Generation = z.strictObject({
  top_p: z
    .number()
    .positive()
    .max(1)
    .nullable()
    .default(null)
    .describe("nucleus sampling: the share of probability that tokens are drawn from, up to 1")
    .meta(settingMeta({ flag: "top-p", caller: true, added: true })),
  top_k: z
    .int()
    .min(1)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe("how many of the likeliest tokens are drawn from; not taken by OpenAI's own API")
    .meta(settingMeta({ flag: "top-k", caller: true, added: true })),
  reasoning_effort: z
    .enum(REASONING_EFFORTS)
    .nullable()
    .default(null)
    .describe("how much a reasoning model thinks; Gemini 3: minimal to high")
    .meta(settingMeta({ flag: "reasoning-effort", caller: true, added: true })),
  thinking_budget: z
    .int()
    .min(-1)
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe(
      "tokens that thinking may take, 0: off, -1: as many as the model wants; Gemini's thinkingConfig, and enable_thinking and thinking_budget in chat_template_kwargs of vLLM and the like",
    )
    .meta(settingMeta({ flag: "thinking-budget", caller: true, added: true })),
  extra_body: ExtraBody.nullable()
    .default(null)
    .describe(
      `JSON object whose members are added to each request body, such as {"min_p": 0.05}; OpenAI-compatible servers only`,
    )
    .meta(settingMeta({ flag: "extra-body", added: true })),
});
