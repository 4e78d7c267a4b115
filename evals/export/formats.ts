import { benchmarks } from "../benchmarks/define-benchmark.ts";

/** Formats that any run can be written in. */
export const GENERAL_FORMATS = ["lmms-eval", "csv", "json"] as const;

/** Formats of leaderboards, each with the name of its benchmark. */
export function leaderboardFormats(): string[] {
  return benchmarks
    .all()
    .filter(({ leaderboard }) => leaderboard !== undefined)
    .map(({ name }) => name);
}
