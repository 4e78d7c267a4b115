import { readQuestion } from "../../../graphs/read-question.ts";
import type { Answer, Evidence, Question } from "../../../src/core/shapes.ts";
import {
  evidenceOf,
  type Lesson,
  type LessonQuestion,
  makeLesson,
  type Subject,
} from "./lesson.ts";

/* Asks the questions of lessons over their evidence, with options and openly, and counts. */

export interface Count {
  questions: number;
  right: number;
  wrong: number;
  /** Open questions with the right moment among the first three, and with the right value or phrase as answer. */
  found: number;
  direct: number;
}

/** Answers a question over given evidence. */
export type AskOver = (
  question: Question,
  given: Evidence[],
) => Promise<Pick<Answer, "answer" | "moments">>;

/** Counts by subject and kind of question, and over all. */
export async function measureLessons(
  subjects: readonly Subject[],
  seeds: readonly number[],
  video: string,
  ask: AskOver,
): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  for (const subject of subjects)
    for (const seed of seeds) {
      const lesson = makeLesson(subject, seed);
      const given = evidenceOf(lesson, video);
      for (const asked of lesson.questions) {
        const { text, options, right } = asked;
        const chosen = await ask(readQuestion(video, { text, options }), given);
        const answer = await ask(readQuestion(video, text), given);
        const isRight = chosen.answer === "ABCD"[right];
        for (const row of ["all", asked.kind, subject.name]) {
          const count = counts.get(row) ?? {
            questions: 0,
            right: 0,
            wrong: 0,
            found: 0,
            direct: 0,
          };
          counts.set(row, count);
          count.questions++;
          if (isRight) count.right++;
          else if (chosen.answer !== null) count.wrong++;
          if (isFound(answer, asked, lesson, given)) count.found++;
          if (isDirect(answer, options[right] ?? "")) count.direct++;
        }
      }
    }
  return counts;
}

/** Whether one of the first three moments is where the fact is stated: its slide, or a cue of its sentence. */
function isFound(
  { moments = [] }: Pick<Answer, "moments">,
  { kind, span_s: [from, to] }: LessonQuestion,
  { slides }: Lesson,
  given: readonly Evidence[],
): boolean {
  return moments.slice(0, 3).some(({ evidence, start_s, end_s }) => {
    const [item] = given.filter(({ id }) => evidence.includes(id));
    if (kind !== "shown") return item?.kind === "subtitle" && start_s < to && end_s > from;
    const slide = slides.find((one) => one.start_s <= from && one.end_s >= to);
    return item?.kind === "text" && start_s === slide?.start_s && end_s === slide.end_s;
  });
}

/** Whether an open answer contains the number or the words of the right option. */
function isDirect({ answer }: Pick<Answer, "answer">, right: string): boolean {
  const plain = (text: string) => text.replace(/(?<=\d),(?=\d{3})/g, "").toLowerCase();
  const figures = /\d[\d.]*/.exec(plain(right))?.[0];
  return typeof answer === "string" && plain(answer).includes(figures ?? plain(right));
}

const share = (n: number, of: number) => `${((100 * n) / of).toFixed(1).padStart(5)} %`;

/** A table of the counts. */
export function countTable(title: string, counts: ReadonlyMap<string, Count>): string {
  const rows = [...counts].map(
    ([name, { questions, right, wrong, found, direct }]) =>
      `${name.padEnd(16)}${String(questions).padStart(9)}  ${share(right, questions)}  ${share(wrong, questions)}  ${share(found, questions)}  ${share(direct, questions)}`,
  );
  const head = `${title.padEnd(16)}questions    right    wrong  moment in 3  answer`;
  return [head, ...rows, ""].join("\n");
}
