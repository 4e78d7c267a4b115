import "../setup.ts";
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Batches, openBatches } from "../../../src/models/batch/batches.ts";
import { cancelBatch, readOpenBatches } from "../../../src/models/batch/open-batches.ts";
import { createSamplePlaces } from "../../../src/models/batch/sample-places.ts";
import { type BatchRules, type BatchServer, startBatchServer } from "../../support/batch-server.ts";
import type { Script } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { ask, BOTH, memoryStore, putFrame, rig } from "../setup.ts";

const PACE = { idle: 30, quiet: 400, longest: 60_000, firstPoll: 5, longestPoll: 20 };
const ECHO: Script = ({ texts }) => `reply to ${texts.at(-1)}`;

const open = (data: string, more: object = {}) =>
  openBatches({ data, run: "run-1", width: 2, pace: PACE, ...more });

/** Asks each question in a sample of its own. */
function askAll(models: ReturnType<typeof rig>["models"], batches: Batches, questions: string[]) {
  return Promise.all(
    questions.map((question) => batches.sample(() => models.call(ask([question])))),
  );
}

/** What is left of batches on this machine and at the provider. */
async function leftOf({ files, model }: BatchServer, data: string): Promise<string[]> {
  const inputs = model.files.all.filter(({ deleted }) => !deleted).map(({ name }) => name);
  return [...(await readdir(`${data}/batches`)), ...files.keys(), ...inputs];
}

const textOf = (result: Awaited<ReturnType<typeof askAll>>[number] | undefined) =>
  result?.status === "replied" ? result.reply.text : null;

test.each(BOTH)(
  "the lines of a $protocol batch are the bodies of direct calls, and both are one memo entry at half the price",
  async ({ model }) => {
    await using server = await startBatchServer(ECHO);
    const data = await tempFolder();
    const store = memoryStore();
    const frame = await putFrame(store, "#00aaff", 1);
    const questions = Array.from({ length: 5 }, (_, index) => ask([`question ${index}`, frame]));
    const direct = rig(server, model, { store });
    for (const call of questions) await direct.models.call(call);
    const bodies = server.model.requests.map(({ hash }) => hash).sort();
    expect(bodies).toHaveLength(5);
    server.model.reset();

    const batches = await open(data);
    const fresh = memoryStore();
    fresh.bytes.set(frame.hash, store.bytes.get(frame.hash) ?? new Uint8Array());
    const batched = rig(server, model, { store: fresh, batches });
    const results = await Promise.all(
      questions.map((call) => batches.sample(() => batched.models.call(call))),
    );
    expect(await batches.close(true)).toEqual([]);
    expect(server.batches).toHaveLength(1);
    expect(server.batches[0]?.lines).toHaveLength(5);
    expect(server.model.requests.map(({ hash }) => hash).sort()).toEqual(bodies);
    expect(results.map(textOf)).toEqual(questions.map((_, index) => `reply to question ${index}`));
    const cost = (calls: typeof direct.calls) =>
      calls.reduce((sum, { usage }) => sum + (usage.cost ?? Number.NaN), 0);
    expect(cost(batched.calls)).toBeCloseTo(cost(direct.calls) / 2, 12);
    expect(batched.calls.map(({ key }) => key).sort()).toEqual(
      direct.calls.map(({ key }) => key).sort(),
    );
    expect(await leftOf(server, data)).toEqual([]);
  },
);

/** Cuts the result of this call in the files of results. */
function damage({ files }: BatchServer, words: string): void {
  for (const [name, content] of files) {
    const lines = content.toString().split("\n");
    const cut = lines.map((line) =>
      line.includes(`reply to ${words}`) ? line.slice(0, Math.floor(line.length / 2)) : line,
    );
    files.set(name, Buffer.from(cut.join("\n")));
  }
}

