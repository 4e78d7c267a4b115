import type { Note } from "./sample.ts";

/** Counts what was corrected or left out, by kind, with the first examples of each. */
export interface Tally {
  /** `once`: what is counted, if the same thing can be met several times, such as the video of several samples. */
  add(what: string, example: string, once?: string): void;
  notes(): Note[];
}

export function createTally(most = 5): Tally {
  const kinds = new Map<string, Note>();
  const counted = new Set<string>();
  return {
    add(what, example, once) {
      const key = JSON.stringify([what, once]);
      if (once !== undefined && counted.has(key)) return;
      counted.add(key);
      const note = kinds.get(what) ?? { what, count: 0, examples: [] };
      note.count++;
      if (note.examples.length < most) note.examples.push(example);
      kinds.set(what, note);
    },
    notes: () => [...kinds.values()],
  };
}

/** One line for a person: `3 rows left out: no answer: line 7; line 9; line 12`. */
export function noteText({ what, count, examples }: Note): string {
  const more = count - examples.length;
  return `${count} ${what}: ${examples.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}
