import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startModelServer } from "../../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { makeShuffled, procedureModel, rightOrder, stepOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { serveCommand } from "./served.ts";

const PLACES = [2, 3, 1];
const PATIENT = { timeout: 80_000 };
/** How PostgreSQL's client, its address and the advice for the operator show. */
const PRIVATE = /ENOENT|ECONNREFUSED|\.s\.PGSQL|postgres|--store/i;

describe.skipIf(postgresPrograms() === null && !process.env.CI)("without its database", () => {
  test("a question waits, tells callers nothing of the address, and continues without calls that were stored", async () => {
    const postgres = await startPostgres();
    const good = procedureModel(PLACES);
    const model = await startModelServer(async (request) => {
      const text = String(await good(request));
      return stepOf(request) === "order" ? { text, delay_ms: 3_000 } : { text };
    });
    const file = join(await tempFolder(), "tea.mp4");
    await makeShuffled(file, PLACES.length);
    const flags = ["--ocr", "off", "--store", postgres.address("away")];
    const service = await serveCommand(await tempFolder(), model.url, flags);
    const { id } = await service.upload(file);
    const asked = await service.ask(id, { text: "In which order?", goal: "Make tea" });
    const steps = () => model.chats().map(stepOf);
    await expect.poll(steps, PATIENT).toContain("order");
    await postgres.crash();
    // Each statement waits 30 s.
    expect(await service.json(503, "GET", `/api/v1/questions/${asked.id}`)).toMatchObject({
      detail: "The service cannot reach its storage at the moment. Try again later.",
    });
    // The reply comes 3 s after the crash, and is lost 30 s later.
    await setTimeout(6_000);
    const sent = steps().length;

    await postgres.start();
    expect(await service.ended(asked.id)).toMatchObject({
      ...{ state: "answered", failure: null, answer: { answer: rightOrder(PLACES) } },
    });
    // The reply that could not be stored.
    expect(steps().slice(sent)).toEqual(["order"]);
    const events = await (await service.send("GET", `/api/v1/questions/${asked.id}/events`)).text();
    expect(events).toContain("The question continues when the service can reach its storage.");
    expect(events).not.toMatch(PRIVATE);
    expect(service.said()).toContain("a question waits until the store accepts writes");
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
    await model.close();
  });
});
