import { z } from "zod";
import { expectedTokens } from "./budget.ts";
import { settingMeta } from "./setting-meta.ts";

export const REASONING_METHODS = [
  "all-at-once",
  "merge-sort",
  "tournament",
  "tournament-adaptive",
  "vote",
  "hybrid",
] as const;
export const REASONING_INPUTS = ["text", "video+text"] as const;

/** How a model reasons over the recognised evidence, and how replies are sampled. */
export const Reasoning = z.strictObject({
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("model that reasons; default: --model")
    .meta(settingMeta({ flag: "reasoner", caller: true, role: "reasoner" })),
  expected_output: expectedTokens(
    "reasoner-output",
    "tokens that a budget reserves for a reply of the reasoner; default: --expected-output",
    "reasoner",
  ),
  method: z
    .enum(REASONING_METHODS)
    .default("all-at-once")
    .describe("how events are put in order")
    .meta(settingMeta({ flag: "reasoning", caller: true, tasks: ["order"] })),
  votes: z
    .int()
    .min(1)
    .max(25)
    .default(5)
    .describe("listwise calls of `vote`, each with another shuffle")
    .meta(settingMeta({ flag: "votes", caller: true, tasks: ["order"] })),
  input: z
    .enum(REASONING_INPUTS)
    .default("text")
    .describe("input of a reasoning call: the descriptions, or the descriptions and the video")
    .meta(settingMeta({ flag: "reasoning-input", caller: true })),
  mathematics: z
    .enum(["on", "off"])
    .nullable()
    .default(null)
    .describe(
      "let a model plan and an engine calculate the answers of choice and open questions; default: for questions that look mathematical",
    )
    .meta(settingMeta({ flag: "mathematics", caller: true, tasks: ["choice", "open"] })),
  cot: z
    .boolean()
    .default(false)
    .describe("ask for the reasoning before the answer")
    .meta(settingMeta({ flag: "cot", caller: true })),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .describe("sampling temperature")
    .meta(settingMeta({ flag: "temperature", caller: true })),
  max_tokens: z
    .int()
    .min(1)
    .max(262_144)
    .default(2048)
    .describe("most tokens of a reply")
    .meta(settingMeta({ flag: "max-tokens", caller: true })),
});
