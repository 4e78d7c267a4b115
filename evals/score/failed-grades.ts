import type { Results } from "./read-results.ts";

/** Number of replies of all tasks whose grading failed. */
export function failedGrades({ grades = {} }: Pick<Results, "grades">): number {
  // One scorer of several tasks grades all of them at once.
  return [...new Set(Object.values(grades))].reduce((sum, { report }) => sum + report.failed, 0);
}
