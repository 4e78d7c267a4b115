import { z } from "zod";
import { BudgetSettings } from "./budget.ts";
import { Generation } from "./generation.ts";
import { Reasoning } from "./reasoning.ts";
import { Recognition } from "./recognition.ts";
import { Runtime } from "./runtime.ts";
import { settingMeta } from "./setting-meta.ts";

/*
 * The settings that strategies share. `assemble.ts` adds the groups of single strategies and builds the schema from
 * which flags, help, YAML, HTTP, the page's form and the axes of a grid derive.
 */
export const SharedSettings = {
  strategy: z.string().describe("how the question is answered"),
  seed: z
    .int()
    .min(0)
    .default(0)
    .describe(
      "seed of all random choices; above 0 and with a temperature above 0, it is also sent to the model",
    )
    .meta(settingMeta({ flag: "seed", common: true, caller: true })),
  model: z
    .string()
    .nullable()
    .default(null)
    .describe(
      "provider:model, such as openai:gpt-4.1, google-genai:gemini-2.5-flash or, with a package of LangChain installed, anthropic:claude-sonnet-4-5 or ollama:qwen2.5vl",
    )
    .meta(settingMeta({ flag: "model", caller: true, role: "any" })),
  recognition: Recognition.prefault({}),
  reasoning: Reasoning.prefault({}),
  generation: Generation.prefault({}),
  budget: BudgetSettings.prefault({}),
  runtime: Runtime.prefault({}),
};
const Shared = z.strictObject(SharedSettings);

/** Validated settings. Groups of single strategies are members too: see `ownSettings`. */
export type Settings = z.infer<typeof Shared>;
/** Input of `readSettings`: any subset of the settings, including groups of single strategies. */
export type SettingsInput = Partial<z.input<typeof Shared>> & { [group: string]: unknown };

type Groups = Pick<Settings, "recognition" | "reasoning" | "generation" | "budget" | "runtime">;
type PathsOf<Group extends keyof Groups> = `${Group}.${keyof Groups[Group] & string}`;
/** Path of a shared setting: `recognition.frames`. */
export type SettingPath = "model" | { [Group in keyof Groups]: PathsOf<Group> }[keyof Groups];
/** The value of a setting, by its path. */
export type SettingValue<Path extends SettingPath> = Path extends `${infer Group}.${infer Name}`
  ? Group extends keyof Groups
    ? Name extends keyof Groups[Group]
      ? NonNullable<Groups[Group][Name]>
      : never
    : never
  : string;
