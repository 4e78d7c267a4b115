import { resolve } from "node:path";
import { Failure, isFailure } from "../../src/core/errors.ts";
import { NO_USAGE } from "../../src/core/shapes.ts";
import { version } from "../../src/core/version.ts";
import { openRunLog } from "../../src/storage/run-log.ts";
import { benchmarkNamed, withScorers } from "../benchmarks/define-benchmark.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { scoreReply } from "../benchmarks/score-reply.ts";
import { inDataLetters, scoredInData, shifted } from "../run/option-orders.ts";
import { type EvalHeader, RUN_FORMAT } from "../run/run-header.ts";
import type { RunLine } from "../run/run-line.ts";
import { writeQuestions } from "../run/stored-samples.ts";
import { writeReply } from "../run/write-reply.ts";
import { readAnswers, readStudy, type StudyAnswer } from "./study-folder.ts";
import { mixedQuestions } from "./study-questions.ts";

/** A study that was written as a run. */
export interface ExportedStudy {
  folder: string;
  answers: number;
  /** Answers that the plan has. */
  planned: number;
  /** Questions whose pairs went to different people, as in older studies: their epochs have answers of several people. */
  mixed_questions: number;
  /** Lines of the study that cannot be read. */
  damaged: number;
}

/**
 * Writes the answers of a study as a run. A question's answers are its epochs, in the order of the raters in the plan: if
 * everybody answers everything, epoch 1 is the first rater. All pairs of a question in one epoch are answers of one person,
 * except for `mixed_questions`. Throws `Failure` as `readStudy`, and `wrong-usage` if `out` has
 * another run.
 */
export async function exportStudy(folder: string, out: string): Promise<ExportedStudy> {
  const { plan, samples } = await readStudy(folder);
  const { answers, damaged } = await readAnswers(resolve(folder));
  const benchmark = withScorers(benchmarkNamed(plan.benchmark), plan.scorers);
  const log = openRunLog(out);
  await refuseOther(log, plan.study);
  const now = new Date().toISOString();
  const planned = plan.assignments.length;
  const mixed_questions = mixedQuestions(plan.assignments, samples);
  const isDone = answers.length >= planned;
  const header: EvalHeader = {
    run: plan.study,
    format: RUN_FORMAT,
    status: isDone ? "finished" : "stopped",
    ended_by: isDone ? null : `${answers.length} of ${planned} answers were given.`,
    created_at: plan.created_at,
    updated_at: now,
    versions: { "video-rrd": version(), node: process.versions.node },
    benchmark: plan.benchmark,
    data: plan.data,
    selection: {
      ...{ limit: null, sample_id: [], sample_shuffle: null, skip_missing: false },
      ...{ asked: samples.length, skipped: [] },
    },
    epochs: plan.per_item,
    descriptions: "recognised",
    human_study: {
      ...{ raters: plan.raters, per_item: plan.per_item, seed: plan.seed },
      ...(mixed_questions === 0 ? {} : { mixed_questions }),
    },
    settings: { answered_by: "people" },
    settings_hash: `human-study ${plan.study}`,
    ...{ prompts: {}, prompts_replaced: [], protocol: null },
    extractor: {
      name: benchmark.answers.readBy[benchmark.answers.written] ?? "sound",
      ...{ by: "format", model: null, temperature: null, max_tokens: null, reasoning_tags: null },
    },
    scorers: plan.scorers,
    ...{ wordings: null, max_samples: null, fail_on_error: null, total_cost_limit: null },
  };
  await log.writeHeader(header);
  await writeQuestions(log.folder, samples);
  const place = new Map(plan.raters.map((name, index) => [name, index]));
  for (const [item, of] of Map.groupBy(answers, (answer) => answer.item)) {
    const sample = samples[item];
    if (sample === undefined) continue;
    const raters = plan.assignments
      .filter((one) => one.item === item)
      .map(({ rater }) => rater)
      .sort((a, b) => a - b);
    for (const answer of of) {
      const epoch = raters.indexOf(place.get(answer.rater) ?? -1) + 1;
      if (epoch > 0) await log.append(lineOf(sample, epoch, answer));
    }
  }
  return { folder: log.folder, answers: answers.length, planned, mixed_questions, damaged };

  function lineOf(sample: Sample, epoch: number, answer: StudyAnswer): RunLine {
    const { shift, shown, seconds, rater } = answer;
    const reply =
      sample.task === "open" ? `Answer: ${shown}` : writeReply(benchmark.answers.written, shown);
    const scores = Object.keys(benchmark.extractors).map((name) => {
      const seen = scoreReply(benchmark, shifted(sample, shift), reply, name);
      const { score } = scoredInData(benchmark, sample, seen, shift);
      return [name, { value: score.value, answer: score.answer, explanation: score.explanation }];
    });
    return {
      ...{ sample: sample.id, epoch, attempt: 0, video: sample.video, question: null },
      ...(shift === 0 ? {} : { shift }),
      ...{ status: "answered", reply, reply_by: "person" },
      answer: inDataLetters(sample, shown, shift),
      scores: Object.fromEntries(scores),
      ...{ cites: [], set: null, evidence: [], frames_s: [], calls: [], usage: NO_USAGE },
      limits_met: [],
      diagnostics: { rater },
      started_at: new Date(Date.parse(answer.answered_at) - seconds * 1000).toISOString(),
      seconds,
    };
  }
}

/** A folder may hold an earlier export of the same study, which is completed. */
async function refuseOther(log: ReturnType<typeof openRunLog>, study: string): Promise<void> {
  const there = await log.readHeader().catch((error: unknown) => {
    if (isFailure(error, "not-found")) return null;
    throw error;
  });
  if (there === null || there.run === study) return;
  throw new Failure(
    "wrong-usage",
    `${log.folder} already holds another run. Choose another folder with --out.`,
    { folder: log.folder },
  );
}
