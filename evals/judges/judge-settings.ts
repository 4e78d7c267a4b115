import { z } from "zod";
import { strategyThat } from "../../graphs/define-strategy.ts";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure } from "../../src/core/errors.ts";
import { readSettings, type Settings } from "../../src/core/settings.ts";
import { merged } from "../run/eval-settings.ts";
import { judges } from "./define-judge.ts";
import type { Judge } from "./judge.ts";

/** What `judge` is asked for, from any border. */
const JudgeAsked = z.strictObject({
  kind: z.string({ error: "the name of a kind of judge" }),
  judge_model: z.string({ error: "a provider:model, such as openai:gpt-4.1" }),
  /** How often each reply is judged, for a kind that can be judged several times. */
  judge_runs: z
    .int({ error: "a whole number from 1 to 25" })
    .min(1, { error: "a whole number from 1 to 25" })
    .max(25, { error: "a whole number from 1 to 25" })
    .optional(),
  /** By which extractor a reply is wrong, if only wrong ones are judged; default: that of the results. */
  extractor: z.string().optional(),
  /** Send no frames. */
  text_only: z.boolean().default(false),
  /** Only the first replies. */
  limit: z
    .int({ error: "a whole number from 1" })
    .min(1, { error: "a whole number from 1" })
    .nullable()
    .default(null),
  /** Of the calls: anything of `readSettings` that a single call reads. */
  settings: z.unknown().default({}),
});
/** What is judged, by which kind of judge and which model. */
export type JudgeInput = z.input<typeof JudgeAsked>;
export type JudgeAsked = z.infer<typeof JudgeAsked>;

/** Throws `Failure` `wrong-setting`. */
export function readJudgeInput(input: unknown): JudgeAsked {
  const read = JudgeAsked.safeParse(input);
  if (!read.success) {
    const issue = read.error.issues[0];
    const name = String(issue?.path[0] ?? "");
    const given = (input as Record<string, unknown> | null)?.[name];
    throw new Failure(
      "wrong-setting",
      issue?.code === "unrecognized_keys"
        ? `Unknown setting \`${issue.keys[0]}\`; known here: ${Object.keys(JudgeAsked.shape).join(", ")}.`
        : `Invalid --${name.replaceAll("_", "-")}${given === undefined ? "" : ` ${JSON.stringify(given)}`}: use ${describeExpected(issue)}.`,
      { name, given },
    );
  }
  const { kind, judge_runs } = read.data;
  if (judges.find(kind) === undefined)
    throw new Failure(
      "wrong-setting",
      `Invalid --kind ${JSON.stringify(kind)}: use ${judges.names().join(", ")}.`,
      { kind },
    );
  if (judge_runs !== undefined && judges.get(kind).runs === undefined)
    throw new Failure(
      "wrong-setting",
      `Invalid --judge-runs for --kind ${kind}, which is judged once: leave it out.`,
      { kind },
    );
  return read.data;
}

/** How often each reply is judged. */
export function judgeRuns({ kind, judge_runs }: JudgeAsked): number {
  return judge_runs ?? judges.find(kind)?.runs ?? 1;
}

/** Settings of a judge's calls: the released judge's temperature, room for thinking, and what was given over it. */
export function judgeSettings(
  { judge_model, settings }: JudgeAsked,
  { temperature }: Judge<unknown>,
  data: string | undefined,
): Settings {
  const own = {
    strategy: seeing().name,
    model: judge_model,
    reasoning: { temperature, max_tokens: 8192 },
    recognition: { frames: 16 },
    runtime: data === undefined ? {} : { data },
  };
  return readSettings(merged(own, settings));
}

/** Judges are shown what a strategy is shown that asks everything in one call. */
function seeing() {
  return strategyThat(
    "that asks in one call",
    ({ approach, shows }) => approach === "single-call" && shows === "video",
  );
}

/** What judgements depend on in addition to the reply: kind, judge, settings of its calls, and the prompts. */
export function judgingIdentity(
  { kind, sees }: Judge<unknown>,
  { model, reasoning, generation, recognition, budget }: Settings,
  prompts: Record<string, string>,
  text_only: boolean,
) {
  const { temperature, max_tokens } = reasoning;
  const { sampler, frames, fps, max_side, max_area, quality } = recognition;
  const looks = sees && !text_only;
  return {
    ...{ kind, model, temperature, max_tokens, budget, prompts },
    ...Object.fromEntries(Object.entries(generation).filter(([, value]) => value !== null)),
    frames: looks ? { sampler, frames, fps, max_side, max_area, quality } : null,
  };
}
