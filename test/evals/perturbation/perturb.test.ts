import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { perturbations } from "../../../evals/perturbation/define-perturbation.ts";
import { type Perturbed, perturb, type Recognised } from "../../../evals/perturbation/perturb.ts";
import { makeEvidence, makeEvidenceSet } from "../../../src/core/evidence.ts";
import type { Evidence } from "../../../src/core/shapes.ts";
import { choice } from "../benchmarks/fixtures.ts";

const VIDEO = "f".repeat(64);
const DURATION_S = 60;

function item(kind: Evidence["kind"], text: string, start_s: number, more = {}): Evidence {
  return makeEvidence({
    video: VIDEO,
    kind,
    start_s,
    end_s: start_s + 2,
    text,
    by: { who: "model", name: "m" },
    confidence: null,
    from: [],
    ...more,
  });
}

function recognised(id: string, video: string, items: readonly Evidence[], more = {}): Recognised {
  const sample: Sample = { ...choice("ABC"), id, video, ...more };
  return { sample, set: makeEvidenceSet(items), duration_s: DURATION_S };
}

const text = fc
  .array(
    fc.constantFrom(
      "a",
      "dog",
      "chases",
      "3",
      "the",
      "red",
      "ball",
      "twelve",
      "x = 4",
      "Ärger",
      "🎬",
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((words) => words.join(" "));
const items = fc.array(
  fc
    .record({
      kind: fc.constantFrom<Evidence["kind"]>("caption", "text", "equation", "subtitle", "frame"),
      text,
      start_s: fc.integer({ min: 0, max: 55 }),
    })
    .map((of) => item(of.kind, of.text, of.start_s)),
  { maxLength: 8 },
);
const runs = fc
  .array(items, { minLength: 1, maxLength: 5 })
  .map((all) =>
    all.map((of, place) =>
      recognised(`s${place}`, `v${place >> 1}.mp4`, of, { evidence_s: [[0, 30]] }),
    ),
  );
const RATES = [0, 0.1, 0.25, 0.6, 1];

const sum = (of: readonly Perturbed[], what: "units" | "damaged") =>
  of.reduce((total, one) => total + one[what], 0);

describe.each(perturbations.names())("%s", (name) => {
  const perturbation = perturbations.get(name);

  test("realised rates equal the asked ones to the nearest unit, and damage only grows", () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 0, max: 9 }), (run, seed) => {
        const found = perturb(perturbation, run, { rates: RATES, seed });
        for (const [place, samples] of found.entries()) {
          expect(sum(samples, "damaged")).toBe(
            Math.round((RATES[place] as number) * sum(samples, "units")),
          );
          for (const [at, one] of samples.entries()) {
            const before = found[place - 1]?.[at];
            expect(one.damaged).toBeGreaterThanOrEqual(before?.damaged ?? 0);
            const original = run[at]?.set;
            if (one.damaged === 0) expect(one.set).toBe(original);
            else expect(one.set.base).toBe(original?.id);
            // Units damaged at this rate are damaged in the same way at the next.
            const next = found[place + 1]?.[at];
            if (next === undefined || name === "garble-text" || name.startsWith("swap-o")) continue;
            if (name === "swap-numbers") continue;
            const own = new Set(original?.items.map(({ id }) => id));
            const changed = one.set.items.filter(({ id }) => !own.has(id));
            const kept = new Set(next.set.items.map(({ id }) => id));
            expect(changed.every(({ id }) => kept.has(id))).toBe(true);
            const gone = [...own].filter((id) => one.set.items.every((of) => of.id !== id));
            expect(gone.every((id) => next.set.items.every((of) => of.id !== id))).toBe(true);
          }
        }
        const again = perturb(perturbation, run, { rates: RATES, seed });
        expect(again.map((of) => of.map(({ set }) => set.id))).toEqual(
          found.map((of) => of.map(({ set }) => set.id)),
        );
      }),
      { numRuns: 60 },
    );
  });
});

const only = (name: string, run: Recognised[], rate = 1, seed = 0) =>
  perturb(perturbations.get(name), run, { rates: [rate], seed })[0] as Perturbed[];
const texts = ({ set }: Perturbed) => set.items.map((one) => one.text);

test("captions are dropped, and nothing else", () => {
  const run = [recognised("a", "v.mp4", [item("caption", "one", 0), item("text", "two", 1)])];
  expect(only("drop-captions", run).map(texts)).toEqual([["two"]]);
});

test("a swapped caption gets the text of another one of its video and keeps its time, clip and author", () => {
  const run = [
    recognised("a", "v.mp4", [
      item("caption", "first", 0, { clip: 1 }),
      item("caption", "second", 10, { clip: 2 }),
    ]),
    recognised("b", "w.mp4", [item("caption", "elsewhere", 0)]),
  ];
  const [first] = only("swap-captions", run);
  expect(first?.set.items).toMatchObject([
    { text: "second", start_s: 0, clip: 1, by: { who: "model", name: "m" } },
    { text: "first", start_s: 10, clip: 2 },
  ]);
  expect(first?.set.items[0]?.replaces).toBe(run[0]?.set.items[0]?.id);
});

