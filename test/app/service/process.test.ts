import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { UploadView } from "../../../src/app/service/api.ts";
import type { Event } from "../../../src/core/events.ts";
import { CLI } from "../../support/command-line.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { canMount } from "../../support/own-disk.ts";
import { makeShuffled, procedureModel, rightOrder, stepOf } from "../../support/shuffled.ts";
import { slowFfmpeg } from "../../support/slow-ffmpeg.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, events } from "./rig.ts";
import { serveCommand } from "./served.ts";

const PLACES = [2, 3, 1];

let server: ModelServer;
let file: string;

beforeAll(async () => {
  server = await startModelServer(procedureModel(PLACES));
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, PLACES.length);
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => server.reset());

const serve = (data: string, more: string[] = [], wrapped: string[] = []) =>
  serveCommand(data, server.url, more, wrapped);

test("after kill -9 during a question the next start continues it and bills only calls in flight again", async () => {
  const data = await tempFolder();
  const good = procedureModel(PLACES);
  const hanging: Script = async (request) => {
    const text = String(await good(request));
    return stepOf(request) === "order" ? { text, delay_ms: 60_000 } : { text };
  };
  server.answer(hanging);
  const one = await serve(data);
  expect(one.line).toMatch(/^Serving on http:\/\/127\.0\.0\.1:\d+ \(Ctrl-C stops it\)$/);
  const { id } = await one.upload(file);
  const asked = await one.ask(id, { text: "In which order?", goal: "Make tea" });
  const waiting = await one.ask(id, {
    text: "In which order?",
    goal: "Make jam",
    settings: { strategy: "direct" },
  });
  const seen: Event[] = [];
  const stream = (async () => {
    try {
      for await (const event of events(one.url, asked.id)) seen.push(event);
    } catch {
      // The connection breaks when the process does.
    }
  })();
  const timeouts = { timeout: 60_000 };
  await expect
    .poll(() => server.chats().some((chat) => stepOf(chat) === "order"), timeouts)
    .toBe(true);
  await expect.poll(() => seen.filter(({ type }) => type === "call").length, timeouts).toBe(3);
  one.child.kill("SIGKILL");
  await Promise.all([one.exit, stream]);
  const paid = server.chats().filter((chat) => stepOf(chat) !== "order").length;
  server.reset();
  server.answer(good);
  const two = await serve(data);
  const ended = await two.ended(asked.id);
  expect(ended).toMatchObject({ state: "answered", answer: { answer: rightOrder(PLACES) } });
  expect((await two.ended(waiting.id)).state).toBe("answered");
  expect(server.chats().map(stepOf).sort()).toEqual(paid === 4 ? ["order"] : ["direct", "order"]);
  for await (const event of events(two.url, asked.id, seen.at(-1)?.seq ?? 0)) seen.push(event);
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1));
  two.child.kill("SIGTERM");
  expect(await two.exit).toBe(0);
  expect(two.said()).toContain("Stopped: questions that were running continue at the next start.");
});

test.skipIf(process.platform === "win32").each([
  ["Ctrl-C", false],
  ["a stop of all processes at once", true],
])(
  "a question whose video is being read goes on at the next start after %s",
  async (_what, reachesFfmpeg) => {
    server.answer(procedureModel(PLACES));
    const data = await tempFolder();
    const { folder, pid } = await slowFfmpeg();
    const env = { ...process.env, FFMPEG_PATH: folder };
    const one = await serveCommand(data, server.url, [], [], { env, detached: true });
    const { id } = await one.upload(file);
    const asked = await one.ask(id, { text: "In which order?", goal: "Make tea" });
    const reading = await pid();
    process.kill(-Number(one.child.pid), "SIGINT");
    if (reachesFfmpeg) process.kill(reading, "SIGTERM");
    expect(await one.exit).toBe(0);
    expect(() => process.kill(reading, 0)).toThrow();
    const two = await serve(data);
    expect(await two.ended(asked.id)).toMatchObject({
      state: "answered",
      answer: { answer: rightOrder(PLACES) },
    });
    two.child.kill("SIGTERM");
    await two.exit;
  },
);

