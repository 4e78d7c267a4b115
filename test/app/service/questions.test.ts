import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ServiceView } from "../../../src/app/service/api.ts";
import { DEFAULT_TIMEOUTS } from "../../../src/app/service/options.ts";
import type { Event } from "../../../src/core/events.ts";
import { openStore } from "../../../src/storage/open.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel, rightOrder, stepOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { events, type Rig, startRig } from "./rig.ts";

const PATIENT = { timeout: 30_000 };
const PLACES = [2, 3, 1];
const ASKED = { text: "In which order?", goal: "Make tea" };

let server: ModelServer;
let rig: Rig;
let video: string;
let file: string;

const settings = () => ({
  model: "openai:scripted",
  recognition: { frames: 12, max_side: 64 },
  runtime: { base_url: server.url, max_connections: 4 },
});

beforeAll(async () => {
  server = await startModelServer(procedureModel(PLACES));
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, PLACES.length);
  rig = await startRig({ settings: settings(), models: [], concurrency: 2 });
  video = (await rig.upload(file)).id;
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});
beforeEach(() => {
  server.answer(procedureModel(PLACES));
  server.reset();
});

const slow =
  (ms: number): Script =>
  async (request) => {
    const text = await procedureModel(PLACES)(request);
    return { ...(typeof text === "string" ? { text } : text), delay_ms: ms };
  };

test("a question goes from queued to answered, with what each stage used", async () => {
  const asked = await rig.ask(video, ASKED);
  expect(asked).toMatchObject({
    video,
    state: expect.stringMatching(/^(queued|running)$/),
    strategy: "rrd",
    model: "openai:scripted",
    asked: { task: "order", goal: "Make tea" },
    answer: null,
    set: null,
    from: null,
    review: null,
  });
  const ended = await rig.ended(asked.id);
  expect(ended).toMatchObject({
    state: "answered",
    answer: { status: "answered", answer: rightOrder(PLACES) },
    edited: false,
    failure: null,
    usage: { calls: 4 },
  });
  expect(ended.set).toBe(ended.answer?.set);
  expect(ended.stages.map(({ stage, usage }) => [stage, usage.calls])).toEqual([
    ["caption", 3],
    ["order", 1],
  ]);
  expect(server.chats()).toHaveLength(4);
  expect((await rig.questions(video)).at(-1)).toEqual({ ...ended, video_name: "a video.mp4" });
});

test("events arrive from any position, complete, in order, without loss or duplicates", async () => {
  server.answer(slow(150));
  const { id } = await rig.ask(video, { ...ASKED, goal: "Make soup", settings: { seed: 1 } });
  const live: Event[] = [];
  for await (const event of events(rig.url, id)) live.push(event);
  expect(live.map(({ seq }) => seq)).toEqual(live.map((_, i) => i + 1));
  expect(live.every(({ question }) => question === id)).toBe(true);
  expect(live.filter(({ type }) => type === "answer")).toHaveLength(1);
  const again: Event[] = [];
  for await (const event of events(rig.url, id)) again.push(event);
  expect(again).toEqual(live);
  for (const from of [1, 5, live.length - 1, live.length]) {
    const rest: Event[] = [];
    for await (const event of events(rig.url, id, from)) rest.push(event);
    expect(rest).toEqual(live.slice(from));
  }
});

test("a stream that is cut off repeatedly loses nothing when it resumes", async () => {
  server.answer(slow(200));
  const { id } = await rig.ask(video, { ...ASKED, goal: "Make jam", settings: { seed: 2 } });
  const seen: number[] = [];
  for (let cuts = 0, done = false; cuts < 50 && !done; cuts++) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), 60);
    try {
      for await (const { seq } of events(rig.url, id, seen.at(-1) ?? 0, {}, stop.signal))
        seen.push(seq);
      done = !stop.signal.aborted;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
    clearTimeout(timer);
  }
  const all: number[] = [];
  for await (const { seq } of events(rig.url, id)) all.push(seq);
  expect(seen).toEqual(all);
});

