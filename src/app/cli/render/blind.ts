import { type BeyondBlind, failedBlindTexts } from "../../../../evals/compare/beyond-blind.ts";
import { intervalWords, points } from "../../../../evals/compare/contrast-words.ts";
import { percent } from "../../../core/percent.ts";
import { table } from "../output.ts";

/** The gain of each run over a blind run, which gets no video. */
export function renderBeyondBlind(found: readonly BeyondBlind[]): string {
  const gains = table([
    [
      "beyond blind",
      "blind run",
      "questions",
      "difference",
      "95 % interval",
      "where blind is wrong",
    ],
    ...found.map(({ run, blind, same_model, difference, where_blind_is_wrong: wrong }) => [
      run,
      same_model ? blind : `${blind} (another model)`,
      String(difference.n),
      points(difference.difference),
      intervalWords(difference),
      wrong === null ? "none" : `${percent(wrong.mean)} of ${wrong.n}`,
    ]),
  ]);
  return [gains, ...failedBlindTexts(found)].join("\n");
}
