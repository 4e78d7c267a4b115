import { type JudgeOptions, judgeWith } from "../judges/judge-run.ts";
import { judgedFolder, readJudgings } from "../judges/judging.ts";
import { merged } from "../run/eval-settings.ts";
import { extractorOf } from "./extractor-choice.ts";
import { LETTER_SETTINGS, MODEL_LETTER } from "./extractor-settings.ts";
import { letterJudge } from "./letter-judge.ts";
import type { Results } from "./read-results.ts";

export interface LetterOptions extends Omit<JudgeOptions, "folder" | "only" | "data"> {
  /** Whether to call the model for replies without a letter; else only stored letters are read. */
  ask: boolean;
  /** Settings of the calls: those of `readSettings` that a judge reads, such as `runtime`. */
  settings?: unknown;
}

/**
 * Adds the letters that the model of `model-letter` named; results with another extractor stay unchanged.
 * Letters are stored in the run's folder, so that the same call continues where it stopped. Throws as `judgeResults`.
 */
export async function withLetters(
  results: Results,
  path: string,
  { ask, settings = {}, ...options }: LetterOptions,
): Promise<Results> {
  const { name, model, temperature, max_tokens } = extractorOf(results);
  if (name !== MODEL_LETTER) return results;
  const folder = await judgedFolder(path);
  const stored = results.judgings ?? (await readJudgings(folder));
  if (!ask || model === null) return { ...results, judgings: stored };
  const reasoning = {
    temperature: temperature ?? LETTER_SETTINGS.temperature,
    max_tokens: max_tokens ?? LETTER_SETTINGS.max_tokens,
  };
  const judging = await judgeWith(
    letterJudge,
    results,
    // All replies are sent to the model; the extractor given here does not select any.
    {
      kind: letterJudge.kind,
      judge_model: model,
      extractor: "sound",
      text_only: true,
      limit: null,
      settings: merged(settings, { reasoning }),
    },
    { ...options, folder },
  );
  return {
    ...results,
    judgings: [...stored.filter(({ folder: of }) => of !== judging.folder), judging],
  };
}