test.each(BOTH)(
  "a damaged line of results of $protocol costs only its own call, which is sent again",
  async ({ model }) => {
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    let isDamaged = false;
    await using server = await startBatchServer(ECHO, {
      replies(route) {
        if (/^GET .*batches\/.+/.test(route) && !isDamaged) {
          damage(server, "b");
          isDamaged = true;
        }
        return true;
      },
    });
    const batches = await open(await tempFolder());
    const results = await askAll(rig(server, model, { batches }).models, batches, ["a", "b", "c"]);
    await batches.close(true);
    expect(results.map(textOf)).toEqual(["reply to a", "reply to b", "reply to c"]);
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([3, 1]);
    expect(warned.mock.calls).toEqual([
      [expect.stringContaining("have 1 damaged line: calls without a result are sent again.")],
    ]);
    expect(warned.mock.calls[0]?.[0]).toContain(model);
  },
);

test("the only line of a batch may be damaged, too", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  let isDamaged = false;
  await using server = await startBatchServer(ECHO, {
    replies(route) {
      if (/^GET .*batches\/.+/.test(route) && !isDamaged) {
        damage(server, "a");
        isDamaged = true;
      }
      return true;
    },
  });
  const batches = await open(await tempFolder());
  const results = await askAll(rig(server, "openai:gpt-4.1", { batches }).models, batches, ["a"]);
  await batches.close(true);
  expect(results.map(textOf)).toEqual(["reply to a"]);
  expect(server.batches).toHaveLength(2);
});

test("a file of results without any line of the protocol fails", async () => {
  await using server = await startBatchServer(ECHO, {
    replies(route) {
      if (/^GET .*batches\/.+/.test(route))
        for (const [name, bytes] of server.files)
          if (bytes.includes("reply to a"))
            server.files.set(name, Buffer.from("<html>Gone</html>"));
      return true;
    },
  });
  const batches = await open(await tempFolder());
  const failed = askAll(rig(server, "openai:gpt-4.1", { batches }).models, batches, ["a"]);
  await expect(failed).rejects.toMatchObject({
    kind: "model-unusable",
    message: `The results of the batch batch_1 of openai:gpt-4.1 cannot be read: ${server.url} sent a body that is not a line of results.`,
  });
  await batches.close(false);
});

test("samples wait together, whatever the number that work at once, and a second round is a second batch", async () => {
  await using server = await startBatchServer(ECHO);
  const batches = await open(await tempFolder());
  const { models } = rig(server, "openai:gpt-4.1", { batches });
  const seen: number[] = [];
  await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      batches.sample(async () => {
        const first = await models.call(ask([`first ${index}`]));
        seen.push(server.batches.length);
        await models.call(ask([`second ${index} ${textOf(first)}`]));
      }),
    ),
  );
  await batches.close(true);
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([12, 12]);
  expect(new Set(seen)).toEqual(new Set([1]));
});

test("calls wait for samples that still prepare their videos, and are sent if a sample only waits", async () => {
  await using server = await startBatchServer(ECHO);
  let isPreparing = false;
  const batches = await open(await tempFolder(), { isPreparing: () => isPreparing });
  const { models } = rig(server, "openai:gpt-4.1", { batches });
  const never = Promise.withResolvers<void>();
  const waits = batches.sample(() => never.promise);
  await Promise.all([
    batches.sample(() => models.call(ask(["early"]))),
    batches.sample(async () => {
      isPreparing = true;
      await sleep(2 * PACE.quiet);
      isPreparing = false;
      await models.call(ask(["late"]));
    }),
  ]);
  never.resolve();
  await waits;
  await batches.close(true);
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([2]);
});

test("a server that this process has started, such as one of tools, delays no batch", async () => {
  await using server = await startBatchServer(ECHO);
  const batches = await open(await tempFolder());
  const program = spawn("sleep", ["30"], { stdio: "ignore" });
  onTestFinished(() => void program.kill());
  const { models } = rig(server, "openai:gpt-4.1", { batches });
  expect((await askAll(models, batches, ["a"])).map(textOf)).toEqual(["reply to a"]);
  await batches.close(true);
  expect(program.exitCode).toBeNull();
});

