import type { AskResult } from "../../graphs/ask.ts";
import type { CallRecord } from "../../src/core/events.ts";
import { NO_USAGE } from "../../src/core/shapes.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { scoreReply } from "../benchmarks/score-reply.ts";
import { type ExtractorOptions, unscored } from "../benchmarks/scored-reply.ts";
import { inDataLetters, scoredInData, shifted } from "./option-orders.ts";
import type { Task } from "./remaining-tasks.ts";
import type { RunLine } from "./run-line.ts";
import { replyOfAnswer } from "./write-reply.ts";

/* The members of a line of `samples.jsonl` that say what was answered. */

/** What a line says of the asking itself. */
type AskedResult = Omit<
  RunLine,
  "sample" | "epoch" | "attempt" | "video" | "started_at" | "seconds" | "time"
>;

/** The answer of a sample, and its reply scored with every extractor of the benchmark. */
export function resultOf(
  { question, answer, evidence, events }: AskResult,
  { sample, shift }: Task,
  { benchmark, extractorOptions }: { benchmark: Benchmark; extractorOptions: ExtractorOptions },
): AskedResult {
  const calls = events.flatMap((event) =>
    event.type === "call" ? [{ ...event.call, stage: event.stage }] : [],
  );
  const cited = new Set(answer.cites);
  const error =
    answer.status === "error"
      ? (answer.error ?? {
          kind: "unexpected",
          message: "The strategy returned an error without a message.",
        })
      : undefined;
  const said = replyOfAnswer(benchmark.answers.written, answer);
  return {
    question: question.id,
    status: answer.status,
    ...said,
    ...(answer.reasoning === undefined ? {} : { reasoning: answer.reasoning }),
    answer: inDataLetters(sample, answer.answer, shift),
    scores: scoresOf(sample, said.reply, error?.message ?? "", benchmark, {
      shift,
      options: extractorOptions,
    }),
    cites: answer.cites,
    cited_by: answer.cited_by,
    ...(answer.confidence === null || answer.confidence_basis === null
      ? {}
      : { confidence: answer.confidence, confidence_basis: answer.confidence_basis }),
    set: answer.set,
    evidence: evidence.items
      .filter((item) => cited.has(item.id) && item.text !== "")
      .map(({ id, kind, start_s, end_s, clip, text }) => ({
        id,
        kind,
        start_s,
        end_s,
        clip,
        text,
      })),
    frames_s: [...new Set(calls.flatMap((call) => call.frames.map((frame) => frame.t_s)))].sort(
      (a, b) => a - b,
    ),
    calls: calls.map(callOf),
    usage: answer.usage,
    limits_met: answer.limits_met,
    diagnostics: {
      ...answer.diagnostics,
      ...(answer.support === undefined ? {} : { support: answer.support.verdict }),
      ...(answer.error === undefined ? {} : { said: answer.error.message }),
    },
    ...(error === undefined ? {} : { error }),
  };
}

function callOf({
  key,
  stage,
  role,
  label,
  model,
  finish,
  cached,
  seconds,
  model_s,
  frames,
  pictures,
  retried,
  usage,
}: CallRecord & { stage: string }) {
  return {
    key,
    stage,
    role,
    label,
    model,
    finish,
    cached,
    seconds: rounded(seconds),
    ...(model_s === undefined ? {} : { model_s: model_s === null ? null : rounded(model_s) }),
    frames: frames.length,
    input: usage.input,
    output: usage.output,
    ...(pictures === undefined ? {} : { pictures }),
    ...(retried === undefined ? {} : { retried }),
    ...(usage.estimated ? { estimated: true as const } : {}),
  };
}

/** The result of a sample without an answer. */
export function resultOfError(
  sample: Sample,
  error: NonNullable<RunLine["error"]>,
  benchmark: Benchmark,
): AskedResult {
  return {
    question: null,
    status: "error",
    reply: null,
    reply_by: null,
    answer: null,
    scores: scoresOf(sample, null, error.message, benchmark),
    cites: [],
    set: null,
    evidence: [],
    frames_s: [],
    calls: [],
    usage: NO_USAGE,
    limits_met: [],
    diagnostics: {},
    error,
  };
}

function scoresOf(
  sample: Sample,
  reply: string | null,
  why: string,
  benchmark: Benchmark,
  { shift = 0, options }: { shift?: number; options?: ExtractorOptions } = {},
): RunLine["scores"] {
  return Object.fromEntries(
    Object.keys(benchmark.extractors).map((name) => {
      const { score } =
        reply === null
          ? unscored(sample, why, name)
          : scoredInData(
              benchmark,
              sample,
              scoreReply(benchmark, shifted(sample, shift), reply, name, options),
              shift,
            );
      const { value, answer, explanation } = score;
      return [name, { value, answer, explanation }];
    }),
  );
}

/** To milliseconds. */
export function rounded(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
