import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSidecars } from "../../../evals/attribution/find-sidecars.ts";
import { planGoldAttribution } from "../../../evals/attribution/gold-attribution.ts";
import { readSidecar } from "../../../evals/attribution/sidecar.ts";
import { benchmarkNamed } from "../../../evals/benchmarks/define-benchmark.ts";
import { createTally } from "../../../evals/benchmarks/tally.ts";
import type { QuestionView, VideoView } from "../../../src/app/service/api.ts";
import { makeClip } from "../../support/clips.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

interface Asked {
  items: { row: string; id: string }[];
  errors: { row: string; column: string | null; detail: string }[];
  checked: number;
}

let server: ModelServer;
let rig: Rig;
let file: string;
let video: VideoView;

beforeAll(async () => {
  server = await startModelServer(() => "Answer: B");
  rig = await startRig({
    settings: {
      model: "openai:scripted",
      strategy: "direct",
      recognition: { frames: 1 },
      runtime: { base_url: server.url },
    },
  });
  file = await makeClip(await tempFolder(), "x.mp4", { frames: 25 });
  video = await rig.upload(file, "lesson 1.mp4");
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});

async function bulk<T = Asked>(status: number, type: string, body: string, query = ""): Promise<T> {
  const response = await fetch(`${rig.url}/api/v1/questions/bulk${query}`, {
    method: "POST",
    headers: { "content-type": type },
    body,
  });
  const text = await response.text();
  expect([response.status, response.status === status ? "" : text]).toEqual([status, ""]);
  return JSON.parse(text) as T;
}

const count = async () =>
  (await rig.json<{ total: number }>(200, "GET", "/api/v1/questions")).total;

test("a table of questions is asked as a whole or not at all, and errors name row and column", async () => {
  const wrong = [
    "video,question,options,task,recognition.frames",
    `${video.id},What is x?,3|4,,2`,
    "nobody.mp4,What is y?,3|4,,",
    "lesson 1.mp4,What is z?,3,,",
    "lesson 1.mp4,What is z?,3|4,guess,",
    "lesson 1.mp4,What is z?,3|4,,many",
    "lesson 1.mp4,,,,",
    "lesson 1.mp4,What?",
  ].join("\n");
  const refused = await bulk<{ kind: string; detail: string; errors: Asked["errors"] }>(
    422,
    "text/csv",
    wrong,
  );
  expect(refused).toMatchObject({ kind: "wrong-rows" });
  expect(refused.errors.map(({ row, column }) => [row, column])).toEqual([
    ["row 7", null],
    ["row 2", "video"],
    ["row 3", "options"],
    ["row 4", "task"],
    ["row 5", "recognition.frames"],
    ["row 6", null],
  ]);
  expect(await count()).toBe(0);
  const dry = await bulk(200, "text/csv", wrong, "?dry_run=true");
  expect([dry.checked, dry.items, dry.errors.length, await count()]).toEqual([1, [], 6, 0]);
  const some = await bulk(202, "text/csv", wrong, "?partial=true");
  expect([some.items.map(({ row }) => row), some.errors.length]).toEqual([["row 1"], 6]);
  const question = await rig.ended(some.items[0]?.id ?? "");
  expect(question).toMatchObject({
    settings: { "recognition.frames": 2 },
    answer: { answer: "B" },
  });
  for (const [type, body] of [
    ["application/json", '{"rows": []}'],
    ["application/json", "[]"],
    ["text/csv", ""],
    ["text/csv", "video,video\n1,2"],
    ["application/x-ndjson", "no json"],
    ["application/json", JSON.stringify({ rows: [{ video: video.id, question: "?", secret: 1 }] })],
    [
      "application/json",
      JSON.stringify({
        rows: [{ video: video.id, question: "?", settings: { "runtime.data": "/" } }],
      }),
    ],
  ] as const)
    await bulk(422, type, body);
  await bulk(415, "text/html", "x");
  expect(await count()).toBe(1);
});

