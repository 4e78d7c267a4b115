import type { Note } from "./sample.ts";

/** Counts what was corrected or left out, by kind, with a few examples of each. */
export function createTally(): { add(what: string, example: string): void; notes(): Note[] } {
  const kinds = new Map<string, Note>();
  return {
    add(what, example) {
      const note = kinds.get(what) ?? { what, count: 0, examples: [] };
      note.count++;
      if (note.examples.length < 5) note.examples.push(example);
      kinds.set(what, note);
    },
    notes: () => [...kinds.values()],
  };
}
