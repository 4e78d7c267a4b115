import { stepScore } from "./judged-columns.ts";
import { SUBTITLES } from "./needs.ts";
import type { Preset } from "./preset.ts";
import {
  fourArms,
  publishedAs,
  SUBTITLED_ARMS,
  TABLE_ABOUT,
  TABLE_COLUMNS,
} from "./videomathqa-tables.ts";

const NAME = "videomathqa-table-2";
/** The paper does not say whether the judged replies had subtitles. */
const JUDGED = "mcq-subtitles";

/** Chains of thought, with the score of their steps (arXiv 2506.05349, table 2). */
export const videoMathQaTable2: Preset = {
  name: NAME,
  summary: "VideoMathQA, table 2: chains of thought, with the judged score of their steps",
  needs: [{ ...SUBTITLES, arms: SUBTITLED_ARMS }],
  judges: [{ kind: "steps", arms: [JUDGED] }],
  sweep: (model) => fourArms(NAME, true, model),
  tables: [
    {
      title: "VideoMathQA, table 2",
      about: `${TABLE_ABOUT} CoT Eval: from 0 to 10, the judged steps of MCQ +Sub; the paper does not say whether it judged replies with subtitles.`,
      rows: [{ arm: "mcq" }],
      columns: [...TABLE_COLUMNS, stepScore("CoT Eval", "step score", JUDGED)],
      published: publishedAs("direct, cot", "table 2"),
    },
  ],
};