test("reviewed answers are exported as a data file and sidecars, which eval and attribute read", async () => {
  const rows = [
    { video: "lesson 1.mp4", question: "Which?", options: ["3", "4", "5"] },
    { video: video.id, question: "Who = who?", task: "open" },
    { video: video.id, question: "Not reviewed", options: ["1", "2"] },
  ];
  const asked = await bulk(
    202,
    "application/x-ndjson",
    rows.map((row) => JSON.stringify(row)).join("\n"),
  );
  const ids = asked.items.map(({ id }) => id);
  const [choice = "", open = ""] = ids;
  for (const id of ids) await rig.ended(id);
  const list = await rig.evidence(choice);
  const created = await rig.send(
    "POST",
    `/api/v1/questions/${choice}/evidence`,
    { kind: "caption", start_s: 0, end_s: 0.5, text: "A test card" },
    { "if-match": `"${list.set}"` },
  );
  expect(created.status).toBe(201);
  await rig.json(201, "POST", `/api/v1/questions/${choice}/ratings`, { verdict: "approved" });
  await rig.json(201, "POST", `/api/v1/questions/${open}/ratings`, {
    verdict: "corrected",
    answer: "=cmd",
  });

  const get = async (query: string) => (await rig.send("GET", `/api/v1/export?${query}`)).text();
  const lines = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const all = lines(await get("as=jsonl"));
  expect(all).toHaveLength(4);
  expect(all.map(({ question }: { question: QuestionView }) => question.id).slice(1)).toEqual(ids);
  expect(all[1]).toMatchObject({
    video: { id: video.id },
    question: { review: { verdict: "approved" } },
    evidence: { items: expect.arrayContaining([expect.objectContaining({ text: "A test card" })]) },
    ratings: [{ verdict: "approved", rater: "person" }],
  });
  const csv = (await get("as=csv&verdict=corrected")).trim().split("\n");
  expect(csv).toHaveLength(2);
  expect(csv[1]).toContain(",'=cmd,");

  const folder = await tempFolder();
  const data = join(folder, "rows.jsonl");
  await writeFile(data, await get("as=rows"));
  await mkdir(join(folder, "videos"));
  const loaded = await benchmarkNamed("dataset").load(data, {});
  expect(loaded.samples).toMatchObject([
    { id: choice, task: "choice", question: "Which?", answer: "B", hasVideo: false },
    { id: open, task: "open", answer: "=cmd" },
  ]);
  const gold = await tempFolder();
  for (const { file: name, sidecar } of lines(await get("as=sidecar")))
    await writeFile(join(gold, name), JSON.stringify(sidecar));
  const name = loaded.samples[0]?.video ?? "";
  const tally = createTally();
  const path = (await findSidecars(gold, [name], async () => null, tally)).get(name) ?? "";
  const one = await rig.json<{ video: string }>(
    200,
    "GET",
    `/api/v1/export?as=sidecar&video=${video.id}`,
  );
  const of = { video: name, hash: one.video, duration_s: 1, questions: ids };
  expect(await readSidecar(path, of, tally)).toMatchObject({
    captions: [{ start_s: 0, end_s: 0.5, text: "A test card" }],
  });
  expect(tally.notes()).toEqual([]);

  // The corrected evidence becomes gold: the caption that a person wrote makes the stage right.
  await copyFile(file, join(folder, name));
  const settings = {
    ...{ benchmark: "dataset", data, strategy: "rrd", model: "openai:scripted" },
    runtime: { base_url: server.url, data: await tempFolder() },
  };
  const plan = await planGoldAttribution(settings, { sidecars: gold });
  expect([plan.stages, plan.samples]).toEqual([["captions", "search"], 1]);
  expect(plan.gold).toMatchObject([{ stage: "captions" }, { stage: "search" }]);
});

test("a table that is sent again with its Idempotency-Key asks nothing again", async () => {
  const send = (question: string) =>
    rig.send("POST", "/api/v1/questions/bulk", `video,question\n${video.id},${question}\n`, {
      "content-type": "text/csv",
      "idempotency-key": "week-47",
    });
  const before = await count();
  const first = await send("Is it sent twice?");
  const second = await send("Is it sent twice?");
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(await second.json()).toEqual(await first.json());
  expect(await count()).toBe(before + 1);
  expect((await send("Is it another table?")).status).toBe(422);
  expect(await count()).toBe(before + 1);
});
