import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, expect, test } from "vitest";
import type { Event } from "../../src/core/events.ts";
import { openStore } from "../../src/storage/open.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import { ask, OPENAI_KEY, rig } from "./setup.ts";

const server = await startModelServer(() => "an answer");
afterAll(() => server.close());

const MODEL = "openai:gpt-4.1";
const QUESTION = "a question";
const moduleAt = (path: string) =>
  JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

/** A process that is killed when it learns that the reply of its call is stored. */
const killed = (folder: string) => `
  const { openStore } = await import(${moduleAt("../../src/storage/open.ts")});
  const { ask, rig } = await import(${moduleAt("setup.ts")});
  const store = await openStore(${JSON.stringify(folder)});
  const memo = {
    ...store.memo,
    async once(...step) {
      await store.memo.once(...step);
      process.kill(process.pid, "SIGKILL");
    },
  };
  const emit = (stage, body) =>
    void store.events.append(${JSON.stringify(QUESTION)}, stage, Date.now(), body);
  const { models } = rig(${JSON.stringify({ url: server.url })}, "${MODEL}", {
    store: { ...store, memo },
    emit,
  });
  await models.call(ask(["q"]));`;

test("a process that is killed once a reply is stored leaves the event of the call, with what was paid", async () => {
  const folder = await tempFolder();
  const args = ["--input-type=module", "-e", killed(folder)];
  const process = await execa("node", args, {
    env: { OPENAI_API_KEY: OPENAI_KEY },
    reject: false,
  });
  expect(process).toMatchObject({ signal: "SIGKILL", stderr: "" });
  const store = await openStore(folder);
  const paid = (events: readonly Event[]) =>
    events.map((event) => (event.type === "call" ? event.call.usage.paid : null));
  const events = await store.events.after(QUESTION, 0);
  expect(paid(events)).toEqual([expect.any(Number)]);
  expect(paid(events)[0]).toBeGreaterThan(0);

  const { models, calls } = rig(server, MODEL, { store });
  const result = await models.call(ask(["q"]));
  expect(result).toMatchObject({ status: "replied", cached: true });
  expect(calls).toMatchObject([{ cached: true, usage: { paid: 0 } }]);
  expect(server.chats()).toHaveLength(1);
  await store.close();
});
