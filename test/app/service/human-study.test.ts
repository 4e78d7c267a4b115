import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { compareResults } from "../../../evals/compare/compare.ts";
import { exportStudy } from "../../../evals/human-study/export-study.ts";
import { makeStudy } from "../../../evals/human-study/make-study.ts";
import { studyStatus } from "../../../evals/human-study/study-status.ts";
import { readEvalSettings } from "../../../evals/run/eval-settings.ts";
import { startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import type { StudyNext } from "../../../src/app/service/api-study.ts";
import { addKey } from "../../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../../src/app/service/options.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeClip } from "../../support/clips.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, startRig } from "./rig.ts";

const RATERS = ["ann", "bob", "cleo"];
const ROWS = [
  { id: "a", question: "Which?", options: ["one", "two", "three"], answer: "B" },
  { id: "b", question: "Which of them?", options: ["red", "blue"], answer: "A" },
  { id: "c", question: "In which order?", goal: "Tea", answer: [2, 1, 3] },
];
/** The texts that everybody takes for right. */
const RIGHT: Record<string, string> = { "Which?": "two", "Which of them?": "red" };

let data: string;
let folder: string;
let study: string;

beforeAll(async () => {
  folder = await tempFolder();
  await mkdir(join(folder, "videos"));
  await makeClip(join(folder, "videos"), "v.mp4", { frames: 25 });
  data = join(folder, "questions.jsonl");
  await writeFile(data, ROWS.map((row) => JSON.stringify({ ...row, video: "v.mp4" })).join("\n"));
  study = join(folder, "study");
  const asked = readEvalSettings({ benchmark: "dataset", data });
  await makeStudy(asked, study, { raters: RATERS, per_item: 2, seed: 3 });
});

test("people answer blind in their own order, after a restart too, and the export is a run", async () => {
  const store = join(folder, "store");
  const opened = await openStore(store);
  const keys = new Map<string, string>();
  for (const name of [...RATERS, "eve"])
    keys.set(name, await addKey(opened.service, name, NO_LIMITS, ["review"]));
  await opened.close();
  const start = async () => {
    const rig = await startRig({ data: store, auth: { by: "keys" }, human_study: study });
    const as = (name: string) => client(rig.url, { authorization: `Bearer ${keys.get(name)}` });
    return { rig, as };
  };
  let { rig, as } = await start();
  const next = (name: string) => as(name).json<StudyNext>(200, "GET", "/api/v1/human-study/next");
  const path = "/api/v1/human-study/answers";
  expect(await as("eve").json(403, "GET", "/api/v1/human-study/next")).toMatchObject({
    kind: "not-a-rater",
  });

  let answers = 0;
  for (const name of RATERS) {
    for (let one = await next(name); one.item !== null; one = await next(name)) {
      const { item } = one;
      // Nothing of the right answer is in what the rater gets.
      expect(Object.keys(item).sort()).toEqual([
        "clips",
        "goal",
        "id",
        "media",
        "options",
        "question",
        "task",
      ]);
      const wrong = item.task === "order" ? [1, 2] : "Z";
      await as(name).json(422, "POST", path, { item: item.id, answer: wrong });
      const text = RIGHT[item.question];
      const letter = item.options.find((option) => option.text === text)?.letter;
      // Bob errs on the order.
      const answer = letter ?? (name === "bob" ? [1, 2, 3] : [2, 1, 3]);
      expect((await as(name).send("GET", item.media)).status).toBe(200);
      await as(name).json(201, "POST", path, { item: item.id, answer, seconds: 0.001 });
      await as(name).json(409, "POST", path, { item: item.id, answer });
      if (++answers === 2) {
        await rig.stop();
        ({ rig, as } = await start());
      }
    }
    expect(await next(name)).toMatchObject({ item: null, done: 2, total: 2 });
  }
  await rig.stop();
  expect(answers).toBe(6);

  // Half a line, as a full disk leaves it.
  await appendFile(join(study, "answers.jsonl"), '{"rater":"ann');
  const run = join(folder, "runs", "people");
  expect(await exportStudy(study, run)).toMatchObject({ answers: 6, planned: 6, damaged: 1 });
  const results = await readResults(run);
  expect(results.header).toMatchObject({ status: "finished", human_study: { raters: RATERS } });
  expect(results.said.map(({ line }) => [line?.reply_by, line?.calls.length])).toEqual(
    Array(6).fill(["person", 0]),
  );
  const order = results.said
    .filter(({ sample }) => sample.id === "c")
    .map(({ line }) => line?.diagnostics.rater);
  const score = scoreResults(results);
  expect(score.all).toMatchObject({ all: 6, right: order.includes("bob") ? 5 : 6 });
  const status = await studyStatus(study);
  expect(status.raters.map(({ answered }) => answered)).toEqual([2, 2, 2]);
  expect(status.pairs).toHaveLength(3);
  expect(status.pairs.filter(({ observed }) => observed === 1)).toHaveLength(
    order.includes("bob") ? 2 : 3,
  );
  // The same study is exported again; another run is refused.
  expect(await exportStudy(study, run)).toMatchObject({ answers: 6 });

  const random = join(folder, "runs", "random");
  await startRun(
    { benchmark: "dataset", data, strategy: "random", runtime: { data: store } },
    random,
  );
  await expect(exportStudy(study, random)).rejects.toMatchObject({ kind: "wrong-usage" });
  const { runs, common } = compareResults([await readResults(random), results]);
  expect([common, runs.map(({ name }) => name)]).toEqual([3, ["random", "people"]]);
});
