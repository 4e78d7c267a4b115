import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { demandOfPropagation, studyPropagation } from "../../../evals/propagation/propagation.ts";
import { propagationReport, warningsOf } from "../../../evals/propagation/report.ts";
import { startRun } from "../../../evals/run/run.ts";
import { renderPropagation } from "../../../src/app/cli/render/propagation.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { reportPage } from "../../../src/pages/report.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo, refusal, vcrData } from "../run/run-fixtures.ts";

/** Describes each clip by its place, and orders descriptions by the places that they name. */
const MODEL = procedureModel([2, 1, 3, 4]);

let server: ModelServer;
let store: Store;
let data: string;
let folder: string;

beforeAll(async () => {
  server = await startModelServer(MODEL);
  const root = await tempFolder();
  folder = join(root, "rrd");
  store = await openStore(join(root, "store"));
  data = await vcrData([
    [2, 1, 3],
    [2, 1, 3, 4],
  ]);
  const runtime = { data: store.folder, base_url: server.url };
  const recognition = { frames: 8, max_side: 64 };
  await startRun(
    {
      benchmark: "vcrbench",
      data,
      strategy: "rrd",
      model: "openai:scripted",
      recognition,
      runtime,
    },
    folder,
    { store },
  );
});
afterAll(async () => {
  await store.close();
  await server.close();
});
beforeEach(() => server.reset());

test("damaged captions change the order, the clean ones cost nothing, and the same call asks nothing", async () => {
  server.answer(MODEL);
  const asked = { errors: ["swap-captions", "drop-captions"], rates: [0.5, 1], store };
  const demand = await demandOfPropagation(folder, {}, asked);
  expect(demand).toMatchObject({ samples: 2, left_out: 0, open: demand.questions });
  expect(server.chats()).toHaveLength(0);

  const study = await studyPropagation(folder, {}, asked);
  // Each distinct damaged set of each sample is one ordering call; the clean ones are the run's own calls.
  const texts = server.chats().map(({ texts: words }) => words.join("\n"));
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeLessThanOrEqual(demand.questions - 2);
  expect(server.chats().every(({ images }) => images.length === 0)).toBe(true);
  const [swap, drop] = study.curves;
  expect(swap?.points.map(({ rate, realised }) => [rate, realised])).toEqual([
    [0, 0],
    [0.5, 4 / 7],
    [1, 1],
  ]);
  expect(swap?.points[0]).toMatchObject({ accuracy: { mean: 1 }, difference: null, failed: 0 });
  expect(swap?.points[2]?.accuracy?.mean).toBeLessThan(1);
  expect(drop?.points[2]).toMatchObject({ damaged: 7, units: 7, accuracy: { mean: 0 } });
  expect(drop?.points[2]?.difference?.difference).toBe(-1);

  server.reset();
  server.answer(MODEL);
  const again = await studyPropagation(folder, {}, asked);
  expect(again).toEqual(study);
  expect(server.chats()).toHaveLength(0);
  expect(reportPage(propagationReport([study]))).toContain("Accuracy against swap-captions");
});

test("a new rate asks only what is new", async () => {
  server.answer(MODEL);
  const before = await demandOfPropagation(
    folder,
    {},
    {
      errors: ["swap-captions"],
      rates: [0.5, 1],
      store,
    },
  );
  expect(before.open).toBe(0);
  const more = { errors: ["swap-captions"], rates: [0.2, 0.5, 1], store };
  const { open } = await demandOfPropagation(folder, {}, more);
  expect(open).toBeGreaterThan(0);
  await studyPropagation(folder, {}, more);
  expect(server.chats().length).toBeLessThanOrEqual(open);
});

test.for([
  [["nothing-known"], [0.1], /Unknown perturbation "nothing-known"/],
  [["drop-captions"], [1.5], /Invalid rate 1.5/],
  [["shift-subtitles"], [0.1], /Nothing to damage .* no cues/],
] as const)("what cannot be injected is refused: %j at %j", async ([errors, rates, message]) => {
  const failure = await refusal(studyPropagation(folder, {}, { errors, rates, store }));
  expect(failure).toMatchObject({ kind: "wrong-usage" });
  expect(failure.message).toMatch(message);
  expect(server.chats()).toHaveLength(0);
});

test("an order over the recogniser's replies as they are has no descriptions to damage", async () => {
  const verbatim = join(await tempFolder(), "verbatim");
  await cp(folder, verbatim, { recursive: true });
  const path = join(verbatim, "header.json");
  const header = JSON.parse(await readFile(path, "utf8"));
  header.settings.recognition.replies = "verbatim";
  await writeFile(path, JSON.stringify(header));
  const asked = { errors: ["drop-captions"], rates: [0.5], store };
  expect(await refusal(studyPropagation(verbatim, {}, asked))).toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("Run it with `--recognition-replies by-clip`."),
  });
  expect(server.chats()).toHaveLength(0);
});

test("a reply that nothing scores is unscored, not failed: it is left out, and no command asks it again", async () => {
  const root = await tempFolder();
  await plainVideo(join(root, "v.mp4"), 3);
  const cues =
    "1\n00:00:00,000 --> 00:00:01,000\nThe kettle is green.\n\n2\n00:00:02,000 --> 00:00:03,000\nIt boils.\n";
  await writeFile(join(root, "v.srt"), cues);
  const shared = { video: "v.mp4", subtitles: "v.srt", question: "What colour is the kettle?" };
  const file = join(root, "data.jsonl");
  const rows = [
    { id: "choice", ...shared, options: ["green", "red"], answer: "A" },
    { id: "open", ...shared, answer: "green" },
  ];
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  const run = join(root, "run");
  await startRun(
    { benchmark: "dataset", data: file, strategy: "extractive", recognition: { ocr: "off" } },
    run,
    { store },
  );
  const study = await studyPropagation(
    run,
    {},
    { errors: ["add-distractors", "shift-subtitles"], rates: [1], store },
  );
  const [curve] = study.curves;
  expect(curve?.questions).toBe(2);
  for (const point of curve?.points ?? [])
    expect(point).toMatchObject({ failed: 0, unscored: 1, accuracy: { n: 1 } });
  // The subtitles of the data are gold, for each of the two questions.
  expect(curve?.points[0]?.gold_error).toEqual([{ stage: "speech", words: 12, missed: 0 }]);
  expect(renderPropagation([study])).toMatch(/gold words missed[\s\S]*speech 0\.00 %/);
  const [warning, ...more] = curve === undefined ? [] : warningsOf(study, curve);
  expect(warning).toContain("1 question has a reply but no score");
  expect(more.join()).not.toContain("run the command again");

  const asked = { errors: ["shift-subtitles"], rates: [1], store };
  const open = join(root, "open");
  await startRun(
    {
      ...{ benchmark: "dataset", data: file, strategy: "extractive", recognition: { ocr: "off" } },
      sample_id: ["open"],
    },
    open,
    { store },
  );
  expect(await refusal(studyPropagation(open, {}, asked))).toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("no scorer for open questions"),
  });
});
