import { type JudgeOptions, judgeWith } from "../judges/judge-run.ts";
import { judgedFolder, readJudgings } from "../judges/judging.ts";
import { merged } from "../run/eval-settings.ts";
import { extractorOf } from "./extractor-choice.ts";
import { LETTER_SETTINGS, MODEL_LETTER } from "./extractor-settings.ts";
import { letterJudge } from "./letter-judge.ts";
import type { Results } from "./read-results.ts";

export interface LetterOptions extends Omit<JudgeOptions, "folder" | "only" | "data"> {
  /** Whether letters that are not named yet are asked for; else only those kept from before are read. */
  ask: boolean;
  /** Settings of the calls: those of `readSettings` that a judge reads, such as `runtime`. */
  settings?: unknown;
}

/**
 * Results that `model-letter` reads, with the letters that its model named; results of another extractor unchanged.
 * Named letters are kept next to the run, so that the same call continues where it stopped. Throws as `judgeResults`.
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
    // Every reply has its letter named, whichever are right.
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
