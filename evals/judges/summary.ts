import { codeFailure } from "../../src/core/code-failure.ts";
import type { Results } from "../score/read-results.ts";
import { judges } from "./define-judge.ts";
import type { SummaryOptions } from "./judge.ts";
import type { Judged } from "./judged-replies.ts";
import type { Judging } from "./judging.ts";

/**
 * The numbers of a judging. Throws `Failure` `data-malformed`, and `wrong-usage` for a kind of judge that is not known
 * or for samples that it cannot judge.
 */
export function summarise(results: Results, judging: Judging, options: SummaryOptions): Judged {
  const { kind } = judging.header;
  const { summarise } = judges.get(kind);
  try {
    return summarise(results, judging, options);
  } catch (error) {
    throw codeFailure(error, `The summary of the judge ${kind}`);
  }
}
