import { addUsage, NO_USAGE } from "../../src/core/shapes.ts";
import { judgeWith } from "../judges/judge-run.ts";
import { type JudgementLine, type Judging, readJudgings, withPaid } from "../judges/judging.ts";
import { Grade, gradedText, gradeJudge } from "../judges/open-answer.ts";
import { replyKey } from "../judges/reply-key.ts";
import { Rubric, renderedRubric } from "../judges/rubric.ts";
import type { Results } from "../score/read-results.ts";
import type { GradedReply, Grades } from "../scorers/grading.ts";
import type { GradeRequest } from "./define-grader.ts";

/** Grades replies as judgements of the run. */
export async function gradeByModel(request: GradeRequest): Promise<Grades> {
  const { results, settings, folder, ask, calls = {}, ...options } = request;
  const model = String(settings.judge_model);
  const rubric = settings.rubric == null ? null : renderedRubric(Rubric.parse(settings.rubric));
  const judge = gradeJudge(rubric);
  if (!ask) {
    const stored = (await readJudgings(folder)).filter(
      ({ header }) =>
        header.kind === judge.kind &&
        header.judge === model &&
        judge.prompts.every(
          (prompt) => typeof prompt === "string" || header.prompts[prompt.name] === prompt.hash,
        ) &&
        (rubric !== null || header.prompts["judges/grade-rubric"] !== undefined),
    );
    return gradesOf(model, results, stored);
  }
  const judging = await judgeWith(
    judge,
    results,
    {
      kind: judge.kind,
      judge_model: model,
      text_only: true,
      limit: null,
      // All open answers are graded; the extractor given here only leaves out replies without one.
      extractor: "sound",
      settings: calls,
    },
    { ...options, folder },
  );
  return gradesOf(model, results, [judging]);
}

/** The latest grade of each reply whose call did not fail; an error only if every call failed. */
function gradesOf(model: string, { said }: Results, judgings: readonly Judging[]): Grades {
  const lines = [...judgings]
    .sort((a, b) => a.header.created_at.localeCompare(b.header.created_at))
    .flatMap((judging) => judging.lines)
    .filter((line) => line.epoch === 1);
  const failedFirst = [...lines].sort((a, b) => Number(!a.error) - Number(!b.error));
  const byReply = new Map(failedFirst.map((line) => [line.sample, line]));
  return {
    of(reply) {
      const line = byReply.get(keyOf(reply));
      return line === undefined ? null : gradeOf(line, model);
    },
    report: {
      by: model,
      // The folder may have grades of other replies, which are not asked for again.
      failed: said.filter((reply) => byReply.get(keyOf(reply))?.error !== undefined).length,
      usage: withPaid(
        lines.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
        judgings,
      ),
    },
  };
}

function keyOf({ sample, epoch, reply, question_hash }: Omit<GradedReply, "extraction">): string {
  const text = gradedText(reply?.trim() ?? "").trim();
  return replyKey({ sample, epoch, text, question_hash });
}

function gradeOf({ error, parts }: JudgementLine, model: string) {
  if (error !== undefined) return { value: null, explanation: `not graded: ${error.message}` };
  const read = Grade.safeParse(parts[0]?.value);
  return read.success
    ? { value: read.data.grade, explanation: `graded by ${model}: ${read.data.reason}` }
    : { value: null, explanation: `not graded: ${parts[0]?.why ?? "no grade could be read"}` };
}
