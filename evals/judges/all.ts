import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import { cotJudge } from "./cot/cot.ts";
import { mmrErrorJudge } from "./errors/mmr-v.ts";
import { mathErrorJudge } from "./errors/videomathqa.ts";
import { type Judge, type JudgeKind, refuseKind } from "./judge.ts";
import { letterJudges } from "./letter/letter.ts";
import { stepJudge } from "./steps/steps.ts";

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