test("requests that expire are sent again, an error in a line is the failure of its call, and 429 is tried again", async () => {
  let busy = 0;
  const script: Script = ({ texts }) =>
    texts[0] === "bad"
      ? { status: 400, text: "bad picture" }
      : texts[0] === "busy" && busy++ === 0
        ? { status: 429, text: "slow down" }
        : `reply to ${texts[0]}`;
  const expires: BatchRules["expires"] = (line, batch) =>
    batch === 0 && JSON.stringify(line).includes("late");
  await using server = await startBatchServer(script, { expires });
  const batches = await open(await tempFolder());
  const { models, calls } = rig(server, "openai:gpt-4.1", { batches });
  const ended = await Promise.allSettled(
    ["late", "bad", "busy", "plain"].map((text) => batches.sample(() => models.call(ask([text])))),
  );
  await batches.close(true);
  expect(ended.map((one) => (one.status === "fulfilled" ? textOf(one.value) : one.reason))).toEqual(
    [
      "reply to late",
      expect.objectContaining({
        kind: "model-rejected",
        message: expect.stringContaining("status 400. Server response: bad picture"),
      }),
      "reply to busy",
      "reply to plain",
    ],
  );
  const sent = server.batches.flatMap(({ bodies }) => bodies);
  const count = (word: string) => sent.filter((body) => body.includes(word)).length;
  expect([count("late"), count("bad"), count("busy"), count("plain")]).toEqual([2, 1, 2, 1]);
  expect(calls.find(({ retried }) => retried !== undefined)?.retried?.requests).toBe(1);
});

test("a call that fails in three batches is the failure of its sample", async () => {
  const script: Script = ({ texts }) =>
    texts[0] === "busy" ? { status: 503, text: "overloaded" } : `reply to ${texts[0]}`;
  await using server = await startBatchServer(script);
  const batches = await open(await tempFolder());
  const { models } = rig(server, "openai:gpt-4.1", { batches });
  const ended = await Promise.allSettled(
    ["busy", "plain"].map((text) => batches.sample(() => models.call(ask([text])))),
  );
  await batches.close(true);
  expect(ended).toMatchObject([
    { status: "rejected", reason: { kind: "model-overloaded", facts: { status: 503 } } },
    { status: "fulfilled" },
  ]);
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([2, 1, 1]);
});

test("missing lines, lines of unknown calls and further replies are told; missing calls are sent again", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  let isChanged = false;
  await using server = await startBatchServer(ECHO, {
    replies(route) {
      if (/^GET .*batches\/.+/.test(route) && !isChanged) isChanged = change(server);
      return true;
    },
  });
  function change({ files }: BatchServer): boolean {
    const [name, bytes] = [...files].find(([, one]) => one.includes("reply to a")) ?? [];
    if (name === undefined || bytes === undefined) return false;
    const lines = bytes.toString().trim().split("\n");
    const [first = "", second = ""] = lines.filter((line) => !line.includes("reply to c"));
    const foreign = first.replace(/("custom_id":")[^"]+/, "$1another");
    const other = second.replace("reply to", "another reply to");
    files.set(name, Buffer.from([first, foreign, second, second, other].join("\n")));
    return true;
  }
  const batches = await open(await tempFolder());
  const { models } = rig(server, "openai:gpt-4.1", { batches });
  const results = await askAll(models, batches, ["a", "b", "c"]);
  await batches.close(true);
  expect(results.map(textOf)).toEqual(["reply to a", "reply to b", "reply to c"]);
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([3, 1]);
  expect(warned.mock.calls.map(([words]) => words)).toEqual([
    "The results of the batch batch_1 of openai:gpt-4.1 have 1 line of unknown calls, 1 further reply to one call, no line of 1 of 3 calls: calls without a result are sent again.",
  ]);
});

test("calls of a batch that the provider does not know any more are sent again, which is told", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
  onTestFinished(() => warned.mockRestore());
  const rules: BatchRules = { looks: 1e6 };
  await using server = await startBatchServer(ECHO, rules);
  const data = await tempFolder();
  const stop = new AbortController();
  const before = await open(data);
  const killed = rig(server, "openai:gpt-4.1", { batches: before, signal: stop.signal });
  const asked = askAll(killed.models, before, ["a", "b"]);
  asked.catch(() => undefined);
  await expect.poll(() => server.batches[0]?.looks).toBeGreaterThan(0);
  stop.abort();
  await before.close(false);
  server.batches.splice(0);
  rules.looks = 1;
  const after = await open(data);
  const resumed = rig({ url: server.url }, "openai:gpt-4.1", { batches: after });
  const results = await askAll(resumed.models, after, ["a", "b"]);
  await after.close(true);
  expect(results.map(textOf)).toEqual(["reply to a", "reply to b"]);
  expect(warned.mock.calls.map(([words]) => words)).toEqual([
    "openai:gpt-4.1 does not know the batch batch_1 any more: its 2 calls are sent again if they are still needed.",
  ]);
});

