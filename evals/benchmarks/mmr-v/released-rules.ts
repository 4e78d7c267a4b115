import type { PublishedExtractor } from "../protocols/protocol.ts";
import type { LetterRule } from "./read-letter.ts";

/* How each evaluation script of GaryStack/MMR-V reads letters. The scripts differ; one scorer reads what they leave. */

interface ReleasedRule {
  rule: LetterRule;
  /** As a noun phrase, for a certificate. */
  reads: string;
}

/** By the name of the extractor. */
export const MMR_V_RULES = {
  official: { rule: {}, reads: "the first [[X]], else the first \\boxed{X}" },
  "official-brackets": { rule: { boxed: false }, reads: "only the first [[X]]" },
  "official-standalone": {
    rule: { standalone: true },
    reads: "the first [[X]], else the first \\boxed{X}, else the last standalone letter",
  },
  "official-last": { rule: { last: true }, reads: "the last [[X]], else the last \\boxed{X}" },
  "official-last-standalone": {
    rule: { last: true, standalone: true },
    reads: "the last [[X]], else the last \\boxed{X}, else the last standalone letter",
  },
} satisfies Record<string, ReleasedRule>;

type RuleName = keyof typeof MMR_V_RULES;

/** Models of the protocol's table with a script of their own. `_cot` in its name: with reasoning. */
const SCRIPTS: readonly (readonly [model: string, script: string, rule: RuleName])[] = [
  ["Claude-3.5-Sonnet", "claude-3-5-sonnet-20241022_on_MMR.py", "official-brackets"],
  ["Claude-3.5-Sonnet", "claude-3-5-sonnet-20241022_on_MMR_cot.py", "official-brackets"],
  ["Gemini-2.0-Flash (512 frames)", "gemini-2.0-flash_on_MMR.py", "official-brackets"],
  ["Gemini-2.0-Flash (16 frames)", "gemini-2.0-flash_on_MMR_frame16.py", "official-brackets"],
  ["Gemini-2.0-Flash-Thinking", "gemini-2.0-flash-thinking_on_MMR.py", "official-brackets"],
  ["Gemini-2.0-Flash-Thinking", "gemini-2.0-flash-thinking_on_MMR_cot.py", "official-brackets"],
  ["Gemini-2.5-Flash", "gemini-2.5-flash_on_MMR.py", "official"],
  ["Gemini-2.5-Flash", "gemini-2.5-flash_on_MMR_cot.py", "official-last"],
  ["Gemma-3-12b-it", "gemma-3-12b-it_on_MMR.py", "official-standalone"],
  ["Gemma-3-12b-it", "gemma-3-12b-it_on_MMR_cot.py", "official-standalone"],
  ["Gemma-3-27b-it", "gemma-3-27b-it_on_MMR.py", "official-standalone"],
  ["Gemma-3-27b-it", "gemma-3-27b-it_on_MMR_cot.py", "official-standalone"],
  ["GPT-4.1", "gpt-4.1_on_MMR.py", "official-brackets"],
  ["GPT-4.1", "gpt-4.1_on_MMR_cot.py", "official-brackets"],
  ["InternVL3-8B", "InternVL3-8B_on_MMR.py", "official-standalone"],
  ["o4-mini", "o4-mini_on_MMR.py", "official"],
  ["o4-mini", "o4-mini_on_MMR_cot.py", "official"],
  ["Phi-4-multimodal-instruct", "Phi-4-multimodal-instruct_on_MMR.py", "official-standalone"],
  [
    "Phi-4-multimodal-instruct",
    "Phi-4-multimodal-instruct_on_MMR_cot.py",
    "official-last-standalone",
  ],
  ["Qwen2.5-VL-7B", "qwen2.5-VL-7B_on_MMR_cot.py", "official-brackets"],
  ["Qwen2.5-VL-72B", "qwen2.5-VL-72B_on_MMR.py", "official-brackets"],
];

const REPOSITORY = "GaryStack/MMR-V";

/** The extractor of the script for a model of the table, with or without reasoning; null: not in the table. */
export function releasedExtractor(cot: boolean, model: string | null): PublishedExtractor {
  const reads = Object.fromEntries(
    Object.entries(MMR_V_RULES).map(([name, rule]) => [name, rule.reads]),
  );
  const of = { model: null, reads };
  const own = SCRIPTS.find(([name, script]) => name === model && script.includes("_cot") === cot);
  if (own === undefined)
    return {
      ...of,
      name: "official",
      source: `${REPOSITORY} evaluation/*.py and scripts/main-results.py`,
      unidentified: `no script ${cot ? "with" : "without"} CoT was released for this model, and those for other models read letters in different ways; the general evaluation/server_evaluation_on_MMR.py reads as official-standalone does`,
    };
  const [, script, name] = own;
  return { ...of, name, source: `${REPOSITORY} evaluation/${script} and scripts/main-results.py` };
}
