import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { compareResults } from "../../../evals/compare/compare.ts";
import { testEvidence } from "../../../evals/evidence-test/evidence-test.ts";
import { exportResults } from "../../../evals/export/export-run.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { planRun } from "../../../evals/run/plan-run.ts";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import { withScorersAsked } from "../../../evals/score/scorer-choice.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo, refusal, settingsFor } from "./run-fixtures.ts";

/* A data file with choices, an order and open questions, asked of the real client against a loopback server. */

const CHOICES = ["red", "blue", "green"];
const ROWS = [
  ...[0, 1, 2, 3].map((n) => ({
    id: `choice-${n}`,
    video: `v${n % 2}.mp4`,
    question: `Which colour is number ${n}?`,
    options: CHOICES,
    answer: ["A", "B", "C", "A"][n],
    topic: n % 2 === 0 ? "cars" : "dogs",
  })),
  ...[0, 1, 2, 3, 4].map((n) => ({
    id: `open-${n}`,
    video: `v${n % 2}.mp4`,
    question: `How many are there in scene ${n}?`,
    answer: n === 4 ? ["5", "five"] : String(n + 1),
    topic: n % 2 === 0 ? "cars" : "dogs",
    evidence_s: [[0, 1]],
  })),
  { id: "order-0", video: "v1.mp4", goal: "bake bread", answer: [2, 3, 1], topic: "dogs" },
];

/** The model's reply to each question; `RIGHT` lists the right ones. */
const SAID: Record<string, string> = {
  "number 0": "A",
  "number 1": "C",
  "number 2": "(C) green",
  "number 3": "A.",
  "scene 0": "There is **1** of them.",
  "scene 1": "2.004",
  "scene 2": "I count 4.",
  "scene 3": "four",
  "scene 4": "Five.",
  "bake bread": "Correct order: 2, 3, 1",
};
const RIGHT = ["choice-0", "choice-2", "choice-3", "open-0", "open-3", "open-4", "order-0"];

const saying: Script = ({ texts }) => {
  const asked = texts.join("\n");
  return Object.entries(SAID).find(([words]) => asked.includes(words))?.[1] ?? "no idea";
};

let server: ModelServer;
let root: string;
let file: string;
let runs = 0;

beforeAll(async () => {
  server = await startModelServer(saying);
  root = await tempFolder();
  await plainVideo(join(root, "v0.mp4"), 1);
  await plainVideo(join(root, "v1.mp4"), 2);
  file = join(root, "data.jsonl");
  await writeFile(file, ROWS.map((row) => JSON.stringify(row)).join("\n"));
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(saying);
});

const settings = (more: object = {}) => ({
  benchmark: "dataset",
  data: file,
  ...settingsFor(server.url, join(root, "store"), more),
});
const nextFolder = () => join(root, `run-${runs++}`);
const linesOf = async (folder: string) =>
  (await openRunLog(folder).read()).samples as unknown as RunLine[];

