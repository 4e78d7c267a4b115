import { expect, test } from "vitest";
import { createTally, noteText } from "../../../evals/benchmarks/tally.ts";

test("a note of one thing is in the singular", () => {
  const tally = createTally();
  tally.add("rows left out: no answer", "line 4");
  tally.add("videos missing", "a.mp4");
  tally.add("videos missing", "b.mp4");
  tally.add("repeated qid, the last counts", "q1");
  expect(tally.notes().map(noteText)).toEqual([
    "1 row left out: no answer: line 4",
    "2 videos missing: a.mp4; b.mp4",
    "1 repeated qid, the last counts: q1",
  ]);
});
