import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { planRun } from "../../../evals/run/plan-run.ts";
import { startRun } from "../../../evals/run/run.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { evalProgress } from "../../../src/app/cli/eval-progress.ts";
import { renderPlan } from "../../../src/app/cli/render/plan.ts";
import { CALLS_MODEL, defineStrategy, strategies } from "../../../src/app/index.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { makeClip } from "../../support/clips.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, mmrData, refusal, vcrData } from "./run-fixtures.ts";

const server = await startModelServer(knowing);
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  server.answer(knowing);
});
const root = await tempFolder();
const data = await mmrData(2, 2);
const planOf = (more: object, options: object = {}) =>
  planRun(
    {
      benchmark: "mmr-v",
      data,
      strategy: "rrd",
      model: "openai:scripted",
      runtime: { data: join(root, "plan-store") },
      ...more,
    },
    options,
  );

test("A plan states a bound of calls only if nothing is repeated, or if a budget limits them", async () => {
  expect(await planOf({ strategy: "direct" })).toMatchObject({
    calls: 4,
    exact: true,
    bound: true,
  });
  const open = await planOf({});
  expect(open).toMatchObject({ exact: false, bound: false });
  const limited = await planOf({ budget: { calls: 3 } });
  expect(limited).toMatchObject({ calls: 12, exact: false, bound: true });
  expect(await planOf({ strategy: "agent" })).toMatchObject({ calls: 32, bound: true });
});

test("A plan names the samples that need more than a budget allows", async () => {
  const { notes } = await planOf({
    strategy: "direct",
    recognition: { frames: 8 },
    budget: { frames: 4 },
  });
  expect(notes).toContainEqual({
    what: "samples may need more frames than --frame-limit 4 allows, and then stop without an answer",
    count: 4,
    examples: expect.arrayContaining([expect.stringMatching(/ \(8\)$/)]),
  });
  const enough = await planOf({
    strategy: "direct",
    recognition: { frames: 4 },
    budget: { frames: 4 },
  });
  expect(enough.notes.some(({ what }) => what.includes("--frame-limit"))).toBe(false);
});

/** The same one when the test is tried again. */
const unplanned = defineStrategy({
  name: "unplanned",
  summary: "Asks and does not say how often.",
  approach: "single-call",
  shows: "video",
  tasks: ["choice"],
  reads: CALLS_MODEL,
  roles: ["reasoner"],
  run: async () => ({ status: "not-answered" }),
});

test("A plan of a strategy that calls a model without planning its calls has no numbers, and says so", async () => {
  const { name } = unplanned;
  strategies.add(unplanned);
  const plan = await planOf({ strategy: name });
  expect(plan).toMatchObject({
    unplanned: name,
    calls: null,
    frames: null,
    tokens: { input: null, output_most: null },
    cost: { about: null, most: null },
  });
  expect(renderPlan(plan)).toMatch(/^model calls +not known.* unplanned /m);
  expect(renderPlan(plan)).not.toMatch(/^(cost|tokens|frames)/m);
  expect(await planOf({ strategy: "random", model: undefined })).toMatchObject({
    unplanned: null,
    calls: 0,
  });
});

test("A plan names the reader of text on screen, the evidence test, and limits of dollars", async () => {
  expect((await planOf({})).text).toEqual({ by: "tesseract", videos: 2 });
  expect((await planOf({ recognition: { ocr: "model" } })).text).toEqual({
    by: "model",
    videos: 2,
  });
  expect((await planOf({ recognition: { ocr: "off" } })).text).toBeNull();
  expect((await planOf({ strategy: "direct" })).text).toBeNull();
  const plan = await planOf(
    { reasoning: { mathematics: "off" }, total_cost_limit: 5 },
    { evidenceTest: true },
  );
  expect(plan).toMatchObject({
    evidence_test: { calls: 3 * 4 },
    limits: { question: null, total: 5 },
  });
  expect((await planOf({})).evidence_test).toBeNull();
});

test("A plan counts as many calls of fixed windows as the run makes, and names videos with too many", async () => {
  const input = {
    recognition: { segments: "every:0.5", frames: 4, max_side: 64, ocr: "off", subtitles: "off" },
    reasoning: { mathematics: "off" },
  };
  const plan = await planOf(input);
  expect(plan).toMatchObject({ calls: 4 * (2 + 1), frames: 4 * 2 * 4, notes: [] });
  const runtime = { base_url: server.url, data: join(root, "windows-store") };
  const folder = join(root, "windows");
  const about = { benchmark: "mmr-v", data, strategy: "rrd", model: "openai:scripted" };
  await startRun({ ...about, ...input, runtime }, folder);
  const { samples } = await openRunLog(folder).read();
  const calls = (samples as RunLine[]).flatMap((line) => line.calls);
  expect(calls).toHaveLength(plan.calls ?? 0);
  expect(calls.reduce((sum, { frames }) => sum + frames, 0)).toBeLessThanOrEqual(plan.frames ?? 0);

  const long = await mmrData(1, 1);
  await makeClip(join(long, "videos"), "v0.mp4", { frames: 1001, rate: 1, width: 224, height: 32 });
  expect(await planOf({ data: long, recognition: { segments: "every:1" } })).toMatchObject({
    calls: 0,
    notes: [
      {
        what: "videos that windows of 1 s divide into more than 999 parts",
        examples: ["videos/v0.mp4"],
      },
    ],
  });
});

