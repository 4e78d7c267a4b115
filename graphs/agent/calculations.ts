import { calculate, solve } from "../../tools/mathematics/calculate.ts";
import { calculationEvidence } from "../../tools/mathematics/evidence.ts";
import { type Desk, listed, type Result } from "./tool-results.ts";

/** The value of an expression, as evidence. Throws as `calculate`. */
export async function workOut(expression: string, desk: Desk): Promise<Result> {
  const { video, signal } = desk.context;
  const result = await calculate({ expression }, { signal });
  return listed([calculationEvidence(video.hash, result, [])], desk);
}

/** What solves equations, as evidence. Throws as `solve`. */
export async function workOutUnknowns(
  equations: readonly string[],
  unknowns: readonly string[],
  desk: Desk,
): Promise<Result> {
  const { video, signal } = desk.context;
  const result = await solve({ equations: [...equations], for: [...unknowns] }, { signal });
  return listed([calculationEvidence(video.hash, result, [])], desk);
}