test("choices, an order and open answers are asked, scored, grouped, resumed and written back", async () => {
  const folder = nextFolder();
  const notes: string[] = [];
  // The first call of one question fails, so that the run has something to resume.
  let failed = false;
  server.answer((request) => {
    if (failed || !request.texts.join("\n").includes("number 0")) return saying(request);
    failed = true;
    return { status: 400, text: "broken" };
  });
  const first = await startRun(settings({ scorer: "open=number" }), folder, {
    onNote: (note) => notes.push(note),
  });
  expect([first.progress.done, first.progress.errors]).toEqual([9, 1]);
  // Every task has a scorer, so there is no note.
  expect(notes).toEqual([]);
  const before = server.chats().length;
  const resumed = await resumeRun(folder);
  expect(server.chats().length - before).toBe(1);
  expect([resumed.progress.done, resumed.progress.errors]).toEqual([10, 0]);

  // What reached the model: the question as written, options under their letters, pictures of the video.
  const asked = server.chats().map(({ texts, images }) => ({ text: texts.join("\n"), images }));
  const ofChoice = asked.find(({ text }) => text.includes("number 2"));
  expect(ofChoice?.text).toContain("Which colour is number 2?");
  expect(ofChoice?.text).toContain("(A) red\n(B) blue\n(C) green");
  expect(ofChoice?.images).toHaveLength(2);
  const ofOpen = asked.find(({ text }) => text.includes("scene 1"));
  expect(ofOpen?.text).toContain("Question: How many are there in scene 1?");
  expect(ofOpen?.text).not.toContain("(A)");
  // No reference reaches the model.
  expect(ofOpen?.text).not.toMatch(/\b2\b/);
  expect(asked.find(({ text }) => text.includes("bake bread"))?.text).toContain("Correct order");

  const lines = await linesOf(folder);
  const right = lines
    .filter(({ scores, error }) => error === undefined && scores.sound?.value === 1)
    .map(({ sample }) => sample);
  expect(right.sort()).toEqual(RIGHT);

  const results = await readResults(folder);
  const score = scoreResults(results);
  expect(score).toMatchObject({
    scorers: { open: { name: "number", settings: {} } },
    unscored: [],
  });
  expect([score.all.right, score.all.all]).toEqual([7, 10]);
  const groups = Object.fromEntries(
    score.groups.map(({ kind, group, right: of, all }) => [`${kind} ${group}`, [of, all]]),
  );
  const counted = (keep: (row: (typeof ROWS)[number]) => boolean) => {
    const rows = ROWS.filter(keep);
    return [rows.filter(({ id }) => RIGHT.includes(id)).length, rows.length];
  };
  expect(groups).toEqual({
    "task choice": counted(({ id }) => id.startsWith("choice")),
    "task open": counted(({ id }) => id.startsWith("open")),
    "task order": counted(({ id }) => id.startsWith("order")),
    "topic cars": counted(({ topic }) => topic === "cars"),
    "topic dogs": counted(({ topic }) => topic === "dogs"),
  });
  expect(score.step_accuracy?.micro).toMatchObject({ mean: 1, n: 3 });
  expect(score.retrieval_funnel?.samples).toBe(5);
  // Nothing is published for own data, so nothing is compared with it.
  expect(score.certificate).toBeNull();

  // Another scorer, without a call.
  server.reset();
  const rescored = (scorer: string[], given: object) =>
    scoreResults(withScorersAsked(results, { scorer, settings: { ...given } })).all.right;
  expect(rescored(["number"], { tolerance: 0.01 })).toBe(8);
  expect(rescored(["includes"], {})).toBe(6);
  expect(rescored(["open=exact"], {})).toBe(5);
  expect(server.chats()).toHaveLength(0);

  // Written back, the file gives the same questions.
  const back = join(root, "back.jsonl");
  await writeFile(back, exportResults(results, "dataset"));
  const again = await planRun({ ...settings({ scorer: ["exact"] }), data: back });
  expect(again.reading).toEqual([
    "10 questions: 4 choice, 5 open, 1 order",
    "columns: id, video, question, options, answer, goal, evidence_s, task",
    "groups: task (3), topic (2)",
  ]);
  const replies = exportResults(results, "dataset", { replies: true }).trim().split("\n");
  expect(replies.map((line) => JSON.parse(line)).find(({ id }) => id === "open-3")).toMatchObject({
    ...{ answer: "4", reply: "four", reply_answer: "four", score: 1, epoch: 1 },
  });

  // The file is a response file: it contains the questions, or answers those of the data.
  const responses = join(root, "replies.jsonl");
  await writeFile(responses, replies.join("\n"));
  for (const options of [{}, { data: file }, { data: file, load: { group: ["topic"] } }]) {
    const read = await readResults(responses, options);
    const again = scoreResults(withScorersAsked(read, { scorer: ["number"], settings: {} }));
    expect([again.benchmark, again.all.right, again.all.all]).toEqual(["dataset", 7, 10]);
    expect(again.match?.verified).toBe(true);
  }
  expect(await refusal(readResults(folder, { load: { group: ["topic"] } }))).toMatchObject({
    message: expect.stringContaining("a run keeps how its data were read"),
  });
});

