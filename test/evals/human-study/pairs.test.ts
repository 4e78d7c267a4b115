import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportStudy } from "../../../evals/human-study/export-study.ts";
import { makeStudy } from "../../../evals/human-study/make-study.ts";
import { appendAnswer, readStudy } from "../../../evals/human-study/study-folder.ts";
import { studyStatus } from "../../../evals/human-study/study-status.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { unitOf } from "../../../evals/run/selection.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { renderScore } from "../../../src/app/cli/render/score.ts";
import { dataFolder, parquet } from "../benchmarks/fixtures.ts";

const RATERS = ["ann", "bob", "cleo"];

/** A study of six questions of four pairs, each answered by two of three people. A is right everywhere. */
async function pairStudy(): Promise<{
  study: string;
  made: Awaited<ReturnType<typeof makeStudy>>;
}> {
  const rows = Array.from({ length: 24 }, (_, place) => ({
    question_id: `q${place >> 2}`,
    ...{ question: "How long?", options: ["A. 1", "B. 2"], answer: "A" },
    ...{ category: "Geometry Length", length: "short", videoID: "v1" },
  }));
  const data = await dataFolder({
    "multi_binary/test-00000-of-00001.parquet": parquet(rows),
    "videos/v1.mp4": null,
  });
  const asked = readEvalSettings({ benchmark: "videomathqa", data, subset: "multi_binary" });
  const study = join(data, "study");
  const made = await makeStudy(asked, study, { raters: RATERS, per_item: 2, seed: 0 });
  return { study, made };
}

/** Bob is wrong on every pair, and the others on none. */
async function answerAll(study: string): Promise<void> {
  const { plan, samples } = await readStudy(study);
  for (const { rater, item, shift } of plan.assignments) {
    const answer = RATERS[rater] === "bob" ? 1 : 0;
    await appendAnswer(study, {
      ...{ rater: RATERS[rater] ?? "", item, sample: samples[item]?.id ?? "", shift },
      // `shift` moves the options to the right.
      shown: (answer + shift) % 2 === 0 ? "A" : "B",
      ...{ seconds: 2, answered_at: "2026-11-24T04:00:00.000Z" },
    });
  }
}

test("all pairs of a question go to the same people, so that each epoch of the export is one person", async () => {
  const { study, made } = await pairStudy();
  expect(made).toMatchObject({ questions: 6, samples: 24 });
  expect(made.raters).toEqual(RATERS.map((rater) => ({ rater, questions: 4, samples: 16 })));
  await answerAll(study);

  const run = join(study, "run");
  expect(await exportStudy(study, run)).toMatchObject({ answers: 48, mixed_questions: 0 });
  const results = await readResults(run);
  const people = Map.groupBy(results.said, ({ sample, epoch }) => `${unitOf(sample)} ${epoch}`);
  expect(people.size).toBe(12);
  for (const of of people.values())
    expect([of.length, new Set(of.map(({ line }) => line?.diagnostics.rater)).size]).toEqual([
      4, 1,
    ]);
  // Four of the twelve results are Bob's: all others have all of their pairs right.
  expect(scoreResults(results).all).toMatchObject({ all: 12, right: 8 });
  expect(results.header?.human_study).not.toHaveProperty("mixed_questions");

  const status = await studyStatus(study);
  expect(status).toMatchObject({ questions: 6, samples: 24, answers: 48, planned: 48 });
  expect(status.mixed_questions).toBe(0);
  expect(status.raters[0]).toMatchObject({ questions: 4, assigned: 16, answered: 16 });
  // Two of the questions are shared by each two raters: agreement counts their eight pairs.
  expect(status.pairs.map(({ a, b, n, observed }) => [a, b, n, observed])).toEqual([
    ["ann", "bob", 8, 0],
    ["ann", "cleo", 8, 1],
    ["bob", "cleo", 8, 0],
  ]);
});

test("a study whose pairs went to different people is still answered and exported, and the export names the mixed questions", async () => {
  const { study } = await pairStudy();
  const file = join(study, "study.json");
  const plan = JSON.parse(await readFile(file, "utf8"));
  // As in older plans: the pairs of question 1 to 5 have other people than the first pair.
  const assignments = Array.from({ length: 24 }, (_, item) =>
    [0, 1].map((place) => ({ rater: (place + (item < 4 ? 0 : item)) % 3, item, shift: 0 })),
  ).flat();
  await writeFile(file, JSON.stringify({ ...plan, assignments }));
  await answerAll(study);
  expect(await studyStatus(study)).toMatchObject({ questions: 6, answers: 48, mixed_questions: 5 });
  const run = join(study, "run");
  expect(await exportStudy(study, run)).toMatchObject({ answers: 48, mixed_questions: 5 });
  const results = await readResults(run);
  expect(results.said).toHaveLength(48);
  const told = "The pairs of 5 questions were answered by different people";
  expect(renderScore(scoreResults(results))).toContain(told);
  expect(JSON.stringify(makeReport([results]))).toContain(`run: ${told}`);
});
