import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { EvidenceList, QuestionView, ServiceView } from "../../../src/app/service/api.ts";
import type { TraceView } from "../../../src/app/service/api-trace.ts";
import { WEBHOOK_DEFAULTS } from "../../../src/app/service/options.ts";
import type { Event } from "../../../src/core/events.ts";
import { createPool } from "../../../src/storage/postgres/pool.ts";
import { readPostgresAddress } from "../../../src/storage/postgres/store-address.ts";
import { endWorkers, startWorker, type WorkerProcess } from "../../evals/workers/fleet.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { makeShuffled, procedureModel, rightOrder, stepOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { events, type Rig, startRig } from "./rig.ts";

const PLACES = [2, 3, 1];
const WAIT = { timeout: 60_000 };
const ASKED = { text: "In which order?", goal: "Make tea" };
const DIRECT = { text: "one", options: ["x", "y"], settings: { strategy: "direct" } };

describe.skipIf(postgresPrograms() === null && !process.env.CI)("serve --workers remote", () => {
  let model: ModelServer;
  let rig: Rig;
  let hook: Server;
  let address: string;
  let video: string;
  let worker: WorkerProcess;
  const told: string[] = [];
  const good = procedureModel(PLACES);
  const start = () =>
    startWorker(rig.data, ["--data-dir", ".", "--concurrency", "2"], {
      VIDEO_RRD_STORE: address,
      OPENAI_API_KEY: "sk-of-the-worker",
    });
  const settled = (id: string) =>
    rig.json<QuestionView>(200, "GET", `/api/v1/questions/${id}`).then(({ state }) => state);

  beforeAll(async () => {
    address = (await startPostgres()).address("serve");
    vi.stubEnv("VIDEO_RRD_STORE", address);
    vi.stubEnv("OPENAI_API_KEY", "");
    model = await startModelServer(good);
    hook = createServer((incoming, outgoing) => {
      told.push(String(incoming.headers["video-rrd-event"]));
      outgoing.end();
    }).listen(0, "127.0.0.1");
    await once(hook, "listening");
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
    rig = await startRig({
      settings: {
        model: "openai:scripted",
        recognition: { frames: 12, max_side: 64 },
        runtime: { base_url: model.url },
      },
      workers: "remote",
      webhook: { ...WEBHOOK_DEFAULTS, url, secret: "0".repeat(32), allow_private: true },
    });
    const file = join(await tempFolder(), "tea.mp4");
    await makeShuffled(file, PLACES.length);
    video = (await rig.upload(file)).id;
  });
  afterAll(async () => {
    await endWorkers();
    await rig.stop();
    hook.close();
    await model.close();
    vi.unstubAllEnvs();
  });

  test("questions wait for a worker, which parks one that has ended three processes", async () => {
    const asked = await rig.ask(video, DIRECT);
    const { waiting, models } = await rig.json<ServiceView>(200, "GET", "/api/v1/service");
    expect(waiting).toMatch(/^Waiting for a worker\. No worker is running.*video-rrd worker/);
    expect(models.missing).toBeNull();
    const ready = await rig.json<{ checks: object }>(200, "GET", "/readyz");
    expect(ready).toMatchObject({ ready: true, checks: { workers: { ok: false } } });
    const dropped = await rig.ask(video, DIRECT);
    await rig.json(202, "POST", `/api/v1/questions/${dropped.id}/cancel`);
    expect(await settled(dropped.id)).toBe("cancelled");
    expect(await settled(asked.id)).toBe("queued");
    const pool = createPool(readPostgresAddress(address));
    await pool.send("UPDATE asked SET starts = 3 WHERE id = $1", [asked.id]);
    await pool.close();

    worker = await start();
    const { state, failure } = await rig.ended(asked.id);
    expect([state, failure]).toEqual([
      "failed",
      { kind: "worker-lost", message: expect.stringContaining("Parked: 3 processes") },
    ]);
    expect(model.requests).toEqual([]);
    expect(await rig.json<ServiceView>(200, "GET", "/api/v1/service")).toMatchObject({
      waiting: null,
    });
  });

  test("progress is seen through the service; a killed worker's question goes to another, which repeats the call in flight", async () => {
    model.answer(async (request) => {
      const text = String(await good(request));
      return stepOf(request) === "order" ? { text, delay_ms: 60_000 } : { text };
    });
    const asked = await rig.ask(video, ASKED);
    const seen: Event[] = [];
    const stream = (async () => {
      for await (const event of events(rig.url, asked.id)) seen.push(event);
    })();
    await expect.poll(() => model.chats().map(stepOf), WAIT).toContain("order");
    await expect
      .poll(() => seen.filter(({ type }) => type === "call").length, WAIT)
      .toBe(PLACES.length);
    expect(await settled(asked.id)).toBe("running");
    const sent = model.chats().length;
    model.answer(good);
    worker.child.kill("SIGKILL");
    worker = await start();
    await stream;
    expect(model.chats().slice(sent).map(stepOf)).toEqual(["order"]);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1));
    expect(await rig.ended(asked.id)).toMatchObject({
      state: "answered",
      answer: { answer: rightOrder(PLACES) },
    });
    const { calls } = await rig.json<TraceView>(200, "GET", `/api/v1/questions/${asked.id}/trace`);
    expect(calls.map(({ cached }) => cached)).toEqual([true, true, true, false]);
    expect(calls.every(({ messages }) => messages !== null)).toBe(true);
    await expect
      .poll(() => [...told].sort(), WAIT)
      .toEqual(["question.answered", "question.cancelled", "question.failed", "video.ready"]);
  });

  test("corrected evidence is reasoned over, a running question is cancelled, and SIGTERM lets one end", async () => {
    const [question] = (await rig.questions(video)).filter(({ state }) => state === "answered");
    const path = `/api/v1/questions/${question?.id}`;
    const list = await rig.json<EvidenceList>(200, "GET", `${path}/evidence`);
    const item = list.items.find(({ kind }) => kind === "caption");
    await rig.json(200, "PATCH", `${path}/evidence/${item?.id}`, { text: "A cup at stage 9." });
    const before = model.chats().length;
    const again = await rig.json<QuestionView>(202, "POST", `${path}/reason-again`);
    expect(await rig.ended(again.id)).toMatchObject({ state: "answered", from: question?.id });
    expect(model.chats().slice(before).map(stepOf)).toEqual(["order"]);
    expect(JSON.stringify(model.chats().at(-1)?.texts)).toContain("A cup at stage 9.");

    model.answer(() => ({ text: "A", delay_ms: 60_000 }));
    const stuck = await rig.ask(video, DIRECT);
    await expect.poll(() => model.chats().length, WAIT).toBe(before + 2);
    await rig.json(202, "POST", `/api/v1/questions/${stuck.id}/cancel`);
    expect((await rig.ended(stuck.id)).state).toBe("cancelled");

    model.answer(() => ({ text: "A", delay_ms: 500 }));
    const last = await rig.ask(video, { ...DIRECT, text: "two" });
    await expect.poll(() => model.chats().length, WAIT).toBe(before + 3);
    worker.child.kill("SIGTERM");
    expect((await rig.ended(last.id)).state).toBe("answered");
    expect(await worker.exit).toBe(0);
    const after = await rig.ask(video, { ...DIRECT, text: "three" });
    expect(await settled(after.id)).toBe("queued");
  });
});
