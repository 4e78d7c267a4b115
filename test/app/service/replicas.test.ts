import { once } from "node:events";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { QuestionView, UploadView } from "../../../src/app/service/api.ts";
import type { Event } from "../../../src/core/events.ts";
import { findPrograms } from "../../../src/media/find-ffmpeg.ts";
import { createPool } from "../../../src/storage/postgres/pool.ts";
import { readPostgresAddress } from "../../../src/storage/postgres/store-address.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { makeShuffled, procedureModel, rightOrder, stepOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, events } from "./rig.ts";
import { serveCommand } from "./served.ts";

const PLACES = [2, 3, 1];
const WAIT = { timeout: 60_000 };
const ASKED = { text: "In which order?", goal: "Make tea" };
type Replica = Awaited<ReturnType<typeof serveCommand>>;

/** Sends each request to the next of the replicas. */
async function startProxy(
  replicas: () => readonly Replica[],
): Promise<{ url: string; server: Server }> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const all = replicas();
    const { hostname, port } = new URL(all[turn++ % all.length]?.url ?? "");
    const { method, url, headers } = incoming;
    const passed = request({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, host: `${hostname}:${port}` },
    });
    passed.on("response", (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  return { url: await listening(server), server };
}

async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(postgresPrograms() === null && !process.env.CI)(
  "several services on one database",
  () => {
    let model: ModelServer;
    let s3: S3Server;
    let address: string;
    let bytes: Buffer;
    let hook: Server;
    let flags: string[];
    const told: { id: string; event: string }[] = [];
    const replicas: Replica[] = [];
    const start = async () => {
      const one = await serveCommand(await tempFolder(), model.url, flags);
      replicas.push(one);
      return one;
    };

    beforeAll(async () => {
      vi.stubEnv("AWS_ACCESS_KEY_ID", "ann");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
      address = (await startPostgres()).address("replicas");
      s3 = await startS3Server({ bucket: "films" });
      model = await startModelServer(procedureModel(PLACES));
      const folder = await tempFolder();
      const file = join(folder, "tea.mp4");
      await makeShuffled(file, PLACES.length);
      bytes = await readFile(file);
      hook = createServer((incoming, outgoing) => {
        const { "video-rrd-delivery": id, "video-rrd-event": event } = incoming.headers;
        told.push({ id: String(id), event: String(event) });
        outgoing.end();
      });
      vi.stubEnv("HOOK_SECRET", "0123456789abcdef0123456789abcdef");
      flags = [
        ...["--store", address, "--blobs", "s3://films/x", "--blobs-endpoint", s3.url],
        ...[
          "--webhook",
          `${await listening(hook)}/`,
          "--webhook-secret-env",
          "HOOK_SECRET",
          "--webhook-private",
        ],
      ];
    });
    afterAll(async () => {
      for (const { child } of replicas) child.kill("SIGKILL");
      vi.unstubAllEnvs();
      hook.close();
      await s3.close();
      await model.close();
    });

    test("chunks reach any of them, a question survives kill -9 of the one that answers, and is told of once", async () => {
      let random = 1;
      s3.fail(({ method }) => {
        random = (random * 48_271) % 2_147_483_647;
        if (random % 10 === 0) return { kind: "status", status: 503, code: "SlowDown" };
        if (random % 7 === 0 && method === "GET") return { kind: "slow", ms: 20 };
        return undefined;
      });
      const good = procedureModel(PLACES);
      model.answer(async (request) => {
        const text = String(await good(request));
        return stepOf(request) === "order" ? { text, delay_ms: 60_000 } : { text };
      });
      await Promise.all([start(), start()]);
      const proxy = await startProxy(() =>
        replicas.filter(({ child }) => child.exitCode === null && child.signalCode === null),
      );
      const any = client(proxy.url);
      const { id } = await any.json<UploadView>(201, "POST", "/api/v1/uploads", {
        name: "tea.mp4",
        size: bytes.length,
      });
      const size = Math.ceil(bytes.length / 5);
      for (let first = 0; first < bytes.length; first += size) {
        const chunk = bytes.subarray(first, first + size);
        const reply = await fetch(`${proxy.url}/api/v1/uploads/${id}`, {
          method: "PATCH",
          headers: {
            "content-type": "application/octet-stream",
            "content-range": `bytes ${first}-${first + chunk.length - 1}/${bytes.length}`,
          },
          body: new Uint8Array(chunk),
        });
        expect(await reply.json()).toMatchObject({ offset: first + chunk.length });
      }
      const asked = await any.ask(id, ASKED);
      await expect
        .poll(() => model.chats().some((chat) => stepOf(chat) === "order"), WAIT)
        .toBe(true);
      const pool = createPool(readPostgresAddress(address));
      const { rows } = await pool.send(
        "SELECT pid FROM processes JOIN asked ON asked.holder = processes.id WHERE asked.open = 1",
        [],
      );
      await pool.close();
      const killed = replicas.find(({ child }) => child.pid === Number(rows[0]?.pid));
      const other = replicas.find((one) => one !== killed);
      const seen: Event[] = [];
      const stream = (async () => {
        for await (const event of events(other?.url ?? "", asked.id)) seen.push(event);
      })();
      await expect
        .poll(() => seen.filter(({ type }) => type === "call").length, WAIT)
        .toBeGreaterThan(2);
      const sent = model.chats().length;
      model.answer(good);
      killed?.child.kill("SIGKILL");
      await stream;
      const ended = await any.json<QuestionView>(200, "GET", `/api/v1/questions/${asked.id}`);
      expect(ended).toMatchObject({ state: "answered", answer: { answer: rightOrder(PLACES) } });
      // Only the call in flight is repeated.
      expect(model.chats().slice(sent).map(stepOf)).toEqual(["order"]);
      expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, i) => i + 1));
      await expect
        .poll(() => told.map(({ event }) => event).sort(), WAIT)
        .toEqual(["question.answered", "video.ready"]);
      proxy.server.closeAllConnections();
      proxy.server.close();
    });

    test("one with an empty data folder decodes nothing and reads each object once; it ends what another one runs", async () => {
      const [one] = replicas.filter(({ child }) => child.signalCode === null);
      const [video] = (await one?.videos()) ?? [];
      const programs = await tempFolder();
      const { ffmpeg, ffprobe } = findPrograms();
      for (const [name, program] of Object.entries({ ffmpeg, ffprobe })) {
        const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${join(programs, "started")}\nexec ${program} "$@"\n`;
        await writeFile(join(programs, name), script);
        await chmod(join(programs, name), 0o755);
      }
      await mkdir(join(programs, "none"));
      vi.stubEnv("FFMPEG_PATH", programs);
      const three = await start();
      one?.child.kill("SIGTERM");
      expect(await one?.exit).toBe(0);
      s3.fail(() => undefined);
      s3.seen.length = 0;
      const calls = model.chats().length;
      const asked = await three.ask(video?.id ?? "", ASKED);
      expect(await three.ended(asked.id)).toMatchObject({ state: "answered" });
      expect(model.chats().length).toBe(calls);
      const started = (await readFile(join(programs, "started"), "utf8")).trim().split("\n");
      expect(started.filter((args) => !/^-(hide_banner -)?version|^-version/.test(args))).toEqual(
        [],
      );
      const read = s3.seen
        .filter(({ method, key }) => method === "GET" && key !== "")
        .map(({ key }) => key);
      expect(read.length).toBe(new Set(read).size);
      const range = await fetch(`${three.url}/api/v1/videos/${video?.id}/media`, {
        headers: { range: "bytes=3-9" },
      });
      expect([range.status, range.headers.get("content-range")]).toEqual([
        206,
        `bytes 3-9/${bytes.length}`,
      ]);

      const four = await start();
      model.answer(async () => ({ text: "A", delay_ms: 60_000 }));
      const settings = { strategy: "direct" };
      const open = await Promise.all(
        ["one", "two"].map((text) =>
          three.ask(video?.id ?? "", { text, options: ["x", "y"], settings }),
        ),
      );
      await expect.poll(() => model.chats().length, WAIT).toBe(calls + 2);
      for (const [index, { id }] of open.entries())
        await (index === 0 ? three : four).json(202, "POST", `/api/v1/questions/${id}/cancel`);
      for (const { id } of open) expect((await four.ended(id)).state).toBe("cancelled");
      await three.json(204, "DELETE", `/api/v1/videos/${video?.id}`);
      expect(await four.videos()).toEqual([]);
      expect([...s3.objects.keys()]).toEqual([]);
    });
  },
);
