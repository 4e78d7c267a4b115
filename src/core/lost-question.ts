import { Failure, isFailure } from "./errors.ts";

/** The failure of a write about a question by a process that does not run it any more. */
export function lostQuestion(): Failure {
  return new Failure("cancelled", "Another process runs the question, or it was removed.", {
    lost: true,
  });
}

export function isLostQuestion(error: unknown): boolean {
  return isFailure(error, "cancelled") && error.facts.lost === true;
}
