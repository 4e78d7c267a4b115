import { defineGrader } from "./define-grader.ts";

/** Grades of a model, which are judgements of the run. */
export const modelGrades = defineGrader({
  name: "judged",
  by: "model",
  grade: async (request) => (await import("./grade-by-model.ts")).gradeByModel(request),
});
