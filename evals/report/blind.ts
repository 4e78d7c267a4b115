import type { ReportTable } from "../../src/pages/report-data.ts";
import { beyondBlind, failedBlindTexts, otherBlindScorers } from "../compare/beyond-blind.ts";
import { FEW_CLUSTERS_NOTE, intervalWords, points } from "../compare/contrast-words.ts";
import { percent, withInterval } from "./figures.ts";
import type { ReportOptions, ReportRun } from "./run.ts";

/** The accuracy that each run gains over a blind run; no table if there is no blind run over their data. */
export function blindTables(
  runs: readonly ReportRun[],
  { seed = 0 }: Pick<ReportOptions, "seed">,
): ReportTable[] {
  const named = runs.map(({ name, results }) => ({ ...results, name }));
  const found = beyondBlind(named, { seed });
  const notCompared = otherBlindScorers(named);
  if (found.length === 0 && notCompared.length === 0) return [];
  return [
    {
      title: "Accuracy beyond blind",
      about: [
        "The same questions without the video. Difference: percentage points with the paired interval clustered by video. Last column: accuracy on the questions that the blind run gets wrong, with the number of these questions.",
        ...notCompared,
        ...failedBlindTexts(found),
        ...(found.some(({ difference }) => difference.n_too_small) ? [FEW_CLUSTERS_NOTE] : []),
      ].join(" "),
      head: [
        "Run",
        "Blind run",
        "Questions",
        "Accuracy",
        "Blind",
        "Difference",
        "95 % interval",
        "Where blind is wrong",
      ],
      words: 2,
      rows: found.map(
        ({ run, blind, same_model, difference, where_blind_is_wrong: wrong, ...of }) => [
          run,
          same_model ? blind : `${blind} (another model)`,
          String(difference.n),
          percent(of.accuracy),
          percent(of.blind_accuracy),
          points(difference.difference),
          intervalWords(difference),
          wrong === null ? "–" : `${withInterval(wrong)} (${wrong.n})`,
        ],
      ),
    },
  ];
}
