import type { Results } from "../../score/read-results.ts";
import { type Judged, judgedReplies } from "../judged-replies.ts";
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
  /** What a label such as TYPE3 stands for; empty where the type says it itself. */
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
  options: { extractor?: string; only?: ReadonlySet<string> },
): ErrorSummary {
  const mathematics = results.benchmark.name === "videomathqa";
  const schema = mathematics
    ? mathErrorJudge.value.transform(({ types }): string[] => types)
    : mmrErrorJudge.value.transform(({ error_type }): string[] => [error_type]);
  const { told, replies } = judgedReplies<string[]>(results, judging, schema, options);
  const named = replies.flatMap(({ parts }) => parts.flatMap(({ value }) => value ?? []));
  const about: Record<string, string> = MATH_ERRORS;
  const types: readonly string[] = mathematics ? Object.keys(MATH_ERRORS) : MMR_ERRORS;
  return {
    ...told,
    kind: "errors",
    types: types.map((type) => {
      const count = named.filter((one) => one === type).length;
      return {
        type,
        about: mathematics ? (about[type] ?? "") : "",
        count,
        of_judged: told.judged === 0 ? null : count / told.judged,
        of_all: told.replies === 0 ? null : count / told.replies,
      };
    }),
  };
}
