import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RunLine } from "../../../evals/run/run-folder.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { runCli } from "../../support/command-line.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import {
  type PostgresServer,
  postgresPrograms,
  startPostgres,
} from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, mmrData } from "../run/run-fixtures.ts";
import { endWorkers, startWorker } from "./fleet.ts";

const VIDEOS = 2;
const QUESTIONS = 6;

describe.skipIf(postgresPrograms() === null && !process.env.CI)("eval --workers remote", () => {
  let postgres: PostgresServer;
  let server: ModelServer;
  let root: string;
  let data: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    server = await startModelServer(knowing);
    root = await tempFolder();
    data = await mmrData(VIDEOS, QUESTIONS);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.reset();
    server.answer(knowing);
  });
  afterEach(endWorkers);

  const asking = (out: string, ...more: string[]) => [
    ...["eval", "mmr-v", "--data", data, "--out", out, "--data-dir", `store-${out}`],
    ...["--model", "openai:scripted", "--base-url", server.url, "--max-connections", "2"],
    ...["--strategy", "direct", "--frames", "2", "--max-side", "64", ...more],
  ];
  const remote = (name: string) => ["--workers", "remote", "--store", postgres.address(name)];
  const worker = (name: string, ...more: string[]) =>
    startWorker(root, ["--store", postgres.address(name), "--data-dir", `store-${name}`, ...more]);
  const linesOf = async (folder: string) =>
    (await openRunLog(join(root, folder)).read()).samples as RunLine[];
  /** Lines without what differs from run to run. */
  const facts = async (folder: string) =>
    (await linesOf(folder))
      .map(({ started_at: _, seconds: _s, time: _t, calls, ...line }) => ({
        ...line,
        calls: calls.map(({ seconds: _c, model_s: _m, ...call }) => call),
      }))
      .sort((a, b) => (a.sample < b.sample ? -1 : 1));

  test("two workers answer a run, which ends as a local one", async () => {
    await Promise.all([worker("equal"), worker("equal")]);
    const done = await runCli(root, asking("shared", ...remote("equal")));
    expect(done).toMatchObject({ code: 0 });
    expect(server.chats()).toHaveLength(VIDEOS * QUESTIONS);
    expect((await runCli(root, asking("alone"))).code).toBe(0);
    expect(await facts("shared")).toEqual(await facts("alone"));
    const header = async (folder: string) =>
      JSON.parse(await readFile(join(root, folder, "header.json"), "utf8")) as Record<
        string,
        unknown
      >;
    const [shared, alone] = [await header("shared"), await header("alone")];
    expect(shared).toMatchObject({ status: "finished", workers: "remote" });
    expect(shared.settings_hash).toEqual(alone.settings_hash);
  });
});
