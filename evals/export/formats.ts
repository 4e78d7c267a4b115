import { benchmarks } from "../benchmarks/define-benchmark.ts";

/** Formats that every run can be exported to. */
export const GENERAL_FORMATS = ["lmms-eval", "csv", "json"] as const;

/** Leaderboard formats; each has the name of its benchmark. */
export function leaderboardFormats(): string[] {
  return benchmarks
    .all()
    .filter(({ leaderboard }) => leaderboard !== undefined)
    .map(({ name }) => name);
}
