import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { testEvidence } from "../../../evals/evidence-test/evidence-test.ts";
import { readTest } from "../../../evals/evidence-test/test-log.ts";
import { makeReport } from "../../../evals/report/report.ts";
import { startRun } from "../../../evals/run/run.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { scoreResults } from "../../../evals/score/score-run.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { compose } from "../../../src/media/compose.ts";
import { openStore } from "../../../src/storage/open.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { procedureModel, rightOrder } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo, refusal, vcrData } from "../run/run-fixtures.ts";

let server: ModelServer;
let root: string;
let folder: string;
let store: Store;

beforeAll(async () => {
  server = await startModelServer(() => "");
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  root = await tempFolder();
  folder = join(root, "run");
  store = await openStore(join(root, "store"));
  await mkdir(join(root, "videos"));
});
afterEach(() => store.close());

const time = (s: number) => `00:00:${String(s).padStart(2, "0")},000`;
const cue = (text: string, from: number, to: number) => `${time(from)} --> ${time(to)}\n${text}\n`;

interface Row {
  video: string;
  question: string;
  options: string[];
  correctAnswer: string;
  evidence_s?: unknown;
}

async function data(rows: Row[]): Promise<void> {
  const whole = rows.map((row, question_idx) => ({ videoType: "Life", ...row, question_idx }));
  await writeFile(join(root, "MMR-V.json"), JSON.stringify(whole));
}

const run = (more: object) =>
  startRun(
    {
      benchmark: "mmr-v",
      data: root,
      runtime: { data: store.folder, base_url: server.url },
      ...more,
    },
    folder,
    { store },
  );

/** Two talks. In the second the answer is said twice and cited once. */
async function talks(): Promise<void> {
  for (const name of ["once", "twice"]) await plainVideo(join(root, "videos", `${name}.mp4`), 3);
  const filler = cue("Rain falls over the harbour all day.", 6, 8);
  const said = "The captain hid the golden key inside the lighthouse.";
  await writeFile(join(root, "videos", "once.srt"), `${cue(said, 2, 4)}\n${filler}`);
  await writeFile(
    join(root, "videos", "twice.srt"),
    `${cue(said, 2, 4)}\n${filler}\n${cue(said, 30, 32)}`,
  );
  const row = (video: string) => ({
    video,
    question: "Where did the captain hide the golden key?",
    options: ["(A) inside the lighthouse", "(B) under the bridge", "(C) behind the bakery"],
    correctAnswer: "(A)",
  });
  await data([
    { ...row("once.mp4"), evidence_s: [[2, 4]] },
    { ...row("twice.mp4"), evidence_s: [3, 31] },
    {
      ...row("once.mp4"),
      question: "Why is the moon made of cheese?",
      options: ["(A) one", "(B) two"],
    },
  ]);
}

