import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { knowing, mmrData } from "../../evals/run/run-fixtures.ts";
import { runCli, runCommand } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { serveCommand } from "../service/served.ts";

describe.skipIf(postgresPrograms() === null && !process.env.CI)("--store postgres", () => {
  let postgres: PostgresServer;
  let server: ModelServer;
  let root: string;
  let data: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    server = await startModelServer(knowing);
    root = await tempFolder();
    data = await mmrData(2, 4);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.reset();
    server.answer(knowing);
  });
  afterEach(() => {
    delete process.env.VIDEO_RRD_STORE;
  });

  /** The address of a store with a password, which the server does not ask for. */
  const address = (name: string) => postgres.address(name).replace("@", ":do-not-show@");
  const asking = (out: string) => [
    ...["eval", "mmr-v", "--data", data, "--out", out, "--data-dir", `store-${out}`],
    ...["--model", "openai:scripted", "--base-url", server.url, "--max-connections", "2"],
    ...["--strategy", "direct", "--frames", "2", "--max-side", "64"],
  ];
  const facts = async (folder: string) =>
    ((await openRunLog(join(root, folder)).read()).samples as RunLine[])
      .map(({ sample, reply, answer, scores, cites }) => ({ sample, reply, answer, scores, cites }))
      .sort((a, b) => (a.sample < b.sample ? -1 : 1));

  test("an evaluation that is killed resumes on PostgreSQL, and ends as one on SQLite does", async () => {
    server.answer(async (request) => ({ text: String(await knowing(request)), delay_ms: 100 }));
    let pid = 0;
    const killed = runCli(root, [...asking("shared"), "--store", address("run")], (started) => {
      pid = started;
    });
    while (server.chats().length < 4) await sleep(5);
    process.kill(pid, "SIGKILL");
    expect((await killed).code).not.toBe(0);
    const before = server.chats().length;
    process.env.VIDEO_RRD_STORE = address("run");
    const resumed = await runCommand(root, ["eval", "--resume", "shared"]);
    expect(resumed).toMatchObject({ code: 0 });
    const sent = server.chats();
    expect(new Set(sent.map(({ hash }) => hash)).size).toBe(8);
    expect(sent.length).toBeLessThanOrEqual(8 + 2);
    expect(before).toBeGreaterThan(2);
    expect(existsSync(join(root, "store-shared", "store.db"))).toBe(false);
    for (const file of await readdir(join(root, "shared")))
      expect(await readFile(join(root, "shared", file), "utf8")).not.toContain("do-not-show");

    delete process.env.VIDEO_RRD_STORE;
    server.answer(knowing);
    expect((await runCommand(root, asking("alone"))).code).toBe(0);
    expect(await facts("shared")).toEqual(await facts("alone"));
  });

  test("a service on PostgreSQL continues its question after kill -9", async () => {
    const folder = await tempFolder();
    const store = ["--store", address("service")];
    server.answer(async () => ({ text: "B", delay_ms: 60_000 }));
    const one = await serveCommand(folder, server.url, store);
    const { id } = await one.upload(join(data, "videos", "v0.mp4"));
    const settings = { strategy: "direct" };
    const asked = await one.ask(id, { text: "Which?", options: ["x", "y"], settings });
    await expect.poll(() => server.chats().length, { timeout: 60_000 }).toBe(1);
    one.child.kill("SIGKILL");
    await one.exit;
    server.answer(async () => "[[B]]");
    const two = await serveCommand(folder, server.url, store);
    expect(await two.ended(asked.id)).toMatchObject({ state: "answered", answer: { answer: "B" } });
    two.child.kill("SIGTERM");
    expect(await two.exit).toBe(0);
    expect(`${one.said()}${two.said()}`).not.toContain("do-not-show");
    expect(existsSync(join(folder, "store.db"))).toBe(false);
  });
});