test("open questions without a scorer are reported before a call, and are in no accuracy", async () => {
  const folder = nextFolder();
  const told: { note: string; calls: number }[] = [];
  const plan = await planRun(settings());
  expect(plan.unscored).toEqual([{ task: "open", samples: 5 }]);
  expect(server.chats()).toHaveLength(0);
  await startRun(settings(), folder, {
    onNote: (note) => told.push({ note, calls: server.chats().length }),
  });
  expect(told).toEqual([
    {
      note: expect.stringMatching(
        /^5 open questions have no scorer, so their answers are not in the accuracy: name one of exact, includes, number/,
      ),
      calls: 0,
    },
  ]);
  const results = await readResults(folder);
  const score = scoreResults(results);
  expect([score.all.right, score.all.all, score.all.unscored]).toEqual([4, 5, 0]);
  expect(score.unscored).toEqual([{ task: "open", samples: 5 }]);
  const [part] = makeReport([results]).parts;
  const outcomes = part?.questions.map(({ id, said }) => [id, said[0]?.outcome]);
  expect(outcomes).toContainEqual(["open-0", "not scored"]);
  // Runs that are scored in different ways are not compared.
  const scored = withScorersAsked(results, { scorer: ["exact"], settings: {} });
  expect(() => compareResults([results, { ...scored, name: "other" }])).toThrow(
    "their answers are scored in different ways (choice=letter, order=order, open=exact, and choice=letter, order=order). Name the scorers for both with --scorer.",
  );
});

test("over several epochs open answers vote by the equality of their scorer", async () => {
  const folder = nextFolder();
  const said = ["four", "It is 4.", "5", "5", "six", "no idea"];
  let asked = 0;
  server.answer(() => said[asked++ % said.length] ?? "");
  await startRun(
    settings({
      scorer: "number",
      epochs: 3,
      sample_id: ["open-3"],
      runtime: { base_url: server.url, data: join(root, "store-votes"), max_connections: 1 },
    }),
    folder,
  );
  const { over_epochs, all } = scoreResults(await readResults(folder));
  expect(over_epochs?.majority.mean).toBe(1);
  expect(all.ofAll?.mean).toBeCloseTo(2 / 3, 9);
});

test("a run without the video is compared with one that sees it", async () => {
  const [blind, seeing] = [nextFolder(), nextFolder()];
  const { recognition: _frames, ...rest } = settings({ scorer: "number", strategy: "blind" }) as {
    recognition?: unknown;
  };
  server.answer(() => "3");
  await startRun(rest, blind);
  expect(server.chats().every(({ images }) => images.length === 0)).toBe(true);
  server.answer(saying);
  await startRun(settings({ scorer: "number" }), seeing);
  const [first] = compareResults([await readResults(blind), await readResults(seeing)]).comparisons;
  // The blind run is right about scene 2 only.
  expect(first?.all.difference).toBeCloseTo((7 - 1) / 10, 9);
});

test("the evidence test compares open answers as their scorer does", async () => {
  const film = join(root, "said.mp4");
  await mkdir(root, { recursive: true });
  await plainVideo(film, 4);
  await writeFile(
    join(root, "said.srt"),
    "1\n00:00:00,000 --> 00:00:00,500\nThe captain hid the golden key inside the lighthouse.\n\n2\n00:00:00,600 --> 00:00:00,900\nRain falls over the harbour.\n",
  );
  const data = join(root, "said.jsonl");
  const row = { video: "said.mp4", question: "Where did the captain hide the golden key?" };
  await writeFile(data, JSON.stringify({ ...row, answer: "lighthouse", evidence_s: [[0, 0.5]] }));
  const folder = nextFolder();
  await startRun(
    {
      benchmark: "dataset",
      data,
      strategy: "extractive",
      scorer: "includes",
      recognition: { ocr: "off" },
      runtime: { data: join(root, "store-said") },
    },
    folder,
  );
  await testEvidence(folder, {});
  const { all, evidence_test } = scoreResults(await readResults(folder));
  expect(all.right).toBe(1);
  expect(evidence_test).toMatchObject({
    tested: 1,
    sufficiency: { mean: 1 },
    necessity: { mean: 1 },
    overlap: { recall: { mean: 1 } },
  });
});

