import { defineGrader, type Grader } from "./define-grader.ts";

/** Scores by a user's program. */
export const programGrades: Grader = defineGrader({
  name: "command",
  by: "program",
  grade: async (request) =>
    (await import("./grade-by-program.ts")).gradeByProgram(request, programGrades.name),
});
