import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask, askInStore } from "../../../graphs/ask.ts";
import { readQuestion } from "../../../graphs/read-question.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { seeded } from "../../../src/core/random.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { createModels } from "../../../src/models/models.ts";
import { PATIENCE } from "../../../src/models/retry.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { type ModelServer, type Reply, startModelServer } from "../../support/model-server.ts";
import {
  clipsSeen,
  description,
  identifyClip,
  makeShuffled,
  procedureModel,
  rightOrder,
  type ShuffledVideo,
  stepOf,
  wordsOf,
} from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

/** Clip 1 is the third step, clip 2 the first ... */
const PLACES = [3, 1, 5, 2, 4];
const GOAL = "Make lemonade for two";

const prompts = await loadPrompts();
let server: ModelServer;
let store: Store;
let made: ShuffledVideo;
let opened: Video;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(procedureModel(PLACES));
  store = await openStore(join(folder, "store"));
  made = await makeShuffled(join(folder, "shuffled.mp4"), PLACES.length);
  opened = await openVideo(made.file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => {
  server.reset();
  server.answer(procedureModel(PLACES));
});

interface Arm {
  mode?: "all-at-once" | "sequential";
  input?: "whole-video" | "clip";
  method?: "all-at-once" | "merge-sort";
  reasoningInput?: "text" | "video+text";
  frames?: number;
}

/** Every call has its own epoch unless one is given, so that nothing comes from the memo. */
let epochs = 0;
function run(
  { mode, input, method, reasoningInput, frames = 20 }: Arm,
  more: { epoch?: number; budget?: object; signal?: AbortSignal } = {},
) {
  return askInStore({
    video: opened,
    question: readQuestion(opened.hash, { text: "In which order?", goal: GOAL }),
    prompts,
    store,
    signal: more.signal,
    epoch: more.epoch ?? epochs++,
    settings: readSettings({
      strategy: "rrd",
      model: "openai:scripted",
      recognition: { mode, input, frames, max_side: 160 },
      reasoning: { method, input: reasoningInput },
      budget: more.budget,
      runtime: { base_url: server.url, max_connections: 3 },
    }),
    createModels: (options) =>
      createModels({ ...options, patience: { ...PATIENCE, pause: 1, longestPause: 5 } }),
  });
}

const steps = () => server.chats().map(stepOf);
const times = (step: string) => steps().filter((one) => one === step).length;

test("each clip is sent separately with its own frames, in order, an even share of all", async () => {
  const { answer, evidence } = await run({ mode: "sequential", input: "clip" });
  expect(answer).toMatchObject({
    status: "answered",
    answer: rightOrder(PLACES),
    cited_by: "code",
  });
  expect([times("clip"), times("order"), server.chats().length]).toEqual([5, 1, 6]);
  const seen = new Set<number>();
  for (const request of server.chats().filter((one) => stepOf(one) === "clip")) {
    expect(request.images).toHaveLength(4);
    const looks = await Promise.all(request.images.map(identifyClip));
    expect(new Set(looks.map((look) => look.clip)).size).toBe(1);
    const lights = looks.map((look) => look.light);
    expect(lights).toEqual([...lights].sort((a, b) => a - b));
    seen.add(looks[0]?.clip ?? 0);
  }
  expect([...seen].sort()).toEqual([1, 2, 3, 4, 5]);
  expect(server.maxInFlight()).toBeGreaterThan(1);
  expect(server.maxInFlight()).toBeLessThanOrEqual(3);
  const cited = answer.cites.map((id) => evidence.items.find((item) => item.id === id));
  expect(cited.map((item) => item?.clip)).toEqual(rightOrder(PLACES));
  for (const item of cited) {
    const span = made.spans[(item?.clip ?? 0) - 1];
    expect(item?.start_s).toBeCloseTo(span?.start_s ?? -1, 1);
    expect(item?.end_s).toBeCloseTo(span?.end_s ?? -1, 1);
  }
});

test("reasoning on text gets goal and descriptions verbatim, and no frame", async () => {
  await run({ mode: "sequential", input: "clip" });
  const request = server.chats().find((one) => stepOf(one) === "order");
  expect(request?.images).toHaveLength(0);
  const words = wordsOf(request as NonNullable<typeof request>);
  expect(words).toContain(`this procedure: ${GOAL}.`);
  for (const [index, place] of PLACES.entries())
    expect(words.split("\n")).toContain(`Clip ${index + 1}: ${description(place)}`);
});

