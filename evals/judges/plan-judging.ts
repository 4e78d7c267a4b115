import { loadPrompts } from "../../prompts/load-prompts.ts";
import { batchPrices, costOf, readPrices } from "../../src/models/prices.ts";
import type { Note } from "../benchmarks/sample.ts";
import { checkRunBatches } from "../run/run-batches.ts";
import type { Results } from "../score/read-results.ts";
import { judgeFor } from "./define-judge.ts";
import type { Judge } from "./judge.ts";
import {
  type JudgeAsked,
  type JudgeInput,
  judgeRuns,
  judgeSettings,
  readJudgeInput,
} from "./judge-settings.ts";
import { subjectsOf } from "./subjects.ts";

/** What a judging would ask for if nothing of it stood yet; frames are not counted in the tokens. */
export interface JudgingPlan {
  replies: number;
  /** Without and with a second call for every reply of the judge. */
  calls: { least: number; most: number };
  tokens: { input: number; output_most: number };
  /** Dollars without second calls, each reply as long as it may be; null where the judge has no price. */
  cost_most: number | null;
  left_out: Note[];
}

/** Plans a judging: reads prompts and results, calls no model. Throws `Failure` as `judgeResults` before its first call. */
export async function planJudging(results: Results, input: JudgeInput): Promise<JudgingPlan> {
  const asked = readJudgeInput(input);
  const judge = judgeFor(asked.kind, results.benchmark);
  const own = await planJudge(judge, results, asked);
  if (judge.after === undefined) return own;
  const first = await planJudge(judgeFor(judge.after, results.benchmark), results, {
    ...asked,
    kind: judge.after,
    judge_runs: 1,
  });
  return {
    ...own,
    calls: {
      least: own.calls.least + first.calls.least,
      most: own.calls.most + first.calls.most,
    },
    tokens: {
      input: own.tokens.input + first.tokens.input,
      output_most: own.tokens.output_most + first.tokens.output_most,
    },
    cost_most:
      own.cost_most === null || first.cost_most === null ? null : own.cost_most + first.cost_most,
  };
}

async function planJudge(
  judge: Judge<unknown>,
  results: Results,
  asked: JudgeAsked,
): Promise<JudgingPlan> {
  const settings = judgeSettings(asked, judge, undefined);
  const prompts = await loadPrompts(settings.runtime.prompts);
  checkRunBatches(settings, ["judge"]);
  const listed = await readPrices(settings.runtime.prices);
  const prices = settings.runtime.batch ? batchPrices(listed) : listed;
  const { subjects, left_out } = subjectsOf(judge, results, asked.extractor);
  const chosen = asked.limit === null ? subjects : subjects.slice(0, asked.limit);
  const texts = chosen.flatMap((subject) => judge.ask(subject, prompts).map(({ text }) => text));
  const runs = judgeRuns(asked);
  const calls = texts.length * runs;
  const tokens = {
    input: runs * texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0),
    output_most: calls * settings.reasoning.max_tokens,
  };
  const price = prices[asked.judge_model];
  return {
    replies: chosen.length,
    calls: { least: calls, most: 2 * calls },
    tokens,
    cost_most: costOf(price, { input: tokens.input, output: tokens.output_most }),
    left_out,
  };
}
