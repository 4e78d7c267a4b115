import type { BatchResult } from "./batch-api.ts";

type Reply = NonNullable<BatchResult["reply"]>;

/** The results of a batch, by call. */
export interface SortedResults {
  /** Calls that were not processed, or have no readable line, are missing. Of two lines of one call the first counts. */
  replies: Map<string, Reply>;
  /** What is wrong with the lines, each as a phrase that follows `have`. */
  problems: string[];
}

/** Sorts the lines of the results of a batch with these calls. */
export function sortResults(keys: readonly string[], lines: readonly BatchResult[]): SortedResults {
  const wanted = new Set(keys);
  const replies = new Map<string, Reply>();
  const lined = new Set<string>();
  let [damaged, foreign, different] = [0, 0, 0];
  for (const { key, reply } of lines) {
    if (key === null) damaged++;
    else if (!wanted.has(key)) foreign++;
    else {
      lined.add(key);
      const first = replies.get(key);
      if (first === undefined && reply !== null) replies.set(key, reply);
      else if (first !== undefined && reply !== null && !isSame(first, reply)) different++;
    }
  }
  // A damaged line may be that of a call that seems to have none.
  const absent = wanted.size - lined.size - damaged;
  return {
    replies,
    problems: [
      ...(damaged > 0 ? [counted(damaged, "damaged line")] : []),
      ...(foreign > 0 ? [`${counted(foreign, "line")} of unknown calls`] : []),
      ...(different > 0
        ? [`${counted(different, "further reply", "further replies")} to one call`]
        : []),
      ...(absent > 0 ? [`no line of ${absent} of ${counted(wanted.size, "call")}`] : []),
    ],
  };
}

function isSame(one: Reply, other: Reply): boolean {
  return one.status === other.status && one.body === other.body;
}

function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
