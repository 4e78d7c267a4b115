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

/** `3 rows left out`, `1 row left out`. */
export function countedNote({ what, count }: Pick<Note, "what" | "count">): string {
  return `${count} ${count === 1 ? what.replace(PLURAL, "$1") : what}`;
}

/** Kinds of things that notes count, where nothing else in the note depends on their number. */
const PLURAL = /^(row|video|sample|question|sidecar|step|goal|value)s\b/;

/** One line for a person: `3 rows left out: no answer: line 7; line 9; line 12`. */
export function noteText({ what, count, examples }: Note): string {
  const more = count - examples.length;
  return `${countedNote({ what, count })}: ${examples.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}
