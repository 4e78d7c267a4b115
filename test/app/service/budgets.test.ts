import { join } from "node:path";
import { array, assert, asyncProperty, double, integer, record } from "fast-check";
import { expect, test } from "vitest";
import type { QuestionView } from "../../../src/app/service/api.ts";
import { addKey } from "../../../src/app/service/auth.ts";
import { createBudgets } from "../../../src/app/service/budgets.ts";
import { openStore } from "../../../src/storage/open.ts";
import { startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, startRig } from "./rig.ts";

const today = () => new Date().toISOString().slice(0, 10);

test("shares are equal, shrink by what is paid, and are returned", async () => {
  const store = await openStore(await tempFolder());
  const budgets = createBudgets(store.service);
  expect(await budgets.reserve("ann", "free", null, 3)).toBeNull();
  expect(await budgets.reserve("ann", "a", 6, 3)).toBeCloseTo(2);
  expect(await budgets.reserve("bob", "x", 8, 1)).toBeCloseTo(8);
  expect(await budgets.reserve("ann", "b", 6, 3)).toBeCloseTo(2);
  // The cost of `a` is spent and no longer reserved: the third share is unchanged.
  await budgets.spend("ann", "a", 1.5);
  expect(await budgets.unspent("ann", 6)).toBeCloseTo(4.5);
  expect(await budgets.reserve("ann", "c", 6, 3)).toBeCloseTo(2);
  await Promise.all(["a", "b", "c"].map(budgets.release));
  expect(await budgets.reserve("ann", "d", 6, 3)).toBeCloseTo(1.5);
  await store.close();
});

test("questions that pay no more than their shares never exceed the day's limit in any interleaving", async () => {
  const step = record({
    question: integer({ min: 0, max: 9 }),
    part: double({ min: 0, max: 1, noNaN: true }),
  });
  const store = await openStore(await tempFolder());
  let runs = 0;
  await assert(
    asyncProperty(
      array(step, { maxLength: 60 }),
      integer({ min: 1, max: 4 }),
      async (steps, concurrency) => {
        const owner = `owner ${runs++}`;
        const budgets = createBudgets(store.service);
        const shares = new Map<number, number>();
        const work: Promise<unknown>[] = [];
        for (const { question, part } of steps) {
          const id = String(question);
          const share = shares.get(question);
          if (share === undefined && shares.size < concurrency)
            shares.set(question, (await budgets.reserve(owner, id, 5, concurrency)) ?? NaN);
          else if (share !== undefined && part < 0.3) {
            work.push(budgets.release(id));
            shares.delete(question);
          } else if (share !== undefined) {
            work.push(budgets.spend(owner, id, share * part));
            shares.set(question, share * (1 - part));
          }
        }
        await Promise.all(work);
        expect(await budgets.unspent(owner, 5)).toBeGreaterThan(-1e-9);
      },
    ),
    { numRuns: 60 },
  );
  await store.close();
});

test("two questions of a key run at once, and none is refused before the day's money is spent", async () => {
  const server = await startModelServer(async (seen) => ({
    text: String(await procedureModel([2, 1])(seen)),
    delay_ms: 1000,
  }));
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const data = await tempFolder();
  const store = await openStore(data);
  const secret = await addKey(store.service, "ann", { in_flight: 3, cost_a_day: 5, bytes: null });
  const rig = await startRig({
    data,
    concurrency: 2,
    auth: { by: "keys" },
    settings: { model: "openai:gpt-4.1", strategy: "direct", runtime: { base_url: server.url } },
  });
  const ann = client(rig.url, { authorization: `Bearer ${secret}` });
  const path = `/api/v1/videos/${(await ann.upload(file)).id}/questions`;
  const ask = (goal: string) => ann.send("POST", path, { text: "In which order?", goal });
  const asked = await Promise.all(["Make tea", "Make jam", "Make do"].map(ask));
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
  await expect.poll(() => server.inFlight(), { timeout: 10_000 }).toBe(2);
  for (const response of asked) {
    const { id } = (await response.json()) as QuestionView;
    const ended = await ann.ended(id);
    expect([ended.state, ended.answer?.limits_met ?? []]).toEqual(["answered", []]);
  }
  expect(server.maxInFlight()).toBe(2);
  await store.service.spend("ann", today(), 4.9, "a");
  const last = (await (await ask("Make haste")).json()) as QuestionView;
  expect((await ann.ended(last.id)).state).toBe("answered");
  await store.service.spend("ann", today(), 0.1, "b");
  const refused = await ask("Make waste");
  expect([refused.status, await refused.json()]).toEqual([
    429,
    expect.objectContaining({ kind: "cost-limit", detail: expect.stringContaining("spent") }),
  ]);
  await rig.stop();
  await store.close();
  await server.close();
});

