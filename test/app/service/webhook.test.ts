import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { WEBHOOK_DEFAULTS, type WebhookOptions } from "../../../src/app/service/options.ts";
import { checkWebhook } from "../../../src/app/service/webhook.ts";
import { signWebhook, verifyWebhook } from "../../../src/app/service/webhook-signature.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { startRig } from "./rig.ts";
import { serveCommand } from "./served.ts";

const SECRET = "a secret of the receiver";

interface Call {
  path: string;
  id: string;
  event: string;
  signature: string;
  body: string;
}

let receiver: Server;
let url: string;
let calls: Call[] = [];
/** Statuses of the next replies; 200 after the last. */
let statuses: number[] = [];
let file: string;

beforeAll(async () => {
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    calls.push({
      path: request.url ?? "",
      id: String(request.headers["video-rrd-delivery"]),
      event: String(request.headers["video-rrd-event"]),
      signature: String(request.headers["video-rrd-signature"]),
      body,
    });
    response.writeHead(statuses.shift() ?? 200, { location: "/elsewhere" }).end("thanks");
  });
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
afterAll(() => receiver.close());
beforeEach(() => {
  calls = [];
  statuses = [];
});

const webhook = (more: Partial<WebhookOptions> = {}): WebhookOptions => ({
  ...WEBHOOK_DEFAULTS,
  ...{ url, secret: SECRET, allow_private: true, retry_ms: 50 },
  ...more,
});
const asked = { text: "What is shown?", settings: { strategy: "extractive" } };

test("each event is delivered once it was accepted, signed, with the same id and bytes in each attempt", async () => {
  statuses = [500, 302];
  const rig = await startRig({ webhook: webhook() });
  const video = await rig.upload(file, "Tea.mp4");
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(3);
  expect(new Set(calls.map(({ id, body, path }) => id + path + body)).size).toBe(1);
  const [first] = calls;
  expect(JSON.parse(first?.body ?? "")).toMatchObject({
    id: first?.id,
    event: "video.ready",
    video: video.id,
    data: { id: video.id, name: "Tea.mp4" },
  });
  const { id } = await rig.ask(video.id, asked);
  const question = await rig.ended(id);
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(4);
  expect(JSON.parse(calls[3]?.body ?? "")).toMatchObject({
    event: `question.${question.state}`,
    question: id,
    data: { id, state: question.state },
  });
  for (const { body, signature } of calls) {
    expect(verifyWebhook(body, signature, SECRET)).toBe(true);
    expect(verifyWebhook(`${body} `, signature, SECRET)).toBe(false);
    expect(verifyWebhook(body, signature, `${SECRET}!`)).toBe(false);
  }
  const metrics = await (await rig.send("GET", "/metrics")).text();
  expect(metrics).toContain('deliveries_total{event="video.ready",result="failed"} 2');
  expect(metrics).toContain('deliveries_total{event="video.ready",result="delivered"} 1');
  await rig.stop();
});

test("after the last attempt a delivery is dead, and shown in the metrics and the audit log", async () => {
  statuses = [500, 500, 500, 500];
  const rig = await startRig({ webhook: webhook({ tries: 2, events: ["video.ready"] }) });
  const { id } = await rig.upload(file);
  const entries = async () =>
    (await rig.json<{ items: object[] }>(200, "GET", "/api/v1/audit?action=webhook.dead")).items;
  await expect.poll(async () => (await entries()).length, { timeout: 10_000 }).toBe(1);
  expect(await entries()).toMatchObject([
    { video: id, details: { tries: 2, problem: "status 500" } },
  ]);
  expect(calls).toHaveLength(2);
  await expect
    .poll(async () => (await rig.send("GET", "/metrics")).text())
    .toContain('webhook_queue{state="dead"} 1');
  await rig.stop();
});

test("private addresses are not called unless the operator allows them", async () => {
  const closed = webhook({ url: url.replace("http:", "https:"), allow_private: false, tries: 1 });
  const rig = await startRig({ webhook: closed });
  await rig.upload(file);
  const store = await openStore(rig.data);
  await expect
    .poll(async () => (await store.audit.list({}, 9, null))[0]?.details)
    .toMatchObject({
      problem: expect.stringContaining("private address"),
    });
  await store.close();
  expect(calls).toEqual([]);
  await rig.stop();
});

test("deliveries survive kill -9, and none is queued without a webhook", async () => {
  statuses = Array.from({ length: 100 }, () => 503);
  const data = await tempFolder();
  process.env.TEST_WEBHOOK_SECRET = SECRET;
  const flags = [
    "--webhook",
    url,
    "--webhook-secret-env",
    "TEST_WEBHOOK_SECRET",
    "--webhook-private",
  ];
  const service = await serveCommand(data, "http://127.0.0.1:9/v1", flags);
  const { id } = await service.upload(file);
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThan(0);
  service.child.kill("SIGKILL");
  await service.exit;
  const [before] = calls;
  statuses = [];
  const again = await startRig({ data, webhook: webhook() });
  await expect
    .poll(() => calls.at(-1)?.id === before?.id && calls.length > 1, { timeout: 20_000 })
    .toBe(true);
  await again.stop();
  expect(JSON.parse(calls.at(-1)?.body ?? "")).toMatchObject({ video: id });
  const off = await startRig({ data });
  await off.upload(file);
  await off.stop();
  const store = await openStore(data);
  expect(await store.webhooks.counts()).toEqual({ open: 0, dead: 0 });
  await store.close();
});

test("URLs, secrets and old signatures that cannot be used are refused", () => {
  const wrong = (more: Partial<WebhookOptions>) => () => checkWebhook(webhook(more));
  expect(wrong({ url: "ftp://x.example" })).toThrow("use an https URL");
  expect(wrong({ url: "http://x.example", allow_private: false })).toThrow("use an https URL");
  expect(wrong({ url: "https://ann:pw@x.example" })).toThrow("user name or password");
  expect(wrong({ secret: "short" })).toThrow("at least 16 characters");
  const old = signWebhook("{}", SECRET, Date.now() - 301_000);
  expect(verifyWebhook("{}", old, SECRET)).toBe(false);
  expect(verifyWebhook("{}", "t=1,v1=zz", SECRET)).toBe(false);
});
