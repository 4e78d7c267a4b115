import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPaid } from "../../../evals/run/paid-log.ts";
import { resumeRun, startRun } from "../../../evals/run/run.ts";
import { resumeSweep, startSweep } from "../../../evals/sweep/sweep.ts";
import { readSweep } from "../../../evals/sweep/sweep-settings.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { joinSharedCap } from "../../../src/core/shared-cap.ts";
import { openStore } from "../../../src/storage/open.ts";
import { startModelServer } from "../../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, mmrData, refusal } from "./run-fixtures.ts";

/** Each reply costs $0.01 by these prices and counts. */
const EACH = 0.01;
const server = await startModelServer(async (request) => ({
  text: String(await knowing(request)),
  usage: { input: 1000, output: 0 },
}));
afterAll(() => server.close());

describe.skipIf(postgresPrograms() === null && !process.env.CI)("on PostgreSQL", () => {
  let store: Store;
  let root: string;
  beforeAll(async () => {
    root = await tempFolder();
    store = await openStore(join(root, "store"), (await startPostgres()).address("total"));
    afterAll(() => store.close());
  });

  const input = async (frames: number, more: object = {}) => {
    const prices = join(root, "prices.yaml");
    await writeFile(prices, '"openai:scripted": { input: 10, output: 0 }\n');
    return {
      ...{ benchmark: "mmr-v", data: await mmrData(1, 4), strategy: "direct" },
      ...{ model: "openai:scripted", recognition: { frames, max_side: 64 }, max_samples: 1 },
      runtime: { base_url: server.url, data: join(root, "store"), prices, max_connections: 1 },
      ...more,
    };
  };

  test("a run stops at a limit that other processes have used up, and continues with a higher one", async () => {
    const folder = join(root, "run");
    const limited = await input(4, { total_cost_limit: 2.5 * EACH });
    expect((await refusal(startRun(limited, folder, { store }))).message).toContain(
      "0.0200 is paid",
    );
    const { run } = JSON.parse(await readFile(join(folder, "header.json"), "utf8"));
    // Another process pays too, which the folder does not know.
    const theirs = await joinSharedCap(store, run);
    await (await theirs.reserve(0.5 * EACH)).settle(10 * EACH);
    const changes = { total_cost_limit: 12.5 * EACH };
    expect((await refusal(resumeRun(folder, changes, { store }))).message).toContain("limit");
    expect(server.chats()).toHaveLength(2);
    const { progress } = await resumeRun(folder, { total_cost_limit: 1 }, { store });
    expect(progress.done).toBe(4);
    expect(await readPaid(folder)).toBeCloseTo(4 * EACH, 9);
    expect((await store.spending?.read(run))?.spent).toBeCloseTo(14 * EACH, 9);
  });

  test("a sweep shares its limit; without the files of its runs, the database knows what was paid", async () => {
    server.reset();
    const folder = join(root, "sweep");
    const base = await input(2);
    const sweep = readSweep({ base, axes: { frames: [2, 3] }, total_cost_limit: 5.5 * EACH });
    const failure = await refusal(startSweep(sweep, folder, { store }));
    expect(failure.message).toMatch(
      /^The sweep stopped at --total-cost-limit 0\.055, in 2-.*after paying \$0\.0500\./,
    );
    const [first, second] = sweep.cells.map(({ name }) => join(folder, name)) as [string, string];
    await rm(join(first, "paid.jsonl"));
    await rm(join(second, "paid.jsonl"));
    expect(await refusal(resumeSweep(folder, {}, { store }))).toMatchObject({ kind: "limit-met" });
    expect(server.chats()).toHaveLength(5);
    // The limit of the sweep does not hold for a run that is continued on its own.
    expect((await resumeRun(second, {}, { store })).progress.done).toBe(4);
    expect(server.chats()).toHaveLength(8);
  });
});
