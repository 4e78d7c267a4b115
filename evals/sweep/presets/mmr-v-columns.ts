import { accuracy, groupAccuracy } from "./columns.ts";
import type { PresetColumn } from "./preset.ts";

/* Columns of MMR-V's tables (arXiv 2506.04141). */

/** Accuracy over all questions and over the two kinds of reasoning. `suffix` follows the headings. */
export function reasoningColumns(arm?: string, suffix = ""): PresetColumn[] {
  const kind = (head: string, group: string) =>
    groupAccuracy(`${head}${suffix}`, { kind: "reasoning", group, published: "accuracy", arm });
  return [
    accuracy(`Overall${suffix}`, "accuracy", arm),
    kind("Implicit", "Implicit"),
    kind("Explicit", "Explicit"),
  ];
}

const TYPES: readonly [head: string, group: string][] = [
  ["Art", "Art"],
  ["Life", "Life"],
  ["TV", "TV"],
  ["Film", "Film"],
  ["Ani.", "Animation"],
  ["Phi.", "Philosophy"],
];

/** Accuracy by type of video. */
export const TYPE_COLUMNS: readonly PresetColumn[] = TYPES.map(([head, group]) =>
  groupAccuracy(head, { kind: "video_type", group, published: "accuracy" }),
);
