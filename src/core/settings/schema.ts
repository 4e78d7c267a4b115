import { z } from "zod";
import { BudgetSettings } from "./budget.ts";
import { Generation } from "./generation.ts";
import { CALLS, leaf, STRATEGIES } from "./leaf.ts";
import { Reasoning } from "./reasoning.ts";
import { Recognition } from "./recognition.ts";
import { Runtime } from "./runtime.ts";
import { Search } from "./search.ts";

/*
 * One schema for every border: CLI flags, YAML, HTTP and the axes of a grid are all made from it.
 */
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
    .describe(
      "seed of everything drawn; above 0 and with a temperature above 0, it is also sent to the model",
    )
    .meta(leaf({ flag: "seed" })),
  model: z
    .string()
    .nullable()
    .default(null)
    .describe("provider:model, such as openai:gpt-4.1 or google-genai:gemini-2.5-flash")
    .meta(leaf({ flag: "model", strategies: CALLS })),
  recognition: Recognition.prefault({}),
  reasoning: Reasoning.prefault({}),
  generation: Generation.prefault({}),
  search: Search.prefault({}),
  budget: BudgetSettings.prefault({}),
  runtime: Runtime.prefault({}),
});
export type Settings = z.infer<typeof Settings>;
export type SettingsInput = z.input<typeof Settings>;
