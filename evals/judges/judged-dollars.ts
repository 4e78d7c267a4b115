import { readJudgings } from "./judging.ts";

/** Dollars that judgements, letters and grades of the results in a folder have paid so far. */
export async function judgedDollars(folder: string): Promise<number> {
  return (await readJudgings(folder)).reduce((sum, { paid }) => sum + paid, 0);
}