test("Shuffled clips are not divided into windows or shots: their numbers are on their cards", async () => {
  const vcr = { benchmark: "vcrbench", data: await vcrData([[2, 1]]) };
  for (const segments of ["every:10", "shots"]) {
    const refused = await refusal(planOf({ ...vcr, recognition: { segments } }));
    expect(refused.kind).toBe("wrong-setting");
    expect(refused.message).toMatch(/^Invalid --segments "(every:10|shots)" .*title card\./);
  }
  expect(await planOf({ ...vcr, recognition: { segments: "cards" } })).toMatchObject({
    samples: 1,
  });
});

test("The strategy random draws without any video, options and orders alike, by seed and epoch", async () => {
  const vcr = await vcrData([[2, 3, 1]]);
  await rm(join(vcr, "videos"), { recursive: true });
  const choice = await mmrData(1, 6);
  await writeFile(join(choice, "videos", "v0.mp4"), "no video at all");
  const drawn = async (name: string, benchmark: string, from: string, seed: number) => {
    const input = { benchmark, data: from, strategy: "random", seed, epochs: 2 };
    const runtime = { data: join(root, "random-store") };
    expect(await planRun({ ...input, runtime })).toMatchObject({ calls: 0, without_video: 0 });
    await startRun({ ...input, runtime }, join(root, name));
    const { samples } = await openRunLog(join(root, name)).read();
    return (samples as RunLine[]).map(({ status, answer, error }) => {
      expect([status, error]).toEqual(["answered", undefined]);
      return JSON.stringify(answer);
    });
  };
  const orders = await drawn("orders", "vcrbench", vcr, 0);
  expect(orders.map((order) => [...JSON.parse(order)].sort())).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
  const letters = await drawn("letters", "mmr-v", choice, 1);
  expect(letters).toHaveLength(12);
  expect(new Set(letters).size).toBe(3);
  expect(await drawn("again", "mmr-v", choice, 1)).toEqual(letters);
  expect(await drawn("other", "mmr-v", choice, 2)).not.toEqual(letters);
});

test("Stages of samples are reported before the first result, and shown after the first second", async () => {
  const told: Record<string, number>[] = [];
  // Replies are held until three samples wait for one.
  let waiting = 0;
  const three = Promise.withResolvers<void>();
  server.answer(async (request) => {
    if (++waiting === 3) three.resolve();
    await three.promise;
    return { text: String(await knowing(request)), delay_ms: 100 };
  });
  await startRun(
    {
      benchmark: "mmr-v",
      data,
      strategy: "direct",
      model: "openai:scripted",
      recognition: { frames: 1, max_side: 64 },
      runtime: { base_url: server.url, data: join(root, "stage-store") },
      max_samples: 4,
    },
    join(root, "stages"),
    { onStages: (samples) => told.push(Object.fromEntries(samples)) },
  );
  expect(told.slice(0, 4).at(-1)).toEqual({ "open video": 4 });
  expect(told.some((stages) => stages.ask === 4 || stages.ask === 3)).toBe(true);
  expect(told.at(-1)).toEqual({});

  vi.useFakeTimers();
  const written: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const view = evalProgress();
    const progress = { total: 4, done: 0, fresh: 0, errors: 0, stopped: 0, right: 0, scored: 0 };
    view.update({ ...progress, calls: 0, cost: 0, paid: 0 });
    view.stages(
      new Map([
        ["caption", 3],
        ["open video", 1],
      ]),
    );
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(written).toEqual(["0 of 4 (0 %) · now: caption 3, open video 1\n"]);
    view.step("caption", { done: 2, total: 8, unit: "parts described" });
    vi.advanceTimersByTime(5000);
    expect(written.at(-1)).toBe(
      "0 of 4 (0 %) · now: caption 3 (2 of 8 parts described), open video 1\n",
    );
    view.stages(new Map([["ask", 4]]));
    vi.advanceTimersByTime(5000);
    expect(written.at(-1)).toBe("0 of 4 (0 %) · now: ask 4\n");
    view.done();
  } finally {
    write.mockRestore();
    vi.useRealTimers();
  }
  expect(await readFile(join(root, "stages", "header.json"), "utf8")).toContain("finished");
});

test("A plan has hours by workers, from the times of an earlier run, and half the price but no hours in batches", async () => {
  const asked = { strategy: "direct", model: "openai:gpt-4.1" };
  const direct = await planOf(asked, { hours: { call_s: 7200 } });
  // Four calls at once of two hours each.
  expect(direct.time?.by_workers.map(({ hours }) => hours)).toEqual([2, 2, 2, 2]);
  expect(renderPlan(direct)).toContain("1 worker: at least 2.0 h, limited by model time");
  const runtime = { data: join(root, "plan-store"), batch: true };
  const batched = await planOf({ ...asked, runtime });
  expect(batched.time).toBeNull();
  expect((batched.cost.most ?? 0) * 2).toBeCloseTo(direct.cost.most ?? 0, 12);
  expect(renderPlan(batched)).toContain("batch: half price");
  await expect(
    planOf({ strategy: "direct", model: "ollama:llava", runtime }),
  ).rejects.toMatchObject({
    kind: "wrong-setting",
    message: expect.stringContaining("Invalid --batch"),
  });

  const folder = join(root, "measured");
  server.answer(() => ({ text: "[[A]]", delay_ms: 200 }));
  const runs = { data: join(root, "measured-store"), base_url: server.url };
  const input = { benchmark: "mmr-v", data, strategy: "direct", model: "openai:scripted" };
  await startRun({ ...input, runtime: runs }, folder);
  const { time } = await planOf(asked, { hours: { measured_from: folder } });
  expect(time?.basis).toMatchObject({ from: { call_s: "measured", own_s: "measured" } });
  expect(time?.basis.call_s).toBeGreaterThan(0.19);
  expect(time?.basis.call_s).toBeLessThan(5);
});