test("a run stores how its file was read, and resumes only with the same file", async () => {
  const folder = nextFolder();
  const csv = join(root, "mine.csv");
  await writeFile(csv, "q,film,label,o1,o2\nWhich colour is number 2?,v0.mp4,0,red,blue\n");
  const asked = {
    ...settings(),
    ...{ data: csv, columns: "question=q,video=film,answer=label,options=o1", answers: "index0" },
  };
  expect(await refusal(startRun(asked, folder))).toMatchObject({
    kind: "data-malformed",
    message: expect.stringContaining("the options are neither JSON nor separated"),
  });
  await writeFile(
    csv,
    "q,film,label,option1,option2\nWhich colour is number 2?,v0.mp4,1,red,blue\n",
  );
  await startRun({ ...asked, columns: "question=q,video=film,answer=label" }, folder);
  const header = JSON.parse(await readFile(join(folder, "header.json"), "utf8"));
  expect(header.data).toMatchObject({
    path: csv,
    load: { columns: { question: "q", video: "film", answer: "label" }, answers: "index0" },
  });
  expect(header.scorers).toEqual({
    choice: { name: "letter", settings: {} },
    order: { name: "order", settings: {} },
  });
  const resumed = await resumeRun(folder);
  expect(resumed.progress).toMatchObject({ done: 1, fresh: 0 });
  await writeFile(
    csv,
    "q,film,label,option1,option2\nWhich colour is number 2?,v0.mp4,0,red,blue\n",
  );
  expect((await refusal(resumeRun(folder))).message).toContain("mine.csv has changed");
});

test.each([
  [{ scorer: "number" }, undefined],
  [{ scorer: "exakt" }, 'Invalid --scorer "exakt": use one of letter, order, exact'],
  [
    { scorer: "choice=exact" },
    'Invalid --scorer "choice=exact": exact scores open questions, not choice questions. For these use letter, command.',
  ],
  [
    { tolerance: 0.1 },
    "No scorer of this run reads --tolerance: leave it out, or add --scorer number.",
  ],
  [{ scorer: "number", tolerance: "little" }, 'Invalid --tolerance "little": use a number from 0'],
  [{ answers: "roman" }, 'Invalid --answers "roman": use one of letter, text, index0, index1.'],
  [
    { columns: "question" },
    'Invalid --columns "question": use pairs such as question=q,answer=label.',
  ],
  [{ columns: "speed=q" }, 'Invalid --columns "speed=q"'],
  [
    { benchmark: "mmr-v", group: ["topic"] },
    "The benchmark mmr-v does not read --group: leave it out, or use dataset.",
  ],
  [
    { benchmark: "vcrbench", scorer: "exact" },
    "exact scores open questions, and VCRBench has order questions.",
  ],
  [
    { protocol: "official" },
    "Invalid --protocol official for dataset: it has no published protocol.",
  ],
])("%j", async (more, message) => {
  const plan = planRun(settings(more));
  if (message === undefined) expect((await plan).unscored).toEqual([]);
  else expect((await refusal(plan)).message).toContain(message);
});

test("samples of tasks that the strategy does not answer are named before and after the run", async () => {
  const note = {
    what: "samples of tasks that the strategy options-only does not answer, and that count as wrong",
    count: 6,
    examples: ["open-0", "open-1", "open-2", "open-3", "open-4"],
  };
  const input = settings({ strategy: "options-only", recognition: {} });
  expect((await planRun(input)).notes).toContainEqual(note);
  const folder = nextFolder();
  await startRun(input, folder);
  const scored = scoreResults(await readResults(folder));
  expect(scored.notes).toContainEqual(note);
});