test("two strategies on one question run at once without mixing", async () => {
  server.answer(slow(50));
  const [one, two] = await Promise.all([
    rig.ask(video, { ...ASKED, goal: "Make bread" }),
    rig.ask(video, { ...ASKED, goal: "Make bread", settings: { strategy: "direct" } }),
  ]);
  expect(one.asked).toEqual(two.asked);
  const [first, second] = await Promise.all([rig.ended(one.id), rig.ended(two.id)]);
  expect([first.strategy, second.strategy]).toEqual(["rrd", "direct"]);
  expect([first.usage.calls, second.usage.calls]).toEqual([4, 1]);
  const stagesOf = async (id: string) => {
    const stages = new Set<string>();
    for await (const { stage } of events(rig.url, id)) stages.add(stage);
    return stages;
  };
  expect(await stagesOf(two.id)).not.toContain("caption");
  expect(await stagesOf(one.id)).not.toContain("ask");
});

test("a limited number runs at once; a waiting question is cancelled at once, a running one is stopped", async () => {
  server.answer(slow(800));
  const ids: string[] = [];
  for (let seed = 10; seed < 14; seed++)
    ids.push(
      (await rig.ask(video, { ...ASKED, goal: `Make ${seed}`, settings: { strategy: "direct" } }))
        .id,
    );
  await expect.poll(() => server.inFlight(), PATIENT).toBe(2);
  const [running = "", , , waiting = ""] = ids;
  expect(await rig.json(202, "POST", `/api/v1/questions/${waiting}/cancel`)).toMatchObject({
    state: "cancelled",
  });
  await rig.json(202, "POST", `/api/v1/questions/${running}/cancel`);
  expect((await rig.ended(running)).state).toBe("cancelled");
  expect((await rig.ended(ids[1] ?? "")).state).toBe("answered");
  expect((await rig.ended(ids[2] ?? "")).state).toBe("answered");
  expect(server.maxInFlight()).toBe(2);
  expect(await rig.json(409, "POST", `/api/v1/questions/${waiting}/reason-again`)).toMatchObject({
    kind: "not-answered",
    detail: "The question was cancelled and has no evidence. Ask it as a new question.",
  });
  expect(await rig.json(409, "POST", `/api/v1/questions/${running}/cancel`)).toMatchObject({
    kind: "ended",
    detail: expect.stringContaining("cancelled"),
  });
});

test("deleting a video during a question deletes its questions too", async () => {
  server.answer(slow(2_000));
  const { id } = await rig.upload(file, "to go.mp4");
  const asked = await rig.ask(id, { ...ASKED, goal: "Make haste" });
  await expect.poll(() => server.inFlight(), PATIENT).toBeGreaterThan(0);
  await rig.json(204, "DELETE", `/api/v1/videos/${id}`);
  await rig.json(404, "GET", `/api/v1/questions/${asked.id}`);
  expect(server.inFlight()).toBe(0);
});

test("a question that another process removes while it runs leaves neither events nor a row", async () => {
  server.answer(slow(1_000));
  const asked = { ...ASKED, goal: "Make way", settings: { strategy: "direct" } };
  const { id } = await rig.ask(video, asked);
  await expect.poll(() => server.inFlight(), PATIENT).toBe(1);
  const store = await openStore(rig.data);
  expect(await store.events.after(id, 0)).not.toEqual([]);
  await store.service.dropQuestion(id);
  const metrics = async () => (await fetch(`${rig.url}/metrics`)).text();
  await expect.poll(metrics, PATIENT).toMatch(/video_rrd_questions\{state="running"\} 0/);
  expect(server.chats()).toHaveLength(1);
  expect(await store.events.after(id, 0)).toEqual([]);
  expect(await store.service.question(id)).toBeUndefined();
  expect(rig.logged.filter((line) => line.includes(id) && line.includes('"level":40'))).toEqual([]);
  await store.close();
});

test("questions asked while their video is removed are answered 404 or removed with it", async () => {
  const asked: Response[] = [];
  for (let late = 0; late < 4; late++) {
    const { id } = await rig.upload(file, "to go.mp4");
    const ask = (n: number) =>
      rig.send("POST", `/api/v1/videos/${id}/questions`, { ...ASKED, goal: `Make ${late} ${n}` });
    const first = Array.from({ length: late }, (_, n) => ask(n));
    const gone = rig.json(204, "DELETE", `/api/v1/videos/${id}`);
    asked.push(...(await Promise.all([...first, ...[5, 6, 7].map(ask)])));
    await gone;
    expect(await rig.questions(id)).toEqual([]);
    expect((await ask(9)).status).toBe(404);
  }
  for (const response of asked) {
    const { id, kind } = (await response.json()) as { id?: string; kind?: string };
    expect([response.status, kind]).toEqual(
      response.status === 202 ? [202, undefined] : [404, "not-found"],
    );
    if (id !== undefined) await rig.json(404, "GET", `/api/v1/questions/${id}`);
  }
  const store = await openStore(rig.data);
  expect(await store.service.openQuestions()).toEqual([]);
  await store.close();
  expect(rig.logged.join("")).not.toContain("a question failed");
});

