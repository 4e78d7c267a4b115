import { at, recognitionInput, type Settings, type Strategy } from "../src/core/settings.ts";
import type { BenchmarkName } from "./benchmarks/benchmark.ts";

/*
 * How the papers asked, as data. A run by `--protocol official` takes these settings where nothing else is given;
 * whatever differs in the end is listed as a deviation.
 */

interface Protocol {
  /** Models it was published for, by name; null: any other, for which a number had to be taken. */
  models: RegExp | null;
  /** Of what it is the setting, for a person. */
  of: string;
  /** Path of a setting -> its value, or the values that were published where it depends on the model. */
  settings: Readonly<Record<string, unknown>>;
  /** In place of `settings.reasoning.max_tokens` where the reasoning is asked for. */
  cotTokens?: number;
}

interface PublishedWay {
  source: string;
  /** Strategies that the paper measured. */
  strategies: readonly Strategy[];
  /** First whose `models` fits counts. */
  protocols: readonly Protocol[];
}

const AS_IT_IS = { "recognition.max_side": null, "recognition.max_area": null };
const even = (frames: number) => ({
  "recognition.sampler": "ends",
  "recognition.frames": frames,
  ...AS_IT_IS,
});

export const PUBLISHED_WAYS: Record<BenchmarkName, PublishedWay> = {
  vcrbench: {
    source: "VCRBench, arXiv 2505.08455, and its released code",
    strategies: ["direct", "rrd"],
    protocols: [
      {
        models: /qwen/i,
        of: "Qwen2.5-VL",
        settings: {
          "recognition.sampler": "fps",
          "recognition.fps": 1,
          "recognition.max_side": null,
          "recognition.max_area": 151_200,
          "reasoning.max_tokens": 512,
        },
      },
      {
        models: /internvl/i,
        of: "InternVL",
        settings: { ...AS_IT_IS, "recognition.sampler": "midpoints", "recognition.frames": 64 },
      },
      {
        models: /gpt-4o/i,
        of: "GPT-4o",
        settings: {
          ...AS_IT_IS,
          "recognition.sampler": "fps-else-N",
          "recognition.fps": 1,
          "recognition.frames": 32,
        },
      },
      {
        models: null,
        of: "GPT-4o",
        settings: {
          ...AS_IT_IS,
          "recognition.sampler": "fps-else-N",
          "recognition.fps": 1,
          "recognition.frames": 32,
        },
      },
    ],
  },
  "mmr-v": {
    source: "MMR-V, arXiv 2506.04141, and its released code",
    strategies: ["direct"],
    protocols: [
      // Paper and code disagree for these three (half as many in the code); the paper's number is taken.
      { models: /gemma-3-27b/i, of: "Gemma-3-27b", settings: even(32) },
      { models: /qwen2\.5-vl-7b/i, of: "Qwen2.5-VL-7B", settings: even(16) },
      { models: /internvl3-8b/i, of: "InternVL3-8B", settings: even(16) },
      {
        models: /gemini/i,
        of: "Gemini with 512 frames",
        settings: {
          ...AS_IT_IS,
          "recognition.sampler": "fps-else-N",
          "recognition.fps": 1,
          "recognition.frames": 512,
        },
      },
      { models: null, of: "the models with 16 frames", settings: even(16) },
    ],
  },
  videomathqa: {
    source: "VideoMathQA, arXiv 2506.05349, and its task in lmms-eval",
    strategies: ["direct", "blind", "key-frame"],
    protocols: [
      {
        models: /qwen/i,
        of: "Qwen2.5-VL",
        settings: { ...even(768), "reasoning.temperature": 0, "reasoning.max_tokens": 16 },
        cotTokens: 8096,
      },
      {
        models: /./,
        of: "the models with 32 frames",
        settings: { ...even(32), "reasoning.temperature": 0, "reasoning.max_tokens": 16 },
        cotTokens: 8096,
      },
    ],
  },
};

