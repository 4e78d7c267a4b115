import { readJudgings } from "./judging.ts";

/**
 * Dollars that judgements, letters and grades of the results in a folder have paid so far, as far as a limit counts them: 0
 * without a limit, so that a damaged judgement stops no run. Throws as `readJudgings`.
 */
export async function judgedDollars(folder: string, limit: number | null): Promise<number> {
  if (limit === null) return 0;
  return (await readJudgings(folder)).reduce((sum, { paid }) => sum + paid, 0);
}