test.each([
  ["another model", { settings: { model: "openai:other" } }, "unknown-model", "openai:other"],
  [
    "a nested model",
    { settings: { reasoning: { model: "openai:x" } } },
    "unknown-model",
    "openai:x",
  ],
  ["an address", { settings: { "runtime.base_url": "http://x" } }, "wrong-setting", "base_url"],
  ["a folder", { settings: { runtime: { data: "/tmp" } } }, "wrong-setting", "runtime.data"],
  ["prompts", { settings: { runtime: { prompts: "/etc" } } }, "wrong-setting", "runtime.prompts"],
  ["a value out of range", { settings: { "recognition.frames": 0 } }, "wrong-setting", "frames"],
  [
    "a setting nobody reads",
    { settings: { strategy: "blind", "recognition.ocr": "off" } },
    "wrong-setting",
    "ocr",
  ],
  ["an empty question", { text: "" }, "wrong-usage", "empty"],
  ["one letter twice", { text: "Q", options: ["(A) x", "(A) y"] }, "wrong-usage", "letters"],
  ["equal options", { text: "Q", options: ["x", "x"] }, "wrong-usage", "A and B are equal"],
  ["order without a goal", { text: "Q", task: "order" }, "wrong-usage", "goal"],
  ["half of an emoji", '{"text": "Q \\ud83c"}', "wrong-request", "surrogate pair"],
  [
    "half of an emoji deep inside",
    '{"text": "Q", "options": ["a", "\\udf5d"]}',
    "wrong-request",
    "cut in two",
  ],
  [
    "an unknown word",
    { txt: "Q" },
    "wrong-request",
    "Invalid request body: it must be without `txt`. Its members are text, options, task, goal, follows, settings, such as `settings.strategy`.",
  ],
])("%s is refused with 422", async (_what, body, kind, named) => {
  const problem = await rig.json(422, "POST", `/api/v1/videos/${video}/questions`, body);
  expect(problem).toMatchObject({ kind, status: 422, detail: expect.stringContaining(named) });
});

test("a question for a model that nobody named is refused in words for a caller", async () => {
  const without = await startRig();
  try {
    const { id } = await without.upload(file);
    const body = { text: "Q", settings: { strategy: "rrd" } };
    expect(await without.json(422, "POST", `/api/v1/videos/${id}/questions`, body)).toMatchObject({
      kind: "unknown-model",
      detail:
        "No model configured for the recogniser. Name one that the service allows in `settings.model` (on the page: Model), for example openai:gpt-4.1, or choose a strategy without a model, such as extractive.",
    });
  } finally {
    await without.stop();
  }
});

test("a failing model makes a failed question with the reason", async () => {
  server.answer(() => ({ status: 400, text: "context too long" }));
  const { id } = await rig.ask(video, { ...ASKED, goal: "Fail", settings: { strategy: "direct" } });
  expect(await rig.ended(id)).toMatchObject({
    state: "failed",
    failure: { kind: "model-rejected", message: expect.stringContaining("context too long") },
  });
  const lines = rig.logged.filter((line) => line.includes(`"question":"${id}"`));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      ...{ level: 40, msg: "a model call failed", question: id, stage: "ask" },
      ...{ model: "openai:scripted", kind: "model-rejected" },
    }),
    expect.objectContaining({
      ...{ level: 40, msg: "a question failed", question: id },
      ...{ strategy: "direct", kind: "model-rejected" },
    }),
  ]);
  expect(lines.join("")).not.toMatch(/context too long|Fail"/);
});

