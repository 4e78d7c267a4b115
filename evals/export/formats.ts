import { benchmarks } from "../benchmarks/define-benchmark.ts";

/** The questions in the columns of own data, as JSON lines. */
export const DATA_FORMAT = "dataset";

/** Logs of Inspect, which are files of several documents. */
export const LOG_FORMAT = "inspect";

/** Formats that every run can be exported to as text. */
export const GENERAL_FORMATS = ["lmms-eval", "csv", "json", DATA_FORMAT] as const;

/** Leaderboard formats; each has the name of its benchmark. */
export function leaderboardFormats(): string[] {
  return benchmarks
    .all()
    .filter(({ leaderboard }) => leaderboard !== undefined)
    .map(({ name }) => name);
}