test("extractive: cited evidence suffices; without it the answer disappears unless the same is said elsewhere", async () => {
  await talks();
  await run({ strategy: "extractive", recognition: { ocr: "off" } });
  const { status, lines } = await testEvidence(folder, {}, { store });
  expect(status).toBe("finished");
  // The third question has no answer to be tested.
  expect(lines).toHaveLength(2);
  const [once, twice] = lines.toSorted(
    (a, b) => (a.again?.all.evidence ?? 0) - (b.again?.all.evidence ?? 0),
  );
  expect(once).toMatchObject({
    answer: "A",
    cited_s: [[2, 4]],
    again: {
      all: { evidence: 2, answer: "A", same: true },
      cited: { evidence: 1, answer: "A", same: true },
      rest: { evidence: 1, answer: null, status: "not-answered", same: false },
    },
  });
  expect(twice?.again).toMatchObject({
    cited: { same: true },
    rest: { evidence: 2, answer: "A", same: true },
  });

  const { evidence_test } = scoreResults(await readResults(folder));
  expect(evidence_test).toMatchObject({
    tested: 2,
    citing_nothing: 0,
    failed: 0,
    stability: { mean: 1, n: 2, clusters: 2 },
    sufficiency: { mean: 1 },
    necessity: { mean: 0.5 },
    // Of the second only one of the two places is cited.
    overlap: { recall: { mean: 0.75 }, precision: { mean: 1 } },
  });
  expect(evidence_test?.overlap?.iou?.mean).toBeCloseTo((1 + 2 / 4) / 2, 9);
  expect(evidence_test?.necessity?.low).toBeGreaterThanOrEqual(0);
  const [part] = makeReport([await readResults(folder)]).parts;
  const table = part?.tables.find(({ title }) => title === "Dependence of answers on evidence");
  expect(table?.rows[0]?.slice(0, 3)).toEqual(["run", "2", "0"]);
  expect(table?.rows[0]?.[5]).toMatch(/^50\.00 \[/);
});

/** Eight seconds of grey; from 4 to 5 s the picture is red. */
async function redFilm(): Promise<void> {
  const still = (background: string, duration_s: number) =>
    ({ kind: "picture", picture: { background, shapes: [] }, duration_s }) as const;
  await compose(
    {
      width: 160,
      height: 90,
      fps: 5,
      silent: true,
      segments: [still("#808080", 4), still("#d02020", 1), still("#808080", 3)],
    },
    join(root, "videos", "red.mp4"),
  );
  await data([
    {
      video: "red.mp4",
      question: "What colour flashes?",
      options: ["(A) green", "(B) red", "(C) none that can be seen"],
      correctAnswer: "(B)",
      evidence_s: [[4, 5]],
    },
  ]);
}

async function isRed(picture: Buffer): Promise<boolean> {
  const [red, green] = (await sharp(picture).stats()).channels;
  return (red?.mean ?? 0) > (green?.mean ?? 0) + 60;
}

/** Views frames from 3 to 6 s and cites the red one; without tools it describes what it sees. */
async function looking(request: SeenRequest) {
  const reds = await Promise.all(request.images.map(isRed));
  const letter = reds.includes(true) ? "B" : "C";
  if (request.tools.length === 0) return { text: `So it is [[${letter}]].` };
  if (request.images.length === 0)
    return { toolCalls: [{ name: "view_frames", arguments: { from_s: 3, to_s: 6, count: 3 } }] };
  const names = request.texts.flatMap((text) => /^\[(E\d+)\] frame at/.exec(text)?.[1] ?? []);
  const evidence = names.filter((_, index) => reds[index]);
  return {
    toolCalls: [{ name: "answer", arguments: { answer: letter, evidence, confidence: 0.9 } }],
  };
}

const AGENT = {
  strategy: "agent",
  model: "openai:scripted",
  search: { tools: "view_frames", verify: false },
  recognition: { ocr: "off", subtitles: "off", max_side: 64 },
};

test("agent: cited frames are sent as pictures, other frames when the cited ones are removed", async () => {
  await redFilm();
  server.answer(looking);
  await run(AGENT);
  const before = server.chats().length;
  const { lines } = await testEvidence(folder, {}, { store });
  expect(lines).toMatchObject([
    {
      answer: "B",
      again: {
        all: { answer: "B", same: true },
        cited: { answer: "B", same: true },
        rest: { answer: "C", same: false },
      },
      usage: { calls: 3 },
    },
  ]);
  expect(lines[0]?.cited_s).toEqual([[4.4, 4.4]]);
  const asked = server.chats().slice(before);
  expect(asked.map((request) => [request.tools.length, request.images.length]).sort()).toEqual([
    [0, 1],
    [0, 2],
    [0, 3],
  ]);
  const alone = asked.find((request) => request.images.length === 1);
  expect(await isRed(alone?.images[0] as Buffer)).toBe(true);
  expect(alone?.texts.join("\n")).toMatch(/\[E\d+\] frame at 4\.4 s \(00:04\):/);
  expect(scoreResults(await readResults(folder)).evidence_test?.overlap).toMatchObject({
    recall: { mean: 1 },
    precision: { mean: 1 },
  });
});

test("a resumed test asks what is missing or failed, and nothing twice", async () => {
  await redFilm();
  server.answer(looking);
  await run(AGENT);
  server.answer((request) =>
    request.images.length === 2 ? { status: 400, text: "no" } : looking(request),
  );
  const first = await testEvidence(folder, {}, { store });
  expect(first.lines).toMatchObject([{ again: null, error: { kind: "model-rejected" } }]);
  expect(scoreResults(await readResults(folder)).evidence_test).toMatchObject({
    tested: 0,
    failed: 1,
    sufficiency: null,
  });
  server.reset();
  server.answer(looking);
  const second = await testEvidence(folder, {}, { store });
  expect(second.lines).toMatchObject([{ attempt: 1, again: { rest: { same: false } } }]);
  expect(server.chats()).toHaveLength(1);
  server.reset();
  await testEvidence(folder, {}, { store });
  expect(server.chats()).toHaveLength(0);
});

test("a stopped test resumes to the result of an uninterrupted one", async () => {
  await talks();
  await run({ strategy: "extractive", recognition: { ocr: "off" }, max_samples: 1 });
  const stop = new AbortController();
  const stopped = testEvidence(
    folder,
    {},
    {
      store,
      signal: stop.signal,
      onProgress: (done) => {
        if (done === 1) stop.abort();
      },
    },
  );
  expect(await refusal(stopped)).toMatchObject({ kind: "cancelled" });
  expect(await readTest(folder)).toMatchObject({ status: "stopped", lines: [{}] });
  const { status, lines } = await testEvidence(folder, {}, { store });
  expect(status).toBe("finished");
  expect(lines.map(({ again }) => again?.cited.same)).toEqual([true, true]);
});

test("rrd: an order remains with the descriptions that it cites, and disappears without them", async () => {
  const places = [2, 3, 1];
  const data = await vcrData([places]);
  server.answer(procedureModel(places));
  const settings = {
    strategy: "rrd",
    model: "openai:scripted",
    recognition: { frames: 6, max_side: 64 },
    runtime: { data: store.folder, base_url: server.url },
  };
  await startRun({ benchmark: "vcrbench", data, ...settings }, folder, { store });
  const before = server.chats().length;
  const { lines } = await testEvidence(folder, {}, { store });
  expect(lines).toMatchObject([
    {
      answer: rightOrder(places),
      again: { all: { same: true }, cited: { same: true }, rest: { answer: null, same: false } },
    },
  ]);
  expect(lines[0]?.cited_s).toHaveLength(3);
  // The reply of the run is not taken again; all descriptions are cited, so that two conditions are one request.
  expect(server.chats()).toHaveLength(before + 1);
});

test("a strategy that cites everything is refused, and a run without a test does not report one", async () => {
  await talks();
  server.answer(() => "[[A]]");
  await run({ strategy: "blind", model: "openai:scripted" });
  expect(await refusal(testEvidence(folder, {}, { store }))).toMatchObject({
    kind: "wrong-usage",
    message: expect.stringMatching(/rrd, agent, extractive\).*and this is blind/),
  });
  expect(await readTest(folder)).toBeNull();
  expect(scoreResults(await readResults(folder)).evidence_test).toBeNull();
});

test("evidence that is missing in the store is an error of its sample", async () => {
  await talks();
  await run({ strategy: "extractive", recognition: { ocr: "off" } });
  const other = await openStore(join(root, "other"));
  try {
    const { lines } = await testEvidence(folder, {}, { store: other });
    expect(lines.map(({ error }) => error?.kind)).toEqual(["not-found", "not-found"]);
  } finally {
    await other.close();
  }
});
