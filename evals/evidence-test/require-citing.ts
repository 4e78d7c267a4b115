import { namesOverEvidence } from "../../graphs/answer-question.ts";
import { Failure } from "../../src/core/errors.ts";

/**
 * Throws `Failure` `wrong-usage` for a strategy whose citations cannot be tested: it cites nothing, or all that it was
 * shown.
 */
export function requireCiting(strategy: string): void {
  const citing = namesOverEvidence();
  if (citing.includes(strategy)) return;
  throw new Failure(
    "wrong-usage",
    `--evidence-test needs a strategy that chooses what it cites (${citing.join(", ")}), and this is ${strategy}.`,
    { strategy },
  );
}