test("sequential on the whole video: the clips are counted, then every call sees all frames", async () => {
  const { answer } = await run({ mode: "sequential", input: "whole-video", frames: 40 });
  expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
  expect([times("count"), times("one"), times("order"), server.chats().length]).toEqual([
    1, 5, 1, 7,
  ]);
  expect(steps()[0]).toBe("count");
  for (const request of server.chats().filter((one) => stepOf(one) !== "order")) {
    expect(request.images).toHaveLength(40);
    expect(await clipsSeen(request)).toEqual([1, 2, 3, 4, 5]);
  }
  expect(server.maxInFlight()).toBeLessThanOrEqual(3);
});

test("all at once on the whole video is two calls in all", async () => {
  const { answer } = await run({ mode: "all-at-once", input: "whole-video" });
  expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
  expect(steps()).toEqual(["all", "order"]);
  expect(server.chats()[0]?.images).toHaveLength(20);
});

test("all at once by clips: each clip's frames follow its number", async () => {
  const { answer } = await run({ mode: "all-at-once", input: "clip" });
  expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
  expect(steps()).toEqual(["all", "order"]);
  let heading = 0;
  for (const part of server.chats()[0]?.parts ?? []) {
    if (part.type === "text") heading = Number(/^Clip (\d):$/.exec(part.text)?.[1] ?? heading);
    else expect((await identifyClip(part.bytes)).clip).toBe(heading);
  }
});

test.each([
  ["whole-video", 20],
  ["clip", 20],
] as const)(
  "video and text with %s: the frames are sent to the reasoner",
  async (input, frames) => {
    const { answer } = await run({ mode: "all-at-once", input, reasoningInput: "video+text" });
    expect(answer.answer).toEqual(rightOrder(PLACES));
    const request = server.chats().find((one) => stepOf(one) === "order");
    expect(request?.images).toHaveLength(frames);
  },
);

test("merge sort: pairs, Event A the head of the left half, no pair twice", async () => {
  const { answer, evidence } = await run({
    mode: "all-at-once",
    input: "clip",
    method: "merge-sort",
  });
  expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
  const pairs = server
    .chats()
    .filter((one) => stepOf(one) === "compare")
    .map((request) =>
      [...wordsOf(request).matchAll(/stage (\d)/g)].map((match) => Number(match[1])),
    );
  // Halves: clips 1 2 | 3 4 5, by places 3 1 | 5 2 4; the right one falls into 5 | 2 4.
  const unordered = (those: number[][]) => those.map((pair) => pair.join()).sort();
  expect(unordered(pairs)).toEqual(
    unordered([
      [3, 1],
      [2, 4],
      [5, 2],
      [5, 4],
      [1, 2],
      [3, 2],
      [3, 4],
    ]),
  );
  expect(pairs).toHaveLength(new Set(unordered(pairs)).size);
  expect(answer.diagnostics).toMatchObject({ comparisons: 7, invalid: 0, asked_again: 0 });
  const comparisons = evidence.items.filter((item) => item.kind === "comparison");
  expect(comparisons).toHaveLength(7);
  const captions = new Set(
    evidence.items.filter((item) => item.kind === "caption").map((item) => item.id),
  );
  for (const item of comparisons) expect(item.from.every((id) => captions.has(id))).toBe(true);
});

test("merge sort with the video: a comparison sees both clips, A before B", async () => {
  await run({
    mode: "all-at-once",
    input: "clip",
    method: "merge-sort",
    reasoningInput: "video+text",
  });
  for (const request of server.chats().filter((one) => stepOf(one) === "compare")) {
    const [a, b] = [...wordsOf(request).matchAll(/stage (\d)/g)].map((match) => Number(match[1]));
    expect(await clipsSeen(request)).toEqual([
      PLACES.indexOf(a ?? 0) + 1,
      PLACES.indexOf(b ?? 0) + 1,
    ]);
  }
});

test("an answer that is neither A nor B is repeated once, then counted and taken as A", async () => {
  const good = procedureModel(PLACES);
  server.answer((request) =>
    stepOf(request) === "compare" && /stage 3[\s\S]*stage 1/.test(wordsOf(request))
      ? "Either could come first."
      : good(request),
  );
  const { answer } = await run({ mode: "all-at-once", input: "clip", method: "merge-sort" });
  expect(answer.status).toBe("answered");
  expect(answer.diagnostics).toMatchObject({ invalid: 1, asked_again: 1 });
  expect(times("compare")).toBe((answer.diagnostics?.comparisons as number) + 1);
  const order = answer.answer as number[];
  expect(order.indexOf(1)).toBeLessThan(order.indexOf(2));
});

