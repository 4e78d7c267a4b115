import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { attributeStages } from "../../../evals/attribution/attribution.ts";
import { readEventTest } from "../../../evals/attribution/event-log.ts";
import { testEvents } from "../../../evals/attribution/event-test.ts";
import { resumeAttribution, startAttribution } from "../../../evals/attribution/folder.ts";
import { attribute } from "../../../evals/attribution/numbers.ts";
import { attributionReport } from "../../../evals/attribution/report.ts";
import { readForReport } from "../../../evals/report/input.ts";
import { makeReport } from "../../../evals/report/report.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import {
  clipsSeen,
  description,
  makeShuffled,
  procedureModel,
  stepOf,
  wordsOf,
} from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

/** Which step the clip of each colour shows. */
const PLACES = [3, 1, 5, 2, 4];
const SIZES = [2, 3, 4];
const SETS = ["named", "unnamed", "wordy"];
/** Makes a step name so long that a few of them exceed a budget of tokens. */
const CARE = " slowly and with care".repeat(900);
const good = procedureModel(PLACES);

let server: ModelServer;
let store: Store;
let folder: string;
let prices: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(model);
  store = await openStore(join(folder, "store"));
  for (const name of SETS) await mkdir(join(folder, name, "videos"), { recursive: true });
  const rows = [];
  for (const n of SIZES) {
    for (const name of SETS) await makeShuffled(join(folder, name, "videos", `video_${n}.mp4`), n);
    const places = PLACES.slice(0, n);
    const ground_truth = places
      .map((_, clip) => clip)
      .sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
    const row = { qid: String(n), goal: "Make dough", video_file: `video_${n}.mp4`, ground_truth };
    rows.push({ ...row, steps: places.map(stepName) });
  }
  await writeFile(join(folder, "named", "data.json"), JSON.stringify(rows));
  const bare = rows.map(({ steps: _, ...row }) => row);
  await writeFile(join(folder, "unnamed", "data.json"), JSON.stringify(bare));
  const wordy = rows.map((row) => ({ ...row, steps: row.steps.map((name) => name + CARE) }));
  await writeFile(join(folder, "wordy", "data.json"), JSON.stringify(wordy));
  prices = join(folder, "prices.yaml");
  await writeFile(prices, "openai:sharp: { input: 10, output: 0 }\n");
});
afterAll(async () => {
  await server.close();
  await store.close();
  closeOcr();
});
beforeEach(() => {
  server.reset();
  server.answer(model);
});

const stepName = (place: number) => `bring the bowl to stage ${place}`;

/** `blurred` takes the third clip for the very first step; all else it and `sharp` do rightly. */
async function model(request: SeenRequest) {
  const words = wordsOf(request);
  const letterOf = (wanted: string) =>
    [...words.matchAll(/^\(([A-Z])\) (.*)$/gm)].find(
      ([, , text]) => text?.replace(CARE, "") === wanted,
    )?.[1];
  if (words.includes("Which of these steps does it show?")) {
    const [clip = 0] = await clipsSeen(request);
    if (request.model === "blurred" && clip === 3) return "None of them.";
    return letterOf(stepName(PLACES[clip - 1] ?? 0)) ?? "None of them.";
  }
  if (words.includes("does the description speak of"))
    return letterOf(stepName(Number(/at stage (\d)/.exec(words)?.[1]))) ?? "None of them.";
  if (stepOf(request) === "clip" && request.model === "blurred") {
    const [clip] = await clipsSeen(request);
    if (clip === 3) return description(0);
  }
  return good(request);
}

const settingsFor = (data: string) => ({
  benchmark: "vcrbench",
  data: join(folder, data),
  strategy: "rrd",
  model: "openai:blurred",
  recognition: { max_side: 160 },
  runtime: { base_url: server.url, max_connections: 2 },
});
const run = (data: string, other?: string) => attributeStages(settingsFor(data), { store, other });

test("errors of a recogniser and of a reasoner are distinguished", async () => {
  const { samples, failed, stages, swap } = await run("named");
  expect({ samples, failed, swap }).toEqual({ samples: 3, failed: [], swap: null });
  // Sets of 3 and 4 clips have the clip that is mistaken for another, so they are wrong.
  expect(stages?.exact).toMatchObject({
    recognised: expect.closeTo(1 / 3),
    gold: 1,
    difference: { difference: expect.closeTo(2 / 3), n_too_small: true },
    left: { mean: 0 },
    clusters_with_errors: expect.any(Number),
    shares: null,
  });
  expect(stages?.step.recognised).toBeLessThan(1);
  expect(stages?.told_apart?.mean).toBeCloseTo(7 / 9);
  const [point, ...more] = stages?.scatter ?? [];
  expect(more).toEqual([]);
  expect(point).toMatchObject({ recogniser: "openai:blurred", exact: expect.closeTo(1 / 3) });
  expect(point?.recognition.mean).toBeCloseTo(7 / 9);
  const events = server.chats().filter((request) => wordsOf(request).includes("does it show?"));
  expect(events).toHaveLength(9);
  for (const request of events) {
    expect(await clipsSeen(request)).toHaveLength(1);
    expect(wordsOf(request).match(/^\([A-C]\)/gm)).toHaveLength(3);
  }
  server.reset();
  expect((await run("named")).stages).toEqual(stages);
  expect(server.chats()).toHaveLength(0);
});

