import { groupAccuracy } from "./columns.ts";
import type { PresetColumn } from "./preset.ts";

/* Arms and columns of VideoMathQA's tables (arXiv 2506.05349). */

export const VIDEOMATHQA_BASE = {
  benchmark: "videomathqa",
  protocol: "official",
  strategy: "direct",
} as const;

/** Settings with subtitles. Gemini gets all of them, other models those at their frames. */
export function subtitled(model: string | null): Record<string, unknown> {
  const isGemini = /^google-genai:gemini/.test(model ?? "");
  return { recognition: { subtitles: isGemini ? "full" : "aligned" } };
}

export const SILENT = { recognition: { subtitles: "off" } } as const;

/** The five options, and pairs of the right option with each of the others. */
export const MCQ = { subset: "mcq" } as const;
export const PAIRS = { subset: "multi_binary" } as const;

const CONCEPTS: readonly [head: string, category: string][] = [
  ["GAng", "Geometry Angle"],
  ["GAre", "Geometry Area"],
  ["GLen", "Geometry Length"],
  ["Chart", "Chart"],
  ["Stat", "Statistics"],
  ["Arth", "Arithmetic"],
  ["Topo", "Topology"],
  ["Grph", "Graph Theory"],
  ["Cntg", "Counting"],
  ["Pzle", "Puzzle"],
];

const DURATIONS: readonly [head: string, length: string][] = [
  ["Short", "short"],
  ["Med", "medium"],
  ["Long", "long"],
];

/** Accuracy by mathematical concept. `published`: the metric that the paper breaks down. */
export function conceptColumns(published: string, arm?: string): PresetColumn[] {
  return CONCEPTS.map(([head, group]) =>
    groupAccuracy(head, { kind: "category", group, published, arm }),
  );
}

/** Accuracy by length of the video: below 30 s, below 2 minutes, and longer. */
export function durationColumns(published?: string, arm?: string): PresetColumn[] {
  return DURATIONS.map(([head, group]) =>
    groupAccuracy(head, { kind: "length", group, published, arm }),
  );
}
