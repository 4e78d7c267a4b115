import { createRegistry } from "../../src/core/registry.ts";
import type { Results } from "../score/read-results.ts";
import type { Grades } from "../scorers/grading.ts";

/** How replies are graded by a model or a program, for the scorer of the same name, whose own scores are null. */
export interface Grader {
  readonly name: string;
  /** Who grades. A program is started only if this process was told to use it; a model is identified by its name. */
  readonly by: "model" | "program";
  /** The stored grades; with `ask`, missing grades are requested first and stored. */
  grade(request: GradeRequest): Promise<Grades>;
}

/** The replies to grade, and where their grades are stored. */
export interface GradeRequest {
  results: Results;
  /** Settings of the scorer. */
  settings: Readonly<Record<string, unknown>>;
  /** Folder of the run, or one for the grades of a response file. */
  folder: string;
  ask: boolean;
  /** Settings of model calls, such as `runtime`. */
  calls?: unknown;
  /** Most that these grades may cost, in dollars. Default: no limit. */
  total_cost_limit?: number | null;
  /** Is told the dollars that these grades have cost in all, those of earlier processes included. */
  onPaid?: (dollars: number) => void;
  /** The command that continues after a limit, without its flag; default: the same command. */
  resume?: string;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** Is told what is asked again although a grade of an earlier question is stored. */
  onNote?: (text: string) => void;
}

/** The graders that this process knows. */
export const graders = createRegistry<Grader>("a grader");

/**
 * Defines how the replies of the scorer of the same name are graded. The scorer has `isGraded`.
 *
 * @example
 * export const lengthGrades = defineGrader({
 *   name: "length",
 *   by: "program",
 *   grade: async () => ({
 *     of: ({ reply }) => ({ value: (reply ?? "").length > 80 ? 1 : 0, explanation: "by length" }),
 *     report: { by: "length", failed: 0, usage: null },
 *   }),
 * });
 */
export function defineGrader(grader: Grader): Grader {
  return grader;
}
