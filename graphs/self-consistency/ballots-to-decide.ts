import type { VoteResult } from "../../src/core/vote.ts";

/**
 * The fewest further ballots after which a vote of `most` ballots can be decided; 0 if the ballots that are left cannot
 * change the winner. A draw can change it, since ties go to the earlier answer.
 *
 * @example
 * ballotsToDecide({ votes: 2, second: 0, ballots: 2 }, 5); // 1: a third equal answer decides five ballots
 */
export function ballotsToDecide(
  { votes, second, ballots }: Pick<VoteResult<unknown>, "votes" | "second" | "ballots">,
  most: number,
): number {
  const left = most - ballots;
  const reach = second + left - votes;
  // Each further ballot for the leader adds one to its lead and takes one from what is left.
  return reach < 0 ? 0 : Math.min(left, Math.floor(reach / 2) + 1);
}