test("without any readable comparison there is no answer", async () => {
  const good = procedureModel(PLACES);
  server.answer((request) => (stepOf(request) === "compare" ? "Hm." : good(request)));
  const { answer } = await run({ mode: "all-at-once", input: "clip", method: "merge-sort" });
  expect(answer).toMatchObject({ status: "unparsed", error: { kind: "model-unusable" } });
  expect(answer.diagnostics?.invalid).toBe(answer.diagnostics?.comparisons);
});

test("a clip missing in the one reply is requested once more, then stays undescribed", async () => {
  const good = procedureModel(PLACES);
  server.answer(async (request) => {
    if (stepOf(request) !== "all")
      return stepOf(request) === "clip" ? { empty: true } : good(request);
    const lines = String(await good(request)).split("\n");
    return lines.filter((_, index) => index !== 3).join("\n");
  });
  const { answer } = await run({ mode: "all-at-once", input: "clip" });
  expect(answer.diagnostics).toMatchObject({ described: 4, not_described: [4] });
  const order = server.chats().find((one) => stepOf(one) === "order");
  expect(wordsOf(order as NonNullable<typeof order>)).toContain("Clip 4: (not described)");
  server.reset();
  server.answer(async (request) => {
    const reply = await good(request);
    if (stepOf(request) !== "all") return reply;
    return String(reply)
      .split("\n")
      .filter((_, index) => index !== 3)
      .join("\n");
  });
  const again = await run({ mode: "all-at-once", input: "whole-video" });
  expect(again.answer).toMatchObject({
    answer: rightOrder(PLACES),
    diagnostics: { not_described: [] },
  });
  expect(steps()).toEqual(["all", "one", "order"]);
});

test("a stray number in the one reply adds no clips", async () => {
  const good = procedureModel(PLACES);
  server.answer(async (request) => {
    const reply = await good(request);
    return stepOf(request) === "all" ? `${reply}\nClip 42: a hand waves.` : reply;
  });
  const { answer } = await run({ mode: "all-at-once", input: "whole-video" });
  expect(answer.answer).toEqual(rightOrder(PLACES));
  expect(steps()).toEqual(["all", "order"]);
});

test.each([
  ["nonsense", "The lemons look fresh.", "unparsed"],
  ["a refusal", { refusal: "I cannot help with that." }, "refused"],
  ["half a reply", { text: "Correct order: 3, 1", finish: "length" }, "truncated"],
  ["nothing", { empty: true }, "error"],
] as const)("%s instead of an order has its own status", async (_what, reply, status) => {
  const good = procedureModel(PLACES);
  server.answer((request) => (stepOf(request) === "order" ? reply : good(request)));
  const { answer } = await run({ mode: "all-at-once", input: "clip" });
  expect(answer.status).toBe(status);
  expect(answer.answer).toBeNull();
  expect(answer.usage.calls).toBe(2);
});

test.each([4, 5])(
  "a budget of %i calls for 5 clips and their order makes none of them",
  async (calls) => {
    const { answer } = await run({ mode: "sequential", input: "clip" }, { budget: { calls } });
    expect(answer).toMatchObject({ status: "not-answered", answer: null, limits_met: ["calls"] });
    expect(answer.diagnostics).toMatchObject({ described: 0, not_described: [1, 2, 3, 4, 5] });
    expect(steps()).toEqual([]);
  },
);

test("a budget that just covers all clips and the order is used to its last call", async () => {
  const { answer } = await run({ mode: "sequential", input: "clip" }, { budget: { calls: 6 } });
  expect(answer).toMatchObject({ status: "answered", limits_met: [] });
  expect(steps().sort()).toEqual(["clip", "clip", "clip", "clip", "clip", "order"]);
});

test("a clip without budget for a second attempt ends the question before the order", async () => {
  const good = procedureModel(PLACES);
  let bad: string | undefined;
  server.answer((request) => {
    if (stepOf(request) === "clip") bad ??= request.hash;
    return request.hash === bad ? { empty: true } : good(request);
  });
  const { answer } = await run({ mode: "sequential", input: "clip" }, { budget: { calls: 6 } });
  expect(answer).toMatchObject({ status: "not-answered", limits_met: ["calls"] });
  expect(steps()).not.toContain("order");
});

