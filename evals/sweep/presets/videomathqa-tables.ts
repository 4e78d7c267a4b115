import type { SweepInput } from "../sweep-settings.ts";
import { accuracy } from "./columns.ts";
import type { PresetColumn } from "./preset.ts";
import {
  conceptColumns,
  durationColumns,
  MCQ,
  PAIRS,
  SILENT,
  subtitled,
  VIDEOMATHQA_BASE,
} from "./videomathqa-columns.ts";

/* What tables 1 and 2 of VideoMathQA (arXiv 2506.05349) share: the four arms and their columns. */

/** Arms that need subtitle files. */
export const SUBTITLED_ARMS = ["mcq-subtitles", "mbin-subtitles"];

export const TABLE_ABOUT =
  "MCQ: five options. MBin: all pairs of the right option with another one. V: without subtitles, +Sub: with subtitles. The columns of concepts and durations are MBin +Sub.";

/** The questions as five options and in pairs, without and with subtitles. */
export function fourArms(name: string, cot: boolean, model: string | null): SweepInput {
  const reasoning = { cot };
  return {
    name,
    base: { ...VIDEOMATHQA_BASE },
    arms: [
      { name: "mcq", settings: { ...MCQ, ...SILENT, reasoning } },
      { name: "mcq-subtitles", settings: { ...MCQ, ...subtitled(model), reasoning } },
      { name: "mbin", settings: { ...PAIRS, ...SILENT, reasoning } },
      { name: "mbin-subtitles", settings: { ...PAIRS, ...subtitled(model), reasoning } },
    ],
  };
}

export const TABLE_COLUMNS: readonly PresetColumn[] = [
  accuracy("MCQ V", "MCQ", "mcq"),
  accuracy("MCQ +Sub", "MCQ+subtitles", "mcq-subtitles"),
  accuracy("MBin V", "MBin", "mbin"),
  accuracy("MBin +Sub", "MBin+subtitles", "mbin-subtitles"),
  ...conceptColumns("MBin+subtitles", "mbin-subtitles"),
  ...durationColumns("MBin+subtitles", "mbin-subtitles"),
];

/** The paper has one row for the four arms. */
export function publishedAs(arm: string, table: string) {
  const of = { arm };
  return {
    table,
    arms: { mcq: of, "mcq-subtitles": of, mbin: of, "mbin-subtitles": of },
  };
}
