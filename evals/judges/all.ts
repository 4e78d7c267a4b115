import type { Benchmark } from "../benchmarks/benchmark.ts";
import { cotJudge } from "./cot.ts";
import { type Judge, type JudgeKind, refuseKind } from "./judge.ts";
import { letterJudges } from "./letter.ts";
import { mathErrorJudge } from "./math-errors.ts";
import { mmrErrorJudge } from "./mmr-errors.ts";
import { stepJudge } from "./steps.ts";

const JUDGES: readonly Judge<unknown>[] = [
  ...letterJudges,
  stepJudge,
  mathErrorJudge,
  mmrErrorJudge,
  cotJudge,
];

/** The judge of a kind for a benchmark's replies. Throws `Failure` `wrong-usage` where there is none. */
export function judgeFor(kind: JudgeKind, benchmark: Benchmark): Judge<unknown> {
  refuseKind(kind, benchmark);
  return JUDGES.find(
    (judge) => judge.kind === kind && judge.benchmark === benchmark.name,
  ) as Judge<unknown>;
}
