import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seeded } from "../../src/core/random.ts";
import { events } from "../app/service/rig.ts";
import { serveCommand } from "../app/service/served.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel, rightOrder } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [4, 2, 5, 3, 1];
const QUESTIONS = 6;
const MOST_IN_FLIGHT = 4;
const FLAGS = ["--reasoning", "merge-sort", "--max-connections", String(MOST_IN_FLIGHT)];

let server: ModelServer;
let file: string;

beforeAll(async () => {
  server = await startModelServer(
    async (request) => ({ text: String(await procedureModel(PLACES)(request)), delay_ms: 250 }),
    { keep: "light" },
  );
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, PLACES.length);
});
afterAll(() => server.close());

test("a service that is killed repeatedly answers everything and bills only calls in flight again", async () => {
  const random = seeded("service kills");
  const data = await tempFolder();
  let service = await serveCommand(data, server.url, FLAGS);
  const { id } = await service.upload(file);
  // The title cards are found first, because that may take longer than the service lives below.
  const asked = [await service.ask(id, { text: "In which order?", goal: "Make ready" })];
  await service.ended(asked[0]?.id ?? "");
  for (let i = 0; i < QUESTIONS; i++)
    asked.push(await service.ask(id, { text: "In which order?", goal: `Make tea ${i}` }));
  let kills = 0;
  for (; kills < 25; kills++) {
    await sleep(200 + random() * 2_500);
    service.child.kill("SIGKILL");
    await service.exit;
    service = await serveCommand(data, server.url, FLAGS);
    const questions = await service.questions(id);
    expect(questions.map((one) => one.id)).toEqual(asked.map((one) => one.id));
    if (questions.every(({ state }) => state === "answered")) break;
  }
  for (const one of asked) {
    expect((await service.ended(one.id)).answer?.answer).toEqual(rightOrder(PLACES));
    const seen: number[] = [];
    for await (const { seq } of events(service.url, one.id)) seen.push(seq);
    expect(seen).toEqual(seen.map((_, i) => i + 1));
  }
  const sent = server.chats().length;
  const different = new Set(server.chats().map(({ hash }) => hash)).size;
  expect(kills).toBeGreaterThan(2);
  expect(sent).toBeLessThanOrEqual(different + kills * MOST_IN_FLIGHT);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});
