import { benchmarks } from "../benchmarks/define-benchmark.ts";

/** The questions in the columns of own data, as JSON lines. */
export const DATA_FORMAT = "dataset";

/** Formats that every run can be exported to. */
export const GENERAL_FORMATS = ["lmms-eval", "csv", "json", DATA_FORMAT] as const;

/** Leaderboard formats; each has the name of its benchmark. */
export function leaderboardFormats(): string[] {
  return benchmarks
    .all()
    .filter(({ leaderboard }) => leaderboard !== undefined)
    .map(({ name }) => name);
}
