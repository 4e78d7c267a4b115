import type { Sample } from "../benchmarks/sample.ts";

/** The texts of which an open answer has to match one: the right answer and those that are accepted as well. */
export function references({ answer, accepts = [] }: Pick<Sample, "answer" | "accepts">): string[] {
  return [...(typeof answer === "string" ? [answer] : []), ...accepts];
}

/** What is right, as a clause of an explanation: `right is 4 or four`. */
export function rightIs(sample: Pick<Sample, "answer" | "accepts">): string {
  return `right is ${references(sample).join(" or ")}`;
}