test("a stopped service continues at its next start and pays nothing twice", async () => {
  const data = await tempFolder();
  const one = await startRig({
    data,
    settings: settings(),
    concurrency: 1,
    timeouts: { ...DEFAULT_TIMEOUTS, grace_ms: 50 },
  });
  const own = (await one.upload(file)).id;
  server.answer(async (request) => {
    const text = await procedureModel(PLACES)(request);
    const reply = typeof text === "string" ? { text } : text;
    return stepOf(request) === "order" ? { ...reply, delay_ms: 30_000 } : reply;
  });
  const running = await one.ask(own, { ...ASKED, goal: "Make do" });
  const waiting = await one.ask(own, { ...ASKED, settings: { strategy: "random" } });
  await expect
    .poll(() => server.chats().some((seen) => stepOf(seen) === "order"), PATIENT)
    .toBe(true);
  const stream: Event[] = [];
  const watching = (async () => {
    for await (const event of events(one.url, running.id)) stream.push(event);
  })();
  await expect.poll(() => stream.length, PATIENT).toBeGreaterThan(5);
  await one.stop();
  await watching;
  expect(server.inFlight()).toBe(0);
  server.reset();
  server.answer(procedureModel(PLACES));
  const two = await startRig({ data, settings: settings() });
  const ended = await two.ended(running.id);
  expect(ended).toMatchObject({ state: "answered", usage: { calls: 4 } });
  expect(ended.stages.map(({ usage }) => usage.calls)).toEqual([3, 1]);
  expect(server.chats().map(stepOf)).toEqual(["order"]);
  expect((await two.ended(waiting.id)).state).toBe("answered");
  const rest: Event[] = [];
  for await (const event of events(two.url, running.id, stream.length)) rest.push(event);
  expect([...stream, ...rest].map(({ seq }) => seq)).toEqual(
    [...stream, ...rest].map((_, i) => i + 1),
  );
  await two.stop();
});

test("two services cannot use one folder", async () => {
  await expect(startRig({ data: rig.data })).rejects.toMatchObject({ kind: "store-busy" });
  const store = await openStore(rig.data);
  await store.close();
});

test("the service lists the operator's models, the settings without addresses, and the limits", async () => {
  const told = await rig.json<ServiceView>(200, "GET", "/api/v1/service");
  expect(told.models).toMatchObject({
    model: "openai:scripted",
    allowed: ["openai:scripted"],
    strategy: "rrd",
    missing: null,
  });
  expect(told.models.strategies).toContain("agent");
  expect(told.settings.some(({ path }) => path.startsWith("runtime"))).toBe(false);
  expect(told.settings.find(({ path }) => path === "recognition.mode")?.choices).toEqual([
    "all-at-once",
    "sequential",
  ]);
  const none = await startRig();
  const without = await none.json<ServiceView>(200, "GET", "/api/v1/service");
  expect(without.models).toMatchObject({ model: null, allowed: null, strategy: "extractive" });
  await none.stop();
});

test("metrics and logs contain no questions, keys or pictures", async () => {
  const text = await (await rig.send("GET", "/metrics")).text();
  expect(text).toMatch(
    /video_rrd_http_requests_total\{method="POST",route="\/api\/v1\/videos\/:id\/questions",status="202"\} \d+/,
  );
  expect(text).toMatch(
    /video_rrd_model_calls_total\{model="openai:scripted",role="recogniser",cached="false",finish="stop"\} \d+/,
  );
  expect(text).toMatch(/video_rrd_stage_seconds_count\{stage="caption"\} \d+/);
  expect(text).toMatch(/video_rrd_tokens_total\{model="openai:scripted",direction="input"\} \d+/);
  expect(text).toMatch(/video_rrd_model_rate_share\{endpoint="openai:scripted http:[^"]+"\} 1\n/);
  expect(text).toMatch(/video_rrd_model_rate_waits_total\{endpoint="openai:scripted [^"]+"\} 0\n/);
  expect(text).toMatch(/video_rrd_questions_total\{state="answered",strategy="rrd"\} \d+/);
  expect(text).toMatch(/video_rrd_questions\{state="running"\} 0/);
  const lines = rig.logged.join("");
  const line = JSON.parse(rig.logged.findLast((one) => one.includes('"request"')) ?? "{}");
  expect(line).toMatchObject({ method: "GET", route: "/metrics", status: 200 });
  const reply = await rig.send("GET", "/api/v1/tags");
  expect(lines + rig.logged.at(-1)).toContain(reply.headers.get("x-request-id"));
  expect(lines).not.toMatch(/Make tea|base64|Correct order/);
});