/** What the protocol says for a model, nested as settings are, without what the strategy does not read. */
export function protocolSettings(benchmark: BenchmarkName, given: unknown): unknown {
  const strategy = String(at(given, "strategy") ?? "");
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [path, value] of wantedBy(benchmark, given)) {
    const [group = "", name = ""] = path.split(".");
    if (!reads(strategy, path)) continue;
    nested[group] ??= {};
    nested[group][name] = value;
  }
  return nested;
}

function wantedBy(benchmark: BenchmarkName, given: unknown): [string, unknown][] {
  const { settings, cotTokens } = protocolFor(benchmark, modelNamed(given));
  const cot = at(given, "reasoning.cot") === true;
  const wanted = Object.entries(settings).map(([path, value]): [string, unknown] =>
    path === "reasoning.max_tokens" && cot && cotTokens !== undefined
      ? [path, cotTokens]
      : [path, value],
  );
  // The papers look at the whole video; a clip's own frames are ours.
  const strategy = at(given, "strategy");
  return strategy === "direct" || (benchmark === "vcrbench" && strategy === "rrd")
    ? [...wanted, ["recognition.input", "whole-video"]]
    : wanted;
}

function modelNamed(given: unknown): string {
  return String(at(given, "reasoning.model") ?? at(given, "model") ?? "");
}

function protocolFor(benchmark: BenchmarkName, model: string): Protocol {
  const { protocols } = PUBLISHED_WAYS[benchmark];
  const found = protocols.find(({ models }) => models === null || models.test(model));
  return found ?? (protocols.at(-1) as Protocol);
}

/** How a strategy that sees less than the protocol says is asked: nothing to sample, or one frame. */
function reads(strategy: string, path: string): boolean {
  if (strategy === "random" || strategy === "extractive") return false;
  // A turn of an agent holds calls of tools, for which the tokens of a letter would not do.
  if (strategy === "agent") return path !== "reasoning.max_tokens";
  if (strategy === "blind") return !path.startsWith("recognition.");
  if (strategy === "key-frame")
    return path !== "recognition.frames" && path !== "recognition.fps" && !path.endsWith("sampler");
  return true;
}

/** What a run is told about that its settings do not say. */
export interface RunFacts {
  /** Default `recognised`. */
  descriptions?: "recognised" | "gold";
  /** Prompts that a folder of the user's replaced. */
  replaced: readonly string[];
  /** Prompts that the run can use, by the wording of its benchmark. */
  asked: number;
  of: number;
}

/** In what a run differs from the published way, one clause each; empty where it does not. */
export function deviationsOf(
  benchmark: BenchmarkName,
  settings: Settings,
  { replaced, asked, of, descriptions }: RunFacts,
): string[] {
  const way = PUBLISHED_WAYS[benchmark];
  const found: string[] = [];
  const { strategy } = settings;
  if (!way.strategies.includes(strategy))
    found.push(`the strategy ${strategy} is none of the paper's (${way.strategies.join(", ")})`);
  const protocol = protocolFor(benchmark, modelNamed(settings));
  if (protocol.models === null && strategy !== "extractive" && strategy !== "random")
    found.push(`no setting was published for this model: that of ${protocol.of} was taken`);
  for (const [path, wanted] of wantedBy(benchmark, settings)) {
    if (!reads(strategy, path)) continue;
    const has = path === "recognition.input" ? recognitionInput(settings) : at(settings, path);
    if (has !== wanted)
      found.push(
        `${path} is ${JSON.stringify(has)} where ${protocol.of} had ${JSON.stringify(wanted)}`,
      );
  }
  if (strategy !== "extractive" && strategy !== "random" && replaced.length === 0)
    found.push("the prompts are worded by us, not the paper's (no --prompts)");
  if (benchmark === "videomathqa" && settings.reasoning.cot)
    found.push(
      "the letter of a reasoned answer is read by rule, where the paper has Qwen3-4B name it",
    );
  if (descriptions === "gold")
    found.push("the step names stood in place of recognised descriptions");
  if (asked < of) found.push(`${asked} of the ${of} samples of the data were asked`);
  return found;
}
