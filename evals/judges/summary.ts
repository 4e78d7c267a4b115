import { Failure } from "../../src/core/errors.ts";
import type { Results } from "../score/read-results.ts";
import { type CotSummary, summariseCot } from "./cot/summary.ts";
import { type ErrorSummary, summariseErrors } from "./errors/summary.ts";
import type { Judging } from "./judging.ts";
import { type StepSummary, summariseSteps } from "./steps/summary.ts";

export type JudgeSummary = StepSummary | ErrorSummary | CotSummary;

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
      throw new Failure(
        "wrong-usage",
        "Letters named by a model are read by the extractor model-letter: score the run with it.",
      );
    case "steps":
      return summariseSteps(results, judging, options);
    case "errors":
      return summariseErrors(results, judging, options);
    case "cot":
      return summariseCot(results, judging, options);
  }
}