test("a full queue of the provider halves the batches; a refused batch fails its calls with the provider's words", async () => {
  const fails: BatchRules["fails"] = (batch) =>
    batch === 0 ? { code: "token_limit_exceeded", message: "Enqueued token limit reached" } : null;
  await using server = await startBatchServer(ECHO, { fails });
  const batches = await open(await tempFolder());
  const { models } = rig(server, "openai:gpt-4.1", { batches });
  const replies = await askAll(models, batches, ["a", "b", "c", "d"]);
  expect(replies.map(textOf)).toEqual(["a", "b", "c", "d"].map((text) => `reply to ${text}`));
  expect(server.batches.map(({ lines }) => lines.length)).toEqual([4, 2, 2]);
  await batches.close(true);

  await using strict = await startBatchServer(ECHO, {
    fails: () => ({ code: "invalid_model", message: "The model has no batches." }),
  });
  const other = await open(await tempFolder());
  const refused = rig(strict, "openai:gpt-4.1", { batches: other });
  await expect(askAll(refused.models, other, ["a"])).rejects.toMatchObject({
    kind: "model-rejected",
    message: "openai:gpt-4.1 refused the batch batch_1: The model has no batches.",
  });
  await other.close(true);
});

test("after a stop at any step, the same calls find their batch and nothing is sent twice", async () => {
  for (const cut of ["upload", "create", "lost", "running"]) {
    let isDown = cut === "lost";
    await using server = await startBatchServer(ECHO, {
      looks: cut === "running" ? 1e6 : 1,
      replies: (request) => {
        if (cut === "upload" && request === "POST /v1/files") return first.abort() as never;
        if (cut === "create" && request === "POST /v1/batches") return first.abort() as never;
        // The reply to the request that starts a batch is lost once.
        if (request !== "POST /v1/batches" || !isDown) return true;
        isDown = false;
        return false;
      },
    });
    const data = await tempFolder();
    const first = new AbortController();
    const before = await open(data);
    const killed = rig(server, "openai:gpt-4.1", { batches: before, signal: first.signal });
    if (cut === "running")
      void (async () => {
        while (!server.log.includes("GET /v1/batches/batch_1")) await new Promise(setImmediate);
        first.abort();
      })();
    const asked = await Promise.allSettled(
      ["a", "b"].map((text) => before.sample(() => killed.models.call(ask([text])))),
    );
    const running = await before.close(false);
    if (cut === "lost") {
      expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
      expect(server.batches).toHaveLength(1);
      continue;
    }
    if (cut === "running") expect(running.map(({ requests }) => requests)).toEqual([2]);
    for (const batch of server.batches) batch.looks = Number.POSITIVE_INFINITY;
    for (const batch of server.batches) batch.looks = 0;
    const after = await open(data);
    const resumed = rig({ url: server.url }, "openai:gpt-4.1", { batches: after });
    if (cut === "running") for (const batch of server.batches) batch.looks = 1e6 - 1;
    expect((await askAll(resumed.models, after, ["a", "b"])).map(textOf)).toEqual([
      "reply to a",
      "reply to b",
    ]);
    await after.close(true);
    expect([cut, server.batches.length]).toEqual([cut, 1]);
    expect(server.model.requests).toHaveLength(2);
    expect(await readdir(`${data}/batches`)).toEqual([]);
  }
});

