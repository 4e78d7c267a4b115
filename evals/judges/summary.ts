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
  return judges.get(judging.header.kind).summarise(results, judging, options);
}
