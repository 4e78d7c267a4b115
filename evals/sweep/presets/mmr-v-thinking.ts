import { reasoningColumns, TYPE_COLUMNS } from "./mmr-v-columns.ts";
import type { Preset } from "./preset.ts";

/** Models of OpenAI that take an effort and always think. */
const TAKES_EFFORT = /^(openai|groq):(.*\/)?(o\d|gpt-[5-9]|gpt-oss)/;
/** Models of Gemini that take an effort. */
const TAKES_LEVEL = /^google-genai:gemini-([3-9]|\d\d)/;

/** The settings with which a model thinks least, and most. */
function thinking(model: string | null): Record<"off" | "on", Record<string, unknown>> {
  if (TAKES_EFFORT.test(model ?? ""))
    return { off: { reasoning_effort: "low" }, on: { reasoning_effort: "high" } };
  if (TAKES_LEVEL.test(model ?? ""))
    return { off: { reasoning_effort: "minimal" }, on: { reasoning_effort: "high" } };
  return { off: { thinking_budget: 0 }, on: { thinking_budget: -1 } };
}

/** Thinking off and on (arXiv 2506.04141, section 4.2, which compares models with their thinking versions). */
export const mmrVThinking: Preset = {
  name: "mmr-v-thinking",
  summary: "MMR-V, section 4.2: the same model with and without thinking",
  sweep: (model) => ({
    name: "mmr-v-thinking",
    base: { benchmark: "mmr-v", protocol: "official", strategy: "direct" },
    arms: Object.entries(thinking(model)).map(([name, generation]) => ({
      name: `thinking-${name}`,
      settings: { generation },
    })),
  }),
  tables: [
    {
      title: "MMR-V, with and without thinking",
      about:
        "Off and on are --thinking-budget 0 and -1 (`enable_thinking` for vLLM), or --reasoning-effort low and high for OpenAI's reasoning models, minimal and high from Gemini 3. The paper compares Gemini-2.0-Flash (16 frames) with Gemini-2.0-Flash-thinking.",
      labels: ["Thinking"],
      rows: [
        { labels: ["off"], arm: "thinking-off" },
        { labels: ["on"], arm: "thinking-on", against: "thinking-off" },
      ],
      columns: [...reasoningColumns(), ...TYPE_COLUMNS],
      published: {
        table: "table 3",
        models: ["Gemini-2.0-Flash (16 frames)"],
        arms: {
          "thinking-off": { arm: "direct" },
          "thinking-on": { arm: "direct", model: "Gemini-2.0-Flash-thinking" },
        },
      },
    },
  ],
};
