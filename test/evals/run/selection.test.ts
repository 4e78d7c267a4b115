import fc from "fast-check";
import { expect, test } from "vitest";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { readLimit, type Selection, selectSamples, unitOf } from "../../../evals/run/selection.ts";
import { choice } from "../benchmarks/fixtures.ts";

const ALL: Selection = { limit: null, sample_id: [], sample_shuffle: null, skip_missing: false };
const named = (id: string, more: Partial<Sample> = {}): Sample => ({
  ...choice("ABCDE"),
  id,
  ...more,
});
const SAMPLES = Array.from({ length: 30 }, (_, index) => named(`s${index + 1}`));
const PAIRS = ["q1/1", "q1/2", "q2/1", "q2/2"].map((id) => ({
  ...choice("AB"),
  id,
  row: { question_id: id.slice(0, 2) },
}));
const ids = (selection: Partial<Selection>, samples: readonly Sample[] = SAMPLES) =>
  selectSamples(samples, { ...ALL, ...selection }, "MMR-V").samples.map(({ id }) => id);

test("a limit is the first n, or an inclusive range of positions from 1", () => {
  expect(ids({ limit: readLimit(3) })).toEqual(["s1", "s2", "s3"]);
  expect(ids({ limit: readLimit("3") })).toEqual(["s1", "s2", "s3"]);
  expect(ids({ limit: readLimit("10-12") })).toEqual(["s10", "s11", "s12"]);
  expect(ids({ limit: readLimit("29-99") })).toEqual(["s29", "s30"]);
  for (const wrong of ["many", "0", "3-2", "-1", "1.5", "", "0-4", "1-2-3"])
    expect(() => readLimit(wrong)).toThrow(`Invalid --limit ${JSON.stringify(wrong)}`);
});

test("the order is drawn from the seed before the limit, so that a limit is a random sample", () => {
  const drawn = ids({ sample_shuffle: 7 });
  expect(drawn).not.toEqual(ids({}));
  expect([...drawn].sort()).toEqual(ids({}).sort());
  expect(ids({ sample_shuffle: 7, limit: readLimit(5) })).toEqual(drawn.slice(0, 5));
  expect(ids({ sample_shuffle: 8 })).not.toEqual(drawn);
});

test("ids select samples, and an unknown id is named", () => {
  expect(ids({ sample_id: ["s9", "s2", "s9"] })).toEqual(["s9", "s2"]);
  expect(() => ids({ sample_id: ["s99"] })).toThrow(
    'Invalid --sample-id "s99": use ids of the data, such as s1, s2, s3.',
  );
});

test("the pairs of a question are selected together", () => {
  expect(PAIRS.map(unitOf)).toEqual(["q1", "q1", "q2", "q2"]);
  // Two options and such an id do not make a pair in other data.
  expect(unitOf({ ...choice("AB"), id: "clip/3", row: { question_id: "clip/3" } })).toBe("clip/3");
  expect(ids({ limit: readLimit(1) }, PAIRS)).toEqual(["q1/1", "q1/2"]);
  expect(ids({ sample_id: ["q2"] }, PAIRS)).toEqual(["q2/1", "q2/2"]);
  expect(ids({ sample_id: ["q2/2"] }, PAIRS)).toEqual(["q2/2"]);
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const shuffled = ids({ sample_shuffle: seed }, PAIRS);
      expect([shuffled.slice(0, 2), shuffled.slice(2)].sort()).toEqual([
        ["q1/1", "q1/2"],
        ["q2/1", "q2/2"],
      ]);
    }),
  );
});

test("samples without a video are left out on request, and counted", () => {
  const mixed = [named("a"), named("b", { hasVideo: false })];
  expect(ids({}, mixed)).toEqual(["a", "b"]);
  const { samples, skipped } = selectSamples(mixed, { ...ALL, skip_missing: true }, "MMR-V");
  expect([samples.map(({ id }) => id), skipped.map(({ id }) => id)]).toEqual([["a"], ["b"]]);
  expect(() => ids({ skip_missing: true, sample_id: ["b"] }, mixed)).toThrow(
    "Cannot find a video of any of the 1 selected samples, such as",
  );
  expect(() => ids({ limit: readLimit("40-50") })).toThrow(
    "Invalid --limit 40-50: the data have 30 questions.",
  );
  expect(() => ids({}, [])).toThrow(
    "The data have no question that can be asked: `describe` names the rows that were left out, and why.",
  );
  expect(() => ids({ left_out: ["a", "b"] }, mixed)).toThrow(
    "Marks leave out all 2 questions of the data.",
  );
});

const given = { benchmark: "mmr-v", data: "MMR-V" };

test("the settings of a run are read from one flat list, with their defaults", () => {
  const read = readEvalSettings({ ...given, strategy: "direct", sample_id: "a, b", limit: "2-3" });
  expect(read).toMatchObject({
    subset: "mcq",
    epochs: 1,
    sample_id: ["a", "b"],
    limit: { from: 2, to: 3 },
    settings: { strategy: "direct", recognition: { frames: 32 } },
  });
});

test.each([
  [{}, "Missing benchmark: give one of vcrbench, mmr-v, videomathqa, "],
  [{}, "; a command also takes a data file (.jsonl, "],
  [{ benchmark: "mmr" }, 'Invalid benchmark "mmr": use one of vcrbench, mmr-v, videomathqa, '],
  [{ benchmark: "mmr" }, ") or a file of your own (.ts)."],
  [
    { benchmark: "mmr-v" },
    "Missing --data: give the folder of the benchmark as downloaded, or a data file.",
  ],
  [{ ...given, epochs: "twice" }, 'Invalid --epochs "twice": use a whole number from 1 to 1000.'],
  [{ ...given, protocol: "mine" }, 'Invalid --protocol "mine": use official.'],
  [{ ...given, modle: "x" }, "Unknown setting `modle`: use one of benchmark, data, subset"],
  [{ ...given, recognition: { framez: 1 } }, "Unknown setting `recognition.framez`"],
  [{ ...given, max_samples: 0 }, "Invalid --max-samples 0: use a whole number from 1 to 4096."],
  ["mmr-v", 'Invalid settings "mmr-v": use names and values, such as `benchmark: vcrbench`.'],
])("%j is refused in one sentence", (input, message) => {
  expect(() => readEvalSettings(input)).toThrow(message);
});