test("objects and numbers change, the other words stay", () => {
  const run = [
    recognised("a", "v.mp4", [item("caption", "The man cuts three tomatoes with a knife.", 0)]),
    recognised("b", "w.mp4", [item("caption", "A child opens 25 umbrellas.", 0)]),
  ];
  const [objects] = only("swap-objects", run).map(texts);
  expect(objects?.[0]).toMatch(/^The (\w+) cuts three (\w+) with a (\w+)\.$/);
  expect(objects?.[0]).not.toMatch(/man|tomatoes|knife/);
  const numbers = only("swap-numbers", run).map((one) => texts(one)[0]);
  expect(numbers[0]).toMatch(/^The man cuts (?!three)[a-z]+ tomatoes with a knife\.$/);
  expect(numbers[1]).toMatch(/^A child opens (?!25)[1-9]\d umbrellas\.$/);
});

test("the share of garbled characters is the character error rate", () => {
  const words = "Constant k = 94 and more words to read ".repeat(20);
  const run = [recognised("a", "v.mp4", [item("text", words, 0)])];
  const [garbled] = only("garble-text", run, 0.1).map((one) => texts(one)[0] ?? "");
  const letters = [...words].filter((character) => /[\p{L}\p{N}]/u.test(character)).length;
  const different = [...words].filter((character, at) => garbled?.[at] !== character).length;
  expect(garbled).toHaveLength(words.length);
  expect(different).toBe(Math.round(letters / 10));
});

test("letters and digits become others of their script and case; signs stay", () => {
  const words = "x^2 + 3 = 12, (Ab) Привет 你好 ٣!";
  const [garbled] = only("garble-text", [recognised("a", "v.mp4", [item("equation", words, 0)])]);
  expect(garbled).toMatchObject({ units: 16, damaged: 16 });
  const text = texts(garbled as Perturbed)[0] ?? "";
  expect(text).toMatch(
    /^[a-z]\^\d \+ \d = \d\d, \([A-Z][a-z]\) (?=\p{Lu}\p{Ll}{5} )\p{Script=Cyrillic}{6} \p{Script=Han}{2} \p{Nd}!$/u,
  );
  const kept = [...words].filter((character, at) => [...text][at] === character);
  expect(kept.join("")).toBe("^ +  = , ()   !");
});

test("a cue without room for a shift is not counted, and every damaged cue moves", () => {
  const cues = (duration_s: number, starts: number[]) => ({
    ...recognised(
      "a",
      "v.mp4",
      starts.map((start) => item("subtitle", `at ${start}`, start)),
    ),
    duration_s,
  });
  for (const seed of [0, 1, 2, 3, 4, 5, 6, 7]) {
    // At 3 s of 8, a cue of 2 s can move by 3 s in both directions.
    const [short] = only("shift-subtitles", [cues(8, [0, 3, 6])], 1, seed);
    expect(short).toMatchObject({ units: 3, damaged: 3 });
    const starts = short?.set.items.map((one) => [one.text, one.start_s]) ?? [];
    const [first, middle, last] = ["at 0", "at 3", "at 6"].map(
      (name) => starts.find(([text]) => text === name)?.[1] as number,
    );
    expect(first).toBeGreaterThanOrEqual(5);
    expect(middle === 0 || middle === 6).toBe(true);
    expect(last).toBeLessThanOrEqual(1);
  }
  expect(only("shift-subtitles", [cues(2, [0])])).toMatchObject([{ units: 0, damaged: 0 }]);
});

test("cues move by 5 to 15 seconds and stay within the video", () => {
  const cues = Array.from({ length: 20 }, (_, at) => item("subtitle", `cue ${at}`, at * 2.9));
  const [moved] = only("shift-subtitles", [recognised("a", "v.mp4", cues)]);
  for (const cue of moved?.set.items ?? []) {
    const before = cues.find((one) => one.text === cue.text) as Evidence;
    const by_s = Math.abs(cue.start_s - before.start_s);
    expect(by_s).toBeGreaterThanOrEqual(5);
    expect(by_s).toBeLessThanOrEqual(15);
    expect(cue.start_s).toBeGreaterThanOrEqual(0);
    expect(cue.end_s).toBeLessThanOrEqual(DURATION_S + 1e-9);
    expect(cue.end_s - cue.start_s).toBeCloseTo(2);
  }
});

test("evidence within the annotated spans is hidden; samples without spans have no units", () => {
  const all = [item("caption", "before", 0), item("caption", "in", 10), item("text", "edge", 13)];
  const [marked, plain] = only("hide-evidence", [
    recognised("a", "v.mp4", all, { evidence_s: [[9, 13]] }),
    recognised("b", "w.mp4", all),
  ]);
  expect(texts(marked as Perturbed)).toEqual(["before"]);
  expect(plain).toMatchObject({ units: 0, damaged: 0 });
});

test("distractors are texts of other videos, with no clip number", () => {
  const run = [
    recognised("a", "v.mp4", [item("caption", "own", 0, { clip: 1 })]),
    recognised("b", "w.mp4", [item("caption", "foreign", 50, { clip: 4 })]),
    recognised("c", "v.mp4", [item("caption", "same video", 50)]),
  ];
  const [first] = only("add-distractors", run);
  const added = first?.set.items.filter((one) => one.text !== "own");
  expect(added).toMatchObject([{ text: "foreign", video: VIDEO }]);
  expect(added?.[0]?.clip).toBeUndefined();
});
