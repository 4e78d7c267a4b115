import type { Results } from "../../score/read-results.ts";
import type { SummaryOptions } from "../judge.ts";
import { type Judged, type JudgedReply, judgedReplies } from "../judged-replies.ts";
import type { Judging } from "../judging.ts";
import { MMR_ERRORS, mmrErrorJudge } from "./mmr-v.ts";
import { MATH_ERRORS, mathErrorJudge } from "./videomathqa.ts";

export interface ErrorSummary extends Judged {
  kind: "errors";
  /** Of VideoMathQA a reply may have several types, so that shares add up to more than 1. */
  types: ErrorShare[];
}

export interface ErrorShare {
  type: string;
  /** Meaning of a label such as TYPE3; empty if the type is a description itself. */
  about: string;
  count: number;
  /** Of the replies that were judged, and of all that were to be; null without any. */
  of_judged: number | null;
  of_all: number | null;
}

/** How often a judge named each error type. */
export function summariseErrors(
  results: Results,
  judging: Judging,
  options: SummaryOptions,
): ErrorSummary {
  const isMathematics = mathErrorJudge.benchmarks.includes(results.benchmark.name);
  const { told, named } = isMathematics
    ? typesNamed(judgedReplies(results, judging, mathErrorJudge, options), ({ types }) => types)
    : typesNamed(judgedReplies(results, judging, mmrErrorJudge, options), (value) => [
        value.error_type,
      ]);
  const about: Record<string, string> = MATH_ERRORS;
  const types: readonly string[] = isMathematics ? Object.keys(MATH_ERRORS) : MMR_ERRORS;
  return {
    ...told,
    kind: "errors",
    types: types.map((type) => {
      const count = named.filter((one) => one === type).length;
      return {
        type,
        about: isMathematics ? (about[type] ?? "") : "",
        count,
        of_judged: told.judged === 0 ? null : count / told.judged,
        of_all: told.replies === 0 ? null : count / told.replies,
      };
    }),
  };
}

function typesNamed<V>(
  { told, replies }: { told: Judged; replies: readonly JudgedReply<V>[] },
  typesOf: (value: V) => string[],
): { told: Judged; named: string[] } {
  const values = replies.flatMap(({ parts }) => parts.flatMap(({ value }) => value ?? []));
  return { told, named: (values as V[]).flatMap(typesOf) };
}