test("the clips are not counted if the budget does not cover descriptions and order", async () => {
  const settings = { mode: "sequential", input: "whole-video" } as const;
  const { answer } = await run(settings, { budget: { calls: 2 } });
  expect(answer).toMatchObject({ status: "not-answered", limits_met: ["calls"] });
  expect(server.chats()).toHaveLength(0);
});

test("a budget of tokens includes the expected descriptions and order", async () => {
  const settings = { mode: "sequential", input: "clip" } as const;
  const tokens = async (limit: number, expected_output: number) => {
    server.reset();
    const { answer } = await run(settings, { budget: { tokens: limit, expected_output } });
    return { calls: server.chats().length, ...answer };
  };
  const poor = await tokens(12_000, 2048);
  expect(poor).toMatchObject({ calls: 0, status: "not-answered", limits_met: ["tokens"] });
  const enough = await tokens(12_000, 20);
  expect(enough).toMatchObject({ calls: 6, status: "answered", limits_met: [] });
});

test("without budget there is no answer and no request", async () => {
  const { answer } = await run({ mode: "sequential", input: "clip" }, { budget: { calls: 0 } });
  expect(answer).toMatchObject({ status: "not-answered", answer: null, limits_met: ["calls"] });
  expect(server.chats()).toHaveLength(0);
});

test("without title cards the clip mode names the mode to use instead", async () => {
  const file = join(await tempFolder(), "plain.mp4");
  await makeShuffled(file, 3, { cards: false });
  const settings = { strategy: "rrd", model: "openai:scripted", runtime: { base_url: server.url } };
  const { answer } = await ask(
    file,
    { text: "Order", task: "order", goal: GOAL },
    { store, settings },
  );
  expect(answer).toMatchObject({ status: "error", error: { kind: "not-found" } });
  expect(answer.error?.message).toContain("--recognition-input whole-video");
  expect(server.chats()).toHaveLength(0);
});

test("a question stopped at any call and repeated makes only the remaining calls", async () => {
  const good = procedureModel(PLACES);
  const arm = { mode: "sequential", input: "clip", method: "merge-sort" } as const;
  for (const stopAt of [1, 4, 7, 12]) {
    server.reset();
    const epoch = epochs++;
    const stop = new AbortController();
    let calls = 0;
    server.answer(async (request) => {
      calls += 1;
      if (calls !== stopAt) return good(request);
      stop.abort();
      return { text: "too late", delay_ms: 50 };
    });
    await expect(run(arm, { epoch, signal: stop.signal })).rejects.toMatchObject({
      kind: "cancelled",
    });
    server.answer(good);
    const { answer } = await run(arm, { epoch });
    expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
    const chats = server.chats();
    const finished = chats.filter((one) => one.status === 200 && !one.aborted);
    expect(new Set(finished.map((one) => one.hash)).size).toBe(12);
    // Only calls in flight at the stop are sent again: at most one per connection.
    expect(chats.length).toBeGreaterThan(12);
    expect(chats.length).toBeLessThanOrEqual(12 + 3);
    server.reset();
    const again = await run(arm, { epoch });
    expect(again.answer).toMatchObject({ answer: rightOrder(PLACES), usage: { calls: 12 } });
    expect(server.chats()).toHaveLength(0);
  }
});

test("with three of ten replies faulty the answer is the same, and every call is stored once", async () => {
  const good = procedureModel(PLACES);
  const random = seeded("faults");
  const faults: Reply[] = [
    { status: 429, text: "slow down" },
    { status: 429, text: "slow down", headers: { "retry-after": "0" } },
    { status: 503, text: "busy" },
    { drop: "before" },
    { drop: "middle" },
    { empty: true },
  ];
  server.answer((request) => {
    const fault = faults[Math.floor((random() / 0.3) * faults.length)];
    return fault ?? good(request);
  });
  for (const method of ["all-at-once", "merge-sort"] as const) {
    const { answer } = await run({ mode: "sequential", input: "clip", method });
    expect(answer).toMatchObject({ status: "answered", answer: rightOrder(PLACES) });
    expect(answer.diagnostics?.not_described).toEqual([]);
    expect(answer.usage.calls).toBe(method === "merge-sort" ? 12 : 6);
  }
});