test.each(BOTH)(
  "a batch of a killed process that is cancelled, or whose run is completed without it, leaves no $protocol files",
  async ({ model }) => {
    const rules: BatchRules = { looks: 1e6 };
    await using server = await startBatchServer(ECHO, rules);
    const headers = "X-Gateway=$TEST_GATEWAY";
    process.env.TEST_GATEWAY = "secret";
    const data = await tempFolder();
    /** Sends two calls in a batch, and stops without its results. */
    async function interrupt(run: string): Promise<void> {
      const stop = new AbortController();
      const batches = await open(data, { run });
      const sent = server.batches.length;
      const { models } = rig(server, model, { batches, signal: stop.signal, runtime: { headers } });
      const asked = askAll(models, batches, [`${run} a`, `${run} b`]);
      asked.catch(() => undefined);
      await expect.poll(() => server.batches[sent]?.looks).toBeGreaterThan(0);
      stop.abort();
      await expect(asked).rejects.toThrow();
      await batches.close(false);
    }
    await interrupt("cancelled");
    const signal = new AbortController().signal;
    expect(await readOpenBatches(data, { headers: null }, signal)).toMatchObject([
      { state: "not reached", why: expect.stringContaining("pass the same --header") },
    ]);
    const [first] = await readOpenBatches(data, { headers }, signal);
    expect(first?.state).toBe("running");
    if (first !== undefined) await cancelBatch(data, first, signal);
    // Only the record, for the results of what was processed.
    expect(await leftOf(server, data)).toHaveLength(1);

    await interrupt("direct");
    const left: number[] = [];
    for (const run of ["other", "cancelled", "direct", "direct"]) {
      if (left.length === 3) rules.looks = 1;
      await (await open(data, { run, headers })).close(true);
      left.push((await leftOf(server, data)).length);
    }
    // Two records and the requests of one; what is processed stays until it has ended.
    expect(left).toEqual([3, 2, 2, 0]);
  },
);

test("results that cannot be read stay recorded and at the provider, and the next process reads them", async () => {
  let isDown = true;
  await using server = await startBatchServer(ECHO, {
    replies: (request) => !(isDown && request.endsWith("/content")),
  });
  const data = await tempFolder();
  const before = await open(data);
  const { models } = rig(server, "openai:gpt-4.1", { batches: before });
  await expect(askAll(models, before, ["a", "b"])).rejects.toMatchObject({
    kind: "model-unreachable",
  });
  // Every sample has a result, but it is an error.
  await before.close(true);
  isDown = false;
  const after = await open(data);
  const resumed = rig(server, "openai:gpt-4.1", { batches: after });
  expect((await askAll(resumed.models, after, ["a", "b"])).map(textOf)).toEqual([
    "reply to a",
    "reply to b",
  ]);
  await after.close(true);
  expect(server.batches).toHaveLength(1);
  expect([...server.files.keys()]).toEqual([]);
  expect(await readdir(`${data}/batches`)).toEqual([]);
});

test("a sample that ended takes no place again when one of its calls comes back", async () => {
  const places = createSamplePlaces(1);
  const late = Promise.withResolvers<void>();
  let waited: Promise<void> | undefined;
  await places.run(async () => {
    waited = places.waiting(late.promise);
    await new Promise((done) => setTimeout(done, 100));
  });
  late.resolve();
  await waited;
  expect(places.isIdle()).toBe(true);
});

test("a model of a provider without batches is refused before anything is sent", async () => {
  const { checkBatch } = await import("../../../src/models/batch/batch-api-of.ts");
  expect(() => checkBatch(["openai:gpt-4.1", "anthropic:claude"])).toThrow(
    /^Invalid --batch: .* has no batches that this program can use, and anthropic:claude is one of its models\. Leave --batch out, or use a model of openai or google-genai\.$/,
  );
});

test("OpenAI's own client reads the server of these tests", async () => {
  await using server = await startBatchServer(ECHO, { looks: 2 });
  const client = new OpenAI({ baseURL: server.url, apiKey: "none", maxRetries: 0 });
  const line = {
    custom_id: "one",
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "m", messages: [{ role: "user", content: "hello" }] },
  };
  const file = await client.files.create({
    purpose: "batch",
    file: new File([`${JSON.stringify(line)}\n`], "lines.jsonl"),
  });
  const { id } = await client.batches.create({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
  });
  expect((await client.batches.retrieve(id)).status).toBe("in_progress");
  const ended = await client.batches.retrieve(id);
  expect(ended).toMatchObject({ status: "completed", request_counts: { total: 1, completed: 1 } });
  const content = await (await client.files.content(ended.output_file_id ?? "")).text();
  expect(JSON.parse(content)).toMatchObject({
    custom_id: "one",
    response: { status_code: 200, body: { choices: [{ message: { content: "reply to hello" } }] } },
  });
  for await (const batch of client.batches.list()) expect(batch.id).toBe(id);
});
