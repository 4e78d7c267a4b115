/** One answer in a vote. `number`: its epoch or sample number, which decides ties; null answers do not vote. */
export interface Ballot<T> {
  number: number;
  answer: T | null;
}

export interface VoteResult<T> {
  /** The most frequent answer; null if nobody voted. */
  answer: T | null;
  /** Lowest number that gave this answer; null if nobody voted. */
  number: number | null;
  /** Ballots for `answer`, ballots that hold an answer, all ballots. */
  votes: number;
  cast: number;
  ballots: number;
  /** `votes` of all `ballots`, 0 to 1: a ballot without an answer does not agree. 0 without ballots. */
  share: number;
}

/**
 * Majority vote over repeated answers to one question (self-consistency, Wang et al. 2023, arXiv 2203.11171).
 * Of equally frequent answers the one with the lowest number wins, whatever the order of arrival. Orders vote as whole
 * permutations.
 *
 * @param sameAs - Key under which answers count as equal; default: their JSON.
 * @example
 * majorityVote([{ number: 2, answer: "B" }, { number: 1, answer: "A" }]).answer; // "A"
 */
export function majorityVote<T>(
  ballots: readonly Ballot<T>[],
  sameAs: (answer: T) => string = (answer) => JSON.stringify(answer),
): VoteResult<T> {
  const candidates = new Map<string, { answer: T; number: number; votes: number }>();
  let cast = 0;
  for (const { number, answer } of [...ballots].sort((a, b) => a.number - b.number)) {
    if (answer === null) continue;
    cast++;
    const key = sameAs(answer);
    const candidate = candidates.get(key);
    if (candidate === undefined) candidates.set(key, { answer, number, votes: 1 });
    else candidate.votes++;
  }
  // Candidates are in order of their lowest number, and only more votes displace one.
  let winner: { answer: T; number: number; votes: number } | undefined;
  for (const candidate of candidates.values())
    if (winner === undefined || candidate.votes > winner.votes) winner = candidate;
  const votes = winner?.votes ?? 0;
  return {
    answer: winner?.answer ?? null,
    number: winner?.number ?? null,
    votes,
    cast,
    ballots: ballots.length,
    share: ballots.length === 0 ? 0 : votes / ballots.length,
  };
}