test("questions of one key with a hanging model leave a slot to another key", async () => {
  const server = await startModelServer(({ texts }) => ({
    text: "B",
    delay_ms: texts.join().includes("hang") ? 60_000 : 0,
  }));
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const data = await tempFolder();
  const store = await openStore(data);
  const none = { in_flight: null, cost_a_day: null, bytes: null };
  const secrets = [
    await addKey(store.service, "mallory", none),
    await addKey(store.service, "ann", none),
  ];
  await store.close();
  const rig = await startRig({
    data,
    concurrency: 4,
    auth: { by: "keys" },
    settings: { model: "openai:gpt-4.1", strategy: "blind", runtime: { base_url: server.url } },
  });
  const [mallory, ann] = secrets.map((secret) =>
    client(rig.url, { authorization: `Bearer ${secret}` }),
  ) as [ReturnType<typeof client>, ReturnType<typeof client>];
  const options = ["Rain", "Snow"];
  const theirs = await mallory.upload(file);
  for (let i = 0; i < 8; i++) await mallory.ask(theirs.id, { text: `Do you hang? ${i}`, options });
  await expect.poll(() => server.inFlight(), { timeout: 10_000 }).toBe(3);
  const { id } = await ann.ask((await ann.upload(file)).id, { text: "What falls?", options });
  expect((await ann.ended(id)).answer?.answer).toBe("B");
  expect(server.inFlight()).toBe(3);
  await rig.stop();
  await server.close();
});

test("the operator's limits are ceilings that a request can only lower", async () => {
  const server = await startModelServer(procedureModel([2, 1]));
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const rig = await startRig({
    settings: {
      model: "openai:scripted",
      strategy: "direct",
      budget: { calls: 0 },
      runtime: { base_url: server.url },
    },
  });
  const { id } = await rig.upload(file);
  const ask = (budget: object) =>
    rig.send("POST", `/api/v1/videos/${id}/questions`, {
      text: "In which order?",
      goal: "Make tea",
      settings: { budget },
    });
  for (const calls of [100_000, null, 1]) {
    const refused = await ask({ calls });
    expect([calls, refused.status]).toEqual([calls, 422]);
    const { detail } = (await refused.json()) as { detail: string };
    expect(detail).toBe(
      "Invalid budget.calls: the operator's limit is 0. Use a number from 0 to 0.",
    );
  }
  expect((await ask({ expected_output: 1 })).status).toBe(422);
  const lower = await ask({ calls: 0, frames: 3 });
  expect(lower.status).toBe(202);
  const ended = await rig.ended(((await lower.json()) as QuestionView).id);
  expect(ended.answer?.limits_met).toEqual(["calls"]);
  expect(server.chats()).toEqual([]);
  await rig.stop();
  await server.close();
});

test("a model without a price is refused under a limit of dollars, unless the operator allows it", async () => {
  const server = await startModelServer(procedureModel([2, 1]));
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  const settings = {
    model: "openai:unpriced",
    strategy: "direct",
    budget: { cost: 1 },
    runtime: { base_url: server.url },
  };
  const asked = { text: "In which order?", goal: "Make tea" };
  const strict = await startRig({ settings });
  const { id } = await strict.upload(file);
  expect(await strict.json(422, "POST", `/api/v1/videos/${id}/questions`, asked)).toMatchObject({
    kind: "unpriced-model",
    detail: expect.stringContaining("openai:unpriced has no price"),
  });
  await strict.stop();
  const loose = await startRig({ settings, data: strict.data, allow_unpriced: true });
  const ended = await loose.ended((await loose.ask(id, asked)).id);
  expect(ended.answer?.answer).toEqual([2, 1]);
  await loose.stop();
  await server.close();
});
