import type { Task } from "../../src/core/shapes.ts";
import { type GradeRequest, type Grader, graders } from "../graders/define-grader.ts";
import { judgedFolder } from "../judges/judging.ts";
import { remainingDollars } from "../run/remaining-dollars.ts";
import type { Grades } from "../scorers/grading.ts";
import type { Results } from "./read-results.ts";

/** Who is asked for missing grades, and what this may cost. */
export interface GradeOptions
  extends Pick<
    GradeRequest,
    "calls" | "total_cost_limit" | "onPaid" | "resume" | "signal" | "onProgress" | "onNote"
  > {
  /** Who may be asked for missing grades; else only stored grades are read. */
  ask: readonly Grader["by"][];
}

/**
 * Adds the grades of replies whose scorer has them graded by a model or a program; other results stay unchanged. Grades
 * are stored in the run's folder, so that the same call continues where it stopped. Throws what the grading throws.
 *
 * @example
 * const results = await withGrades(await readResults("runs/mine"), "runs/mine", { ask: ["model"] });
 * console.log(scoreResults(results).all.accuracy);
 */
export async function withGrades(
  results: Results,
  path: string,
  { ask, total_cost_limit = null, onPaid, ...options }: GradeOptions,
): Promise<Results> {
  const dollars = remainingDollars(total_cost_limit);
  const grades: Partial<Record<Task, Grades>> = {};
  for (const [task, { name, settings }] of Object.entries(results.benchmark.scorers)) {
    const grader = graders.find(name);
    if (grader === undefined) continue;
    const tasks = Object.entries(grades) as [Task, Grades][];
    // One scorer of several tasks grades all of them at once.
    const same = tasks.find(([other]) => results.benchmark.scorers[other]?.name === name);
    grades[task as Task] =
      same?.[1] ??
      (await grader.grade({
        ...options,
        total_cost_limit: dollars.left(),
        onPaid(paid) {
          dollars.spend(paid);
          onPaid?.(paid);
        },
        results,
        settings,
        folder: await judgedFolder(path),
        ask: ask.includes(grader.by),
      }));
  }
  return Object.keys(grades).length === 0 ? results : { ...results, grades };
}
