import { SUBTITLES } from "./needs.ts";
import type { Preset } from "./preset.ts";
import {
  fourArms,
  publishedAs,
  SUBTITLED_ARMS,
  TABLE_ABOUT,
  TABLE_COLUMNS,
} from "./videomathqa-tables.ts";

const NAME = "videomathqa-table-1";

/** Direct answers (arXiv 2506.05349, table 1). */
export const videoMathQaTable1: Preset = {
  name: NAME,
  summary: "VideoMathQA, table 1: direct answers, MCQ and MBin, without and with subtitles",
  needs: [{ ...SUBTITLES, arms: SUBTITLED_ARMS }],
  sweep: (model) => fourArms(NAME, false, model),
  tables: [
    {
      title: "VideoMathQA, table 1",
      about: TABLE_ABOUT,
      rows: [{ arm: "mcq" }],
      columns: TABLE_COLUMNS,
      published: publishedAs("direct", "table 1"),
    },
  ],
};
