import { join } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../src/core/atomic-file.ts";
import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import { jsonOrUndefined } from "../../src/core/json-or-undefined.ts";
import { Program, programText } from "../../src/core/program.ts";
import { readTextIfPresent } from "../../src/core/read-text.ts";
import { makeFolder } from "../../src/storage/make-folder.ts";
import { availableExtractors } from "../score/extractor-agreement.ts";
import { scoreReplies } from "../score/score-replies.ts";
import type { GradedReply, Grades } from "../scorers/grading.ts";
import { references } from "../scorers/references.ts";
import type { GradeRequest } from "./define-grader.ts";
import { type ProgramInput, runProgram } from "./run-program.ts";

const TIMEOUT_S = 600;
const FORMAT = 1;

/** The scores of one program, in `scores/` of the run. */
const Stored = z.object({
  format: z.int(),
  program: Program,
  /** Scores by the input of the program. */
  scores: z.record(
    z.string(),
    z.object({ sample: z.string(), value: z.number(), explanation: z.string().nullable() }),
  ),
});
type Scores = z.infer<typeof Stored>["scores"];

/** Has a user's program score replies to questions with this scorer. Scores are stored with the run; a reply is scored again only if it changed. */
export async function gradeByProgram(request: GradeRequest, scorer: string): Promise<Grades> {
  const { results, settings, folder, ask, signal, onProgress } = request;
  const { benchmark } = results;
  const program = Program.parse(settings.scorer_command);
  const identity = hashOf(program).slice(0, 8);
  const file = join(folder, "scores", `command-${identity}.json`);
  let scores = await readScores(file);
  const groupsOf = ({ sample }: GradedReply) => benchmark.groups(sample);
  if (ask) {
    // Another extractor may read another answer, which gets its own score.
    const inputs = availableExtractors(results)
      .flatMap((extractor) => scoreReplies(results, extractor))
      .filter(({ sample, reply }) => reply !== null && isScored(results, sample.task, scorer))
      .map((reply) => inputOf(reply, groupsOf(reply)));
    const all = [...new Map(inputs.map((input) => [hashOf(input), input])).values()];
    const missing = all.filter((input) => scores[hashOf(input)] === undefined);
    onProgress?.(all.length - missing.length, all.length);
    if (missing.length > 0) {
      const timeout_s = Number(settings.scorer_timeout ?? TIMEOUT_S);
      const given = await runProgram(program, missing, { timeout_s, signal });
      const fresh = missing.map((input, place) => {
        const { value, explanation } = given[place] ?? { value: 0, explanation: null };
        return [hashOf(input), { sample: input.id, value, explanation }] as const;
      });
      // Another process may have stored scores in the meantime.
      scores = { ...(await readScores(file)), ...Object.fromEntries(fresh) };
      await makeFolder(join(folder, "scores"));
      await writeAtomically(
        file,
        `${JSON.stringify({ format: FORMAT, program, scores }, null, 1)}\n`,
      );
      onProgress?.(all.length, all.length);
    }
  }
  const by = programText(program);
  return {
    of(reply) {
      const score = scores[hashOf(inputOf(reply, groupsOf(reply)))];
      if (score === undefined) return null;
      const { value, explanation } = score;
      return { value, explanation: `${explanation ?? `scored ${value}`} (${by})` };
    },
    report: { by, failed: 0, usage: null },
  };
}

function isScored(
  { benchmark }: GradeRequest["results"],
  task: GradedReply["sample"]["task"],
  scorer: string,
) {
  return benchmark.scorers[task]?.name === scorer;
}

/** The program's input for a reply, with the letters of the data. */
function inputOf(
  { sample, epoch, reply, extraction }: GradedReply,
  groups: Record<string, string>,
): ProgramInput {
  const { id, task, question, options, answer } = sample;
  return {
    ...{ id, epoch, task, question, options },
    answer: extraction?.answer ?? null,
    reference: answer,
    references: references(sample),
    reply,
    groups,
  };
}

async function readScores(file: string): Promise<Scores> {
  const text = await readTextIfPresent(file);
  if (text === null) return {};
  const read = Stored.safeParse(jsonOrUndefined(text));
  if (read.success && read.data.format === FORMAT) return read.data.scores;
  throw new Failure(
    read.success ? "store-format" : "data-malformed",
    `Cannot read the scores in ${file}: ${read.success ? "they were written by a newer version of video-rrd" : "the file is damaged"}. Remove it to score the replies again.`,
    { file },
  );
}
