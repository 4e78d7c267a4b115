import { availableParallelism } from "node:os";
import { Failure } from "../../src/core/errors.ts";
import { connectionsOf, type Settings } from "../../src/core/settings.ts";
import { readResults } from "../score/read-results.ts";
import type { HoursBasis } from "./estimate-hours.ts";
import { accountOf } from "./run-account.ts";

/** Seconds of a call that nobody measured. */
const ASSUMED_CALL_S = 5;
/**
 * Seconds of one core, by `npm run bench -- sizing`: for each frame that is decoded from a film of 720p with a key frame
 * every 10 s, and for everything else of a question.
 */
const FRAME_S = 0.13;
const QUESTION_S = 0.02;

/** What a person says of the speed of a run. */
export interface HoursAsked {
  /** Seconds of a call. */
  call_s?: number;
  /** Folder of an earlier run, whose times are taken. */
  measured_from?: string;
}

/** Reads the times of an earlier run if one is named. Throws `Failure` `wrong-setting` for a run without times. */
export async function hoursBasis(
  settings: Settings,
  framesPerResult: number,
  { call_s, measured_from }: HoursAsked,
): Promise<HoursBasis> {
  const { requests_per_minute, tokens_per_minute } = settings.runtime;
  const measured = measured_from === undefined ? null : await timesOf(measured_from);
  const { max } = connectionsOf(settings.runtime);
  return {
    call_s: call_s ?? measured?.call_s ?? ASSUMED_CALL_S,
    own_s: measured?.own_s ?? QUESTION_S + framesPerResult * FRAME_S,
    from: {
      call_s: call_s !== undefined ? "given" : measured === null ? "assumed" : "measured",
      own_s: measured === null ? "assumed" : "measured",
    },
    connections: max,
    cores: availableParallelism(),
    requests_per_minute,
    tokens_per_minute,
  };
}

/** Seconds of a call and of the program for a result, on average. */
async function timesOf(folder: string): Promise<{ call_s: number; own_s: number }> {
  const account = accountOf(await readResults(folder));
  const time = account?.time ?? null;
  const calls = (account?.calls ?? 0) - (time?.unknown_calls ?? 0);
  if (account === null || time === null || calls <= 0)
    throw new Failure(
      "wrong-setting",
      `Invalid --measured-from ${folder}: its results have no times of calls. Use a run with direct calls, or --call-seconds.`,
      { folder },
    );
  return { call_s: time.model_s / calls, own_s: time.own_s / time.samples };
}