test("a port or folder in use is reported in one sentence", async () => {
  const busy = createServer();
  await new Promise<void>((done) => busy.listen(0, "127.0.0.1", done));
  const { port } = busy.address() as { port: number };
  const data = await tempFolder();
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [CLI, "serve", "--data-dir", data, ...args], { encoding: "utf8" });
  const taken = run("--port", String(port));
  expect([taken.status, taken.stderr.trim().split("\n")]).toEqual([
    2,
    [`Port ${port} of 127.0.0.1 is in use. Choose another with --port.`],
  ]);
  busy.close();
  for (const [args, named] of [
    [["--host", "0.0.0.0"], "--token-file"],
    [["--port", "70000"], "65535"],
    [["--frames", "0", "--model", "openai:x"], "--frames"],
    [["--token-file", "/nowhere"], "/nowhere"],
  ] as const) {
    const { status, stderr } = run(...args);
    expect([args, status === 0, stderr.trim().split("\n").length]).toEqual([args, false, 1]);
    expect(stderr).toContain(named);
  }
});

test("keys are created, listed and revoked; their secrets are shown once", async () => {
  const data = await tempFolder();
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [CLI, "keys", ...args, "--data-dir", data], { encoding: "utf8" });
  const made = run("add", "ann", "--in-flight", "2", "--cost-a-day", "1.5");
  expect(made.stdout).toMatch(/^vrrd_[\w-]{43}\n$/);
  expect(run("add", "ann").status).toBe(2);
  expect(JSON.parse(run("list", "--json").stdout)).toEqual([
    { name: "ann", in_flight: 2, cost_a_day: 1.5, bytes: null, roles: ["ask"] },
  ]);
  const service = await serve(data, ["--keys"]);
  const own = client(service.url, { authorization: `Bearer ${made.stdout.trim()}` });
  await own.json(200, "GET", "/api/v1/videos");
  expect(run("remove", "ann").status).toBe(0);
  await own.json(401, "GET", "/api/v1/videos");
  service.child.kill("SIGINT");
  expect(await service.exit).toBe(0);
});

test.skipIf(!canMount())(
  "a full disk refuses uploads with 507, and the service stays up",
  async () => {
    const data = await tempFolder();
    await mkdir(data, { recursive: true });
    const mount = `mount -t tmpfs -o size=40m none ${data} && exec "$@"`;
    const service = await serve(data, [], ["unshare", "-rm", "sh", "-c", mount, "sh"]);
    const size = 60_000_000;
    expect(await service.json(507, "POST", "/api/v1/uploads", { name: "x", size })).toMatchObject({
      kind: "disk-full",
      detail: expect.stringMatching(
        /^The disk of the service has room for 2\d{7} bytes more, and the upload needs at least \d+\. Remove a video/,
      ),
    });
    // Each began while there was space for it; together they exceed the disk.
    const begun: UploadView[] = [];
    for (let i = 0; i < 5; i++)
      begun.push(
        await service.json(201, "POST", "/api/v1/uploads", { name: "x", size: 10_000_000 }),
      );
    const statuses: number[] = [];
    for (const { id } of begun) {
      const part = await fetch(`${service.url}/api/v1/uploads/${id}`, {
        method: "PATCH",
        headers: {
          "content-type": "application/octet-stream",
          "content-range": "bytes 0-9999998/10000000",
        },
        body: new Uint8Array(9_999_999),
      });
      statuses.push(part.status);
      // Seen before the bytes are written, or while they are.
      if (part.status === 507) expect(await part.json()).toMatchObject({ kind: "disk-full" });
    }
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses.at(-1)).toBe(507);
    await service.json(200, "GET", "/healthz");
    await service.json(200, "GET", "/api/v1/videos");
    expect(await service.json(503, "GET", "/readyz")).toMatchObject({ ready: false });
    for (const { id } of begun) await service.json(204, "DELETE", `/api/v1/uploads/${id}`);
    await service.json(200, "GET", "/readyz");
    const { id } = await service.upload(file);
    await service.json(204, "DELETE", `/api/v1/videos/${id}`);
    service.child.kill("SIGTERM");
    await service.exit;
  },
);
