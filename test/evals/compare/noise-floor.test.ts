import { join } from "node:path";
import { expect, test } from "vitest";
import { compareResults } from "../../../evals/compare/compare.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { renderComparison } from "../../../src/app/cli/render/comparison.ts";
import { tempFolder } from "../../support/temp.ts";
import { makeRun, order, ordering } from "../run/made-runs.ts";

const SAMPLES = Array.from({ length: 40 }, (_, place) => ordering(String(place), [2, 1, 3]));
const RIGHT = order(2, 1, 3);
const WRONG = order(1, 2, 3);
const OTHER = order(3, 2, 1);

/** A run that replies so to each sample; runs with the same frames have the same settings. */
async function run(name: string, reply: (place: number) => string, frames = 16, cached = false) {
  const call = {
    ...{ key: "k", stage: "reason", role: "reasoner", label: "answer", model: "openai:m" },
    ...{ finish: "stop", cached, seconds: 1, frames: 0, input: 1, output: 1 },
  };
  const folder = await makeRun(join(await tempFolder(), name), {
    settings: { strategy: "direct", model: "openai:m", recognition: { frames } },
    samples: SAMPLES,
    replies: Object.fromEntries(SAMPLES.map(({ id }, place) => [id, reply(place)])),
    line: { calls: [call] },
  });
  return readResults(folder);
}

const first = () => run("a", (place) => (place < 20 ? RIGHT : WRONG));
/** Two become right, two wrong, and six wrong ones become other wrong ones. */
const again = (cached = false) =>
  run(
    "a-again",
    (place) => {
      if (place < 2) return WRONG;
      if (place < 22) return RIGHT;
      return place < 28 ? OTHER : WRONG;
    },
    16,
    cached,
  );

test("a rerun is recognised by its settings, with its changed answers and flipped questions", async () => {
  const [a, a2, b] = [await first(), await again(), await run("b", () => RIGHT, 32)];
  const { noise, comparisons } = compareResults([a, a2, b]);
  expect(noise).toMatchObject({
    ...{ run: "a", rerun: "a-again", questions: 40, difference: 0 },
    ...{ same_settings: true, from_memory: 0 },
    answers_changed: { mean: 10 / 40 },
    flipped: { mean: 4 / 40 },
  });
  // t(0.975, 39) = 2.022691 times sqrt(4) / 40.
  expect(noise?.floor).toBeCloseTo((2.022691 * 2) / 40, 6);
  expect(comparisons.map(({ b: name, rerun, noise: of }) => [name, rerun, of?.exceeds])).toEqual([
    ["a-again", true, undefined],
    ["b", false, true],
  ]);
  // A rerun is not a hypothesis: the p-value of b is corrected only for itself.
  expect(comparisons[1]?.all.p_holm).toBe(comparisons[1]?.all.p);
  const text = renderComparison(compareResults([a, a2, b]), 0);
  expect(text).toContain("25.00 % of the answers changed");
  expect(text).toContain("10.00 % of the questions flipped between right and wrong");
  expect(text).toContain("Two runs of these settings differ by at most 10.11 points");
  expect(text).toContain("The difference of +50.00 points exceeds the noise floor of 10.11 points");
  const table = makeReport([a, a2, b]).parts[0]?.tables.find(
    ({ title }) => title === "Noise floor",
  );
  expect(table?.about).toContain("b exceeds the floor.");
  expect(table?.rows[0]?.at(-1)).toBe("10.11");
});

test("with --rerun the rerun is not compared; a small difference does not exceed the floor", async () => {
  const [a, a2] = [await first(), await again()];
  const b = await run("b", (place) => (place < 22 ? RIGHT : WRONG), 32);
  const found = compareResults([a, b], { rerun: a2 });
  expect(found.comparisons.map(({ b: name, noise }) => [name, noise?.exceeds])).toEqual([
    ["b", false],
  ]);
  expect(renderComparison(found, 0)).toContain("+5.00 points does not exceed the noise floor");
});

test("a copy from the memo and a rerun of other settings are reported as such", async () => {
  const a = await first();
  const copied = compareResults([a, await again(true)]);
  expect(copied.noise?.from_memory).toBe(1);
  expect(renderComparison(copied, 0)).toContain("of the calls of a-again came from the cache");
  const other = await run("other", () => RIGHT, 8);
  const found = compareResults([a, other], { rerun: other });
  expect(found.noise?.same_settings).toBe(false);
  expect(renderComparison(found, 0)).toContain("The settings, prompts or epochs of the two differ");
  expect(compareResults([a, other]).noise).toBeNull();
});
