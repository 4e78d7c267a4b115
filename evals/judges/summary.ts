import type { Results } from "../read-results.ts";
import { type CotSummary, summariseCot } from "./cot-summary.ts";
import { type ErrorSummary, summariseErrors } from "./error-summary.ts";
import type { Judging } from "./judging.ts";
import { type LetterSummary, summariseLetters } from "./letter-summary.ts";
import { type StepSummary, summariseSteps } from "./step-summary.ts";

export type JudgeSummary = LetterSummary | StepSummary | ErrorSummary | CotSummary;

export interface SummaryOptions {
  /** Default: that of the results. */
  extractor?: string;
  /** Only these samples. */
  only?: ReadonlySet<string>;
}

/** What a judging comes to. Throws `Failure` `data-malformed`, and `wrong-usage` as `subjectsOf`. */
export function summarise(
  results: Results,
  judging: Judging,
  options: SummaryOptions,
): JudgeSummary {
  switch (judging.header.kind) {
    case "letter":
      return summariseLetters(results, judging, options);
    case "steps":
      return summariseSteps(results, judging, options);
    case "errors":
      return summariseErrors(results, judging, options);
    case "cot":
      return summariseCot(results, judging, options);
  }
}
