/** One answer in a vote. `number`: its epoch or sample number, which breaks ties. Null answers do not count. */
export interface Ballot<T> {
  number: number;
  answer: T | null;
}

/** What a vote resulted in. */
export interface VoteResult<T> {
  /** The most frequent answer; null if no ballot has an answer. */
  answer: T | null;
  /** Lowest number with this answer; null if no ballot has an answer. */
  number: number | null;
  /** `votes`: ballots for `answer`; `cast`: ballots with an answer; `ballots`: all ballots. */
  votes: number;
  cast: number;
  ballots: number;
  /** Most ballots for any other answer. */
  second: number;
  /** `votes` divided by `ballots`, 0 to 1; a ballot without an answer counts as disagreement. 0 without ballots. */
  share: number;
}

/**
 * Majority vote over repeated answers to one question (self-consistency, Wang et al. 2023, arXiv 2203.11171).
 * Ties go to the answer with the lowest number, in any order of arrival. Orders count as whole permutations.
 *
 * @param sameAs key by which answers are equal; default: their JSON
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
  // Candidates are in order of their lowest number, so only more votes replace the winner.
  let winner: { answer: T; number: number; votes: number } | undefined;
  for (const candidate of candidates.values())
    if (winner === undefined || candidate.votes > winner.votes) winner = candidate;
  const votes = winner?.votes ?? 0;
  const others = [...candidates.values()].filter((candidate) => candidate !== winner);
  return {
    answer: winner?.answer ?? null,
    number: winner?.number ?? null,
    votes,
    cast,
    ballots: ballots.length,
    second: Math.max(0, ...others.map((candidate) => candidate.votes)),
    share: ballots.length === 0 ? 0 : votes / ballots.length,
  };
}
