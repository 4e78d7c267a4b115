import { secondsAndClock } from "../../../src/core/time.ts";
import type { Desk } from "./results.ts";

/** The parts of the video that words of time in a question name, for the model to read. */
export async function timesOf(_question: string, _desk: Desk): Promise<string> {
  return "none";
}

export function span(start_s: number, end_s: number): string {
  return `${secondsAndClock(start_s)} to ${secondsAndClock(end_s)}`;
}
