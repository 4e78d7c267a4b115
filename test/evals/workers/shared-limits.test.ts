import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { startRun } from "../../../evals/run/run.ts";
import { openStore } from "../../../src/storage/open.ts";
import { startModelServer } from "../../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { knowing, mmrData, refusal } from "../run/run-fixtures.ts";
import { endWorkers, startWorker } from "./fleet.ts";

/** Each reply costs $0.01 by these prices and counts. */
const EACH = 0.01;
const server = await startModelServer(async (request) => ({
  text: String(await knowing(request)),
  usage: { input: 1000, output: 0 },
}));
afterAll(() => server.close());

describe.skipIf(postgresPrograms() === null && !process.env.CI)("two workers", () => {
  afterEach(endWorkers);

  test("keep to the rate and the total cost of the run that they answer", async () => {
    const address = (await startPostgres()).address("limits");
    const root = await tempFolder();
    const data = await mmrData(1, 16);
    const prices = join(root, "prices.yaml");
    await writeFile(prices, '"openai:scripted": { input: 10, output: 0 }\n');
    const flags = ["--store", address, "--data-dir", "store", "--concurrency", "4"];
    await Promise.all([startWorker(root, flags), startWorker(root, flags)]);
    const store = await openStore(join(root, "store"), address);
    const rate = { requests_per_minute: 180 };
    const failure = await refusal(
      startRun(
        {
          ...{ benchmark: "mmr-v", data, strategy: "direct", model: "openai:scripted" },
          ...{ workers: "remote", total_cost_limit: 10 * EACH },
          recognition: { frames: 2, max_side: 64 },
          runtime: { base_url: server.url, data: join(root, "store"), prices, ...rate },
        },
        join(root, "run"),
        { store },
      ),
    );
    await store.close();
    expect(failure).toMatchObject({ kind: "limit-met" });
    const sent = server.chats();
    // Calls in flight may cost more than was reserved for them.
    expect(sent.length).toBeGreaterThanOrEqual(10);
    expect(sent.length).toBeLessThan(16);
    // Three a second after a burst of three; the first requests of a process may leave late.
    const took_s = ((sent.at(-1)?.at ?? 0) - (sent[0]?.at ?? 0)) / 1000;
    expect(took_s).toBeGreaterThan((sent.length - 3) / 3 - 1.5);
  });
});