test("without step names the command refuses gold descriptions; models can still be swapped", async () => {
  await expect(run("unnamed")).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("released VCRBench has none"),
  });
  expect(server.chats()).toHaveLength(0);
  const { stages, swap } = await run("unnamed", "openai:sharp");
  expect(stages).toBeNull();
  const exact = swap?.cells.map(({ recogniser, reasoner, exact }) => [recogniser, reasoner, exact]);
  expect(exact).toEqual([
    ["openai:blurred", "openai:blurred", expect.closeTo(1 / 3)],
    ["openai:blurred", "openai:sharp", expect.closeTo(1 / 3)],
    ["openai:sharp", "openai:blurred", 1],
    ["openai:sharp", "openai:sharp", 1],
  ]);
  expect(swap?.recogniser.exact.difference).toBeCloseTo(2 / 3);
  expect(swap?.reasoner.exact.difference).toBe(0);
});

test("the report shows the causes of the errors, and recognition compared with ordering", async () => {
  const found = await run("named", "openai:sharp");
  const [part] = attributionReport(found).parts;
  const [costs, shares] = part?.tables ?? [];
  expect(costs?.about).toContain("n too small");
  expect(costs?.rows.map(([name, exact]) => [name, exact])).toEqual([
    ["right with recognised descriptions", "33.3"],
    ["right with gold descriptions", "100.0"],
    ["recognition costs (gold less recognised)", "+66.7 (n too small)"],
    ["sign-flip p of that", "0.500"],
    ["reasoning costs (100 less gold)", expect.stringMatching(/^0\.0 \[0\.0, /)],
  ]);
  expect(shares?.rows.slice(0, 2).map(([, exact]) => exact)).toEqual([
    "n too small",
    "n too small",
  ]);
  const [plot] = part?.plots ?? [];
  expect(plot?.series.map(({ points }) => points.map(({ x, y }) => [Math.round(x), y]))).toEqual([
    [[78, expect.closeTo(found.stages?.step.recognised ?? 0)]],
    [[100, 1]],
    [[78, expect.closeTo(found.stages?.step.recognised ?? 0)]],
  ]);
});

test("the arms are runs in a folder, and a stopped attribution resumes without paying twice", async () => {
  const kept = join(folder, "kept");
  const stop = new AbortController();
  server.answer(async (request) => {
    if (server.chats().length === 5) stop.abort();
    return model(request);
  });
  const other = "openai:sharp";
  // Calls that are not stored yet.
  const settings = { ...settingsFor("named"), reasoning: { temperature: 0.5 } };
  const stopped = startAttribution(settings, kept, { store, other, signal: stop.signal });
  await expect(stopped).rejects.toMatchObject({
    kind: "cancelled",
    message: expect.stringContaining(`attribute --resume ${kept}`),
  });
  server.answer(model);
  const found = await resumeAttribution(kept, {}, { store });
  const sent = server.chats().length;
  expect(found).toEqual(await attributeStages(settings, { store, other }));
  const { results } = await readForReport([kept], {});
  const accuracy = makeReport(results).parts[0]?.tables[0]?.rows;
  expect(accuracy?.map(([name, arm, models, , , right]) => [name, arm, models, right])).toEqual([
    ["1-recognised", expect.any(String), "openai:blurred", "1 of 3"],
    ["2-gold", expect.stringContaining("gold descriptions"), "openai:blurred", "3 of 3"],
    ["3-other-recogniser", expect.any(String), "openai:sharp, openai:blurred", "3 of 3"],
    ["4-other-reasoner", expect.any(String), "openai:blurred, openai:sharp", "1 of 3"],
    ["5-other-in-both", expect.any(String), "openai:sharp", "3 of 3"],
  ]);
  expect(JSON.parse(await readFile(join(kept, "attribution.json"), "utf8"))).toEqual(found);
  expect(await readFile(join(kept, "attribution.html"), "utf8")).toContain("Shares of the errors");
  expect(await resumeAttribution(kept, {}, { store })).toEqual(found);
  expect(server.chats()).toHaveLength(sent);
  const again = startAttribution(settings, kept, { store, other });
  await expect(again).rejects.toMatchObject({ kind: "wrong-usage" });
  const none = join(kept, "1-recognised");
  await expect(resumeAttribution(none)).rejects.toMatchObject({
    kind: "not-found",
    message: expect.stringContaining(`${none} is not the folder of an attribution`),
  });
});

test("a sample that a budget stopped is in no figure, and is counted by budget", async () => {
  // 2 clips take 3 calls, 3 clips 4, and 4 clips 5; the order of gold descriptions takes one call.
  const settings = { ...settingsFor("named"), model: "openai:sharp", budget: { calls: 4 } };
  const found = await attributeStages(settings, { store });
  expect(found).toMatchObject({ samples: 2, failed: [], stopped: [{ sample: "4", by: "calls" }] });
  expect(found.stages).toMatchObject({
    exact: { recognised: 1, gold: 1, difference: { difference: 0 } },
    told_apart: { mean: 1 },
    tests: { told_apart: { asked: 5, unreadable: 0, stopped: {} } },
  });
  expect(attributionReport(found).parts[0]?.warnings).toEqual([
    "1 sample was stopped by a budget (calls) and is in no figure, such as 4. Start a new attribution with a higher limit to include them.",
  ]);
  const none = attributeStages({ ...settings, budget: { calls: 1 } }, { store });
  await expect(none).rejects.toMatchObject({
    kind: "not-found",
    message: expect.stringContaining("a budget stopped 3 (calls)"),
    facts: { failed: 0, stopped: { calls: 3 } },
  });
});

test("the event test says which clips a budget did not allow to be tested", async () => {
  const settings = { ...settingsFor("named"), model: "openai:sharp", budget: { calls: 1 } };
  const lines = await testEvents(settings, join(folder, "event-test"), { store });
  const stopped = lines.filter(({ stopped_by }) => stopped_by === "calls");
  const asked = lines.filter(({ stopped_by }) => stopped_by === undefined);
  // One call for each sample.
  expect([asked.length, stopped.length]).toEqual([SIZES.length, 9 - SIZES.length]);
  expect(stopped.every(({ right }) => right === null)).toBe(true);
  expect(await readEventTest(join(folder, "event-test"))).toEqual(lines);
});

test("tests that a budget did not allow are counted, and are no wrong answers", async () => {
  const settings = { ...settingsFor("wordy"), model: "openai:sharp", budget: { tokens: 38_000 } };
  const { samples, stopped, stages } = await attributeStages(settings, { store });
  expect({ samples, stopped }).toEqual({ samples: 3, stopped: [] });
  const asked = (prompt: string) =>
    server.chats().filter((request) => wordsOf(request).includes(prompt)).length;
  const [recognition] = stages?.tests.recognition ?? [];
  for (const [account, sent] of [
    [recognition, asked("Which of these steps does it show?")],
    [stages?.tests.told_apart, asked("does the description speak of")],
  ] as const) {
    expect(sent).toBeLessThan(9);
    expect(account).toMatchObject({ asked: sent, unreadable: 0, stopped: { tokens: 9 - sent } });
  }
  expect(stages).toMatchObject({
    told_apart: { mean: 1 },
    scatter: [{ recognition: { mean: 1 } }],
  });
});

test("replies that choose no step count as wrong, and are counted", async () => {
  const { stages } = await run("named");
  expect(stages?.tests.recognition).toEqual([
    { recogniser: "openai:blurred", asked: 9, unreadable: 2, stopped: {} },
  ]);
  expect(stages?.scatter[0]?.recognition.mean).toBeCloseTo(7 / 9);
});

/** Each reply costs $0.04, which is more than is reserved for it. */
const EACH = 0.04;
const billed = async (request: SeenRequest) => ({
  text: String(await model(request)),
  usage: { input: 4000, output: 0 },
});
const priced = (temperature: number, total_cost_limit: number | null = null) => ({
  ...settingsFor("named"),
  ...{ model: "openai:sharp", reasoning: { temperature }, total_cost_limit },
  runtime: { ...settingsFor("named").runtime, prices, max_connections: 1 },
});

test("without a folder all calls together stay below the total cost limit", async () => {
  server.answer(billed);
  const whole = await attributeStages(priced(0.1), { store });
  const calls = server.chats().length;
  server.reset();
  server.answer(billed);
  const limit = 7 * EACH;
  await expect(attributeStages(priced(0.2, limit), { store })).rejects.toMatchObject({
    kind: "limit-met",
    message: expect.stringContaining("stopped at --total-cost-limit 0.28: $"),
    facts: { limit },
  });
  // A call in flight costs more than was reserved for it.
  expect([7, 8]).toContain(server.chats().length);
  // Stored replies are not paid again.
  expect(await attributeStages(priced(0.2), { store })).toEqual(whole);
  expect(server.chats()).toHaveLength(calls);
  const unpriced = { ...priced(0.2, 1), model: "openai:blurred" };
  await expect(attributeStages(unpriced, { store })).rejects.toMatchObject({
    kind: "wrong-setting",
    message: expect.stringContaining("openai:blurred has no price"),
  });
});

test("the runs and the tests of clips share one total cost limit, also after a resume", async () => {
  server.answer(billed);
  const whole = await startAttribution(priced(0.3), join(folder, "unlimited"), { store });
  const calls = server.chats().length;
  const ofTests = (await paymentsIn(join(folder, "unlimited"))).length;
  expect(ofTests).toBeGreaterThan(2);
  expect(ofTests).toBeLessThan(calls);
  server.reset();
  server.answer(billed);
  const kept = join(folder, "limited");
  // Enough for the runs, and for two of their tests.
  const affordable = calls - ofTests + 2;
  const limit = affordable * EACH;
  const stopped = {
    kind: "limit-met",
    message: expect.stringMatching(/^The attribution stopped at .*`attribute --resume .*limited/),
    facts: { limit },
  };
  const started = startAttribution(priced(0.4, limit), kept, { store });
  await expect(started).rejects.toMatchObject(stopped);
  const sent = server.chats().length;
  expect([affordable, affordable + 1]).toContain(sent);
  expect((await paymentsIn(kept)).length).toBe(sent - calls + ofTests);
  const paid = { limit, paid: expect.closeTo(sent * EACH, 10) };
  await expect(resumeAttribution(kept, {}, { store })).rejects.toMatchObject({
    ...stopped,
    facts: paid,
  });
  expect(server.chats()).toHaveLength(sent);
  const more = { total_cost_limit: 2 * calls * EACH };
  expect(await resumeAttribution(kept, more, { store })).toEqual(whole);
  expect(server.chats()).toHaveLength(calls);
});

test("what the tests of clips paid is not left for the runs of a resume", async () => {
  server.answer(billed);
  const kept = join(folder, "tested");
  const first = 2 * EACH;
  await expect(startAttribution(priced(0.5, first), kept, { store })).rejects.toMatchObject({
    kind: "limit-met",
  });
  const sent = server.chats().length;
  expect([2, 3]).toContain(sent);
  await writeFile(join(kept, "paid.jsonl"), `{"paid":${9 * EACH}}\n`);
  const more = { total_cost_limit: (9 + sent) * EACH };
  await expect(resumeAttribution(kept, more, { store })).rejects.toMatchObject({
    kind: "limit-met",
    facts: { limit: more.total_cost_limit, paid: expect.closeTo((9 + sent) * EACH, 10) },
  });
  expect(server.chats()).toHaveLength(sent);
});

/** The payments that a folder itself lists, without those of the runs below it. */
async function paymentsIn(path: string): Promise<string[]> {
  const text = await readFile(join(path, "paid.jsonl"), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

const ordered = (clusters: number, gold: (index: number) => number) =>
  Array.from({ length: 2 * clusters }, (_, index) => ({
    recognised: index % 2,
    gold: gold(index),
    cluster: String(Math.floor(index / 2)),
  }));

test("shares of the errors add up to 1 and are within their intervals", () => {
  const { shares, difference } = attribute(
    ordered(20, (index) => (index % 4 === 0 ? 0 : 1)),
    1,
  );
  expect(shares?.reasoning.share).toBeCloseTo(0.5);
  expect((shares?.recognition.share ?? 0) + (shares?.reasoning.share ?? 0)).toBeCloseTo(1);
  expect(difference.difference).toBeCloseTo(0.25);
  for (const { share, low, high } of [shares?.recognition, shares?.reasoning].filter(
    (one) => one !== undefined,
  )) {
    expect(low).toBeLessThan(share);
    expect(high).toBeGreaterThan(share);
  }
});

test("below 20 clusters with errors the report has points and no shares", () => {
  const few = attribute(
    ordered(19, () => 1),
    1,
  );
  expect(few).toMatchObject({ shares: null, clusters_with_errors: 19, gold: 1 });
  expect(few.difference.difference).toBeCloseTo(0.5);
  // 30 clusters, 15 of them with an error.
  const rare = attribute(
    ordered(30, () => 1).map((one) => ({
      ...one,
      recognised: Number(one.cluster) < 15 ? one.recognised : 1,
    })),
    1,
  );
  expect(rare).toMatchObject({ shares: null, clusters_with_errors: 15 });
});

test("if gold descriptions reduce accuracy, recognition's share is negative and not cut", () => {
  const harmed = attribute(
    ordered(30, (index) => (index % 2 === 0 ? 0 : Number(index % 4 === 1))),
    1,
  );
  // 30 errors become 45.
  expect(harmed.shares?.reasoning.share).toBeCloseTo(1.5);
  expect(harmed.shares?.recognition.share).toBeCloseTo(-0.5);
  expect(harmed.shares?.recognition.low).toBeLessThan(-0.5);
});
