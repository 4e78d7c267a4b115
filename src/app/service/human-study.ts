import { join } from "node:path";
import {
  appendAnswer,
  readAnswers,
  readStudy,
  type StudyAnswer,
} from "../../../evals/human-study/study-folder.ts";
import { shifted } from "../../../evals/run/option-orders.ts";
import { Failure } from "../../core/errors.ts";
import { createTurns } from "../../core/turns.ts";
import { httpProblem, notFound } from "./problems.ts";

/**
 * A human study that the service asks: hands out the questions of each rater in the planned order, measures the time from
 * the first view, and appends the answers to the study's folder. Throws `Failure` as `readStudy`, and `not-found` for
 * missing videos.
 */
export async function openHumanStudy(folder: string) {
  const { plan, samples, folder: root } = await readStudy(folder);
  const missing = samples.find(({ hasVideo }) => !hasVideo);
  if (missing !== undefined)
    throw new Failure(
      "not-found",
      `The video ${missing.video} of the human study is missing in ${plan.data.folder}. Add it and make the study again, or use --skip-missing with \`human-study make\`.`,
      { video: missing.video },
    );
  const key = (rater: string, item: number) => `${item} ${rater}`;
  const answered = new Set(
    (await readAnswers(root)).answers.map(({ rater, item }) => key(rater, item)),
  );
  /** When a question was first handed out, on the monotonic clock. */
  const begun = new Map<string, number>();
  const inTurn = createTurns();

  function assignmentsOf(rater: string) {
    const place = plan.raters.indexOf(rater);
    if (place < 0)
      throw httpProblem(
        403,
        "not-a-rater",
        `${JSON.stringify(rater)} is not a rater of this study. The operator names raters with \`human-study make --rater-names\`.`,
      );
    return plan.assignments.filter((one) => one.rater === place);
  }

  function assigned(rater: string, item: number) {
    const assignment = assignmentsOf(rater).find((one) => one.item === item);
    const sample = samples[item];
    if (assignment === undefined || sample === undefined) throw notFound("a question");
    return { ...assignment, sample };
  }

  function progressOf(rater: string) {
    const own = assignmentsOf(rater);
    const done = own.filter(({ item }) => answered.has(key(rater, item))).length;
    return { rater, done, total: own.length };
  }

  return {
    raters: plan.raters,
    progressOf,
    /** The next question of a rater as this rater sees it; null after the last. */
    next(rater: string) {
      const open = assignmentsOf(rater).find(({ item }) => !answered.has(key(rater, item)));
      if (open === undefined) return null;
      const { sample, item, shift } = assigned(rater, open.item);
      const at = key(rater, item);
      if (!begun.has(at)) begun.set(at, performance.now());
      const seen = shifted(sample, shift);
      return {
        id: item,
        task: sample.task,
        question: sample.question,
        goal: sample.goal ?? null,
        options: sample.task === "choice" ? seen.options : [],
        clips: Array.isArray(sample.answer) ? sample.answer.length : null,
      };
    },
    /** Stores an answer. Throws a 404 (not a question of this rater), 409 (answered already) or 422 problem. */
    answer(
      rater: string,
      given: { item: number; answer: string | number[]; seconds?: number | undefined },
    ) {
      const { sample, item, shift } = assigned(rater, given.item);
      return inTurn(key(rater, item), async () => {
        const at = key(rater, item);
        if (answered.has(at))
          throw httpProblem(409, "answered", "You answered this question already.");
        const began = begun.get(at);
        if (began === undefined)
          throw httpProblem(409, "not-asked", "Get the question first, so that its time is known.");
        const measured = (performance.now() - began) / 1000;
        const answer: StudyAnswer = {
          ...{ rater, item, sample: sample.id, shift },
          shown: readAnswer(sample, given.answer),
          seconds: Math.round(Math.min(given.seconds ?? measured, measured) * 1000) / 1000,
          answered_at: new Date().toISOString(),
        };
        // One file: lines of different raters must not mix.
        await inTurn("answers", () => appendAnswer(root, answer));
        answered.add(at);
        begun.delete(at);
        return progressOf(rater);
      });
    },
    /** Absolute path of the video of a question of this rater. */
    videoPath: (rater: string, item: number): string =>
      join(plan.data.folder, assigned(rater, item).sample.video),
  };
}

export type HumanStudy = Awaited<ReturnType<typeof openHumanStudy>>;

function readAnswer(
  {
    task,
    options,
    answer: right,
  }: {
    task: string;
    options: readonly { letter: string }[];
    answer: string | number[];
  },
  given: string | number[],
): string | number[] {
  if (task === "order") {
    const clips = Array.isArray(right) ? right.length : 0;
    const isWhole =
      Array.isArray(given) &&
      given.length === clips &&
      new Set(given).size === clips &&
      Math.max(...given) === clips;
    if (isWhole) return given;
    throw wrong(`use the numbers 1 to ${clips}, each once, in the right order.`);
  }
  if (typeof given !== "string") throw wrong("use a string.");
  if (task !== "choice") return given;
  const letter = given.trim().toUpperCase();
  if (options.some((option) => option.letter === letter)) return letter;
  throw wrong(`use one of the letters ${options.map((option) => option.letter).join(", ")}.`);
}

function wrong(why: string) {
  return httpProblem(422, "wrong-answer", `Invalid answer: ${why}`);
}
