import { expect, test } from "vitest";
import { captionsByClip, type Segment, segmentsOf } from "../../graphs/outcome.ts";
import { makeEvidence } from "../../src/core/evidence.ts";
import type { Evidence } from "../../src/core/shapes.ts";

function caption(clip: number, text: string, who: "model" | "person", start_s = clip): Evidence {
  return makeEvidence({
    ...{ video: "a".repeat(64), kind: "caption", clip, text, start_s, end_s: start_s + 1 },
    ...{ by: { who, name: "x" }, confidence: null, from: [] },
  });
}

test("the caption of a clip is a person's if there is one, otherwise the latest", () => {
  const items = [
    caption(1, "old", "model"),
    caption(1, "new", "model"),
    caption(2, "by a person", "person", 7),
    caption(2, "by a model", "model"),
  ];
  const texts = (evidence: Evidence[]) =>
    [...captionsByClip(evidence)].map(([clip, { text }]) => [clip, text]);
  expect(texts(items)).toEqual([
    [1, "new"],
    [2, "by a person"],
  ]);
  expect(texts(items.toReversed())).toEqual([
    [2, "by a person"],
    [1, "old"],
  ]);
  expect(segmentsOf(items)).toEqual([
    { number: 1, kind: "clip", start_s: 1, end_s: 2 },
    { number: 2, kind: "clip", start_s: 7, end_s: 8 },
  ]);
});

test("clips without a caption are added by their numbers", () => {
  const clip = (number: number): Segment => ({ number, kind: "clip", start_s: 30, end_s: 40 });
  expect(segmentsOf([caption(3, "c", "model")], [clip(4), clip(3), clip(1)])).toEqual([
    clip(1),
    { number: 3, kind: "clip", start_s: 3, end_s: 4 },
    clip(4),
  ]);
});
