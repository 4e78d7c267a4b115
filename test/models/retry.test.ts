import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { EventBody } from "../../src/core/events.ts";
import { AttemptError, type AttemptReply } from "../../src/models/attempt.ts";
import { type RetryOptions, withRetry } from "../../src/models/retry.ts";
import { findTarget } from "../../src/models/target.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, HASTY, rig } from "./setup.ts";

const REPLY: AttemptReply = { text: "B", finish: "stop", toolCalls: [], tokens: null };
const REFUSED = new AttemptError({ kind: "refused-connection" }, "ECONNREFUSED");

/** Attempts that end like this, the last for all that follow; returns how many were made. */
async function attemptsAt(
  base_url: string,
  ends: readonly (AttemptError | AttemptReply)[],
  options: RetryOptions = {},
): Promise<number> {
  let made = 0;
  const attempt = async () => {
    const end = ends[made] ?? ends.at(-1);
    made++;
    if (end === undefined || end instanceof AttemptError) throw end;
    return end;
  };
  const target = findTarget("openai:llava", { base_url });
  const { signal } = new AbortController();
  await withRetry(attempt, target, signal, { patience: HASTY, ...options }).catch(() => {});
  return made;
}

test("a server that was never reached is asked three times; one that answered before, eight times", async () => {
  const url = "http://127.0.0.1:2/v1";
  expect(await attemptsAt(url, [REFUSED])).toBe(3);
  expect(await attemptsAt(url, [REPLY])).toBe(1);
  expect(await attemptsAt("http://127.0.0.1:3/v1", [REFUSED])).toBe(3);
  expect(await attemptsAt(url, [REFUSED])).toBe(8);
  // Waited for in vain once: it is down.
  expect(await attemptsAt(url, [REFUSED])).toBe(3);
  const busy = new AttemptError({ kind: "status", status: 503, retryAfter_s: null }, "loading");
  expect(await attemptsAt(url, [busy, ...Array(5).fill(REFUSED), REPLY])).toBe(7);
});

test("a question survives that its model server restarts", async () => {
  const first = await startModelServer(() => "A");
  const { port } = new URL(first.url);
  const { models } = rig(first, "openai:gpt-4.1", {
    patience: { ...HASTY, pause: 20, longestPause: 200 },
  });
  await models.call(ask(["before"]));
  await first.close();
  const asked = models.call(ask(["after"]));
  await sleep(150);
  const second = await startModelServer(() => "B", { port: Number(port) });
  expect(await asked).toMatchObject({ status: "replied", reply: { text: "B" } });
  expect(second.chats()).toHaveLength(1);
  await second.close();
});

test("a pause of two seconds or more is told, with its reason", async () => {
  const server = await startModelServer(() => ({ status: 429, headers: { "retry-after": "30" } }));
  const stop = new AbortController();
  const told: EventBody[] = [];
  const { models } = rig(server, "openai:gpt-4.1", {
    patience: { ...HASTY, longestRetryAfter: 60_000 },
    signal: stop.signal,
    emit: (_stage, body) => {
      told.push(body);
      stop.abort();
    },
  });
  await expect(models.call(ask(["?"]))).rejects.toMatchObject({ kind: "cancelled" });
  const unit = `s of waiting before ${new URL(server.url).host} is asked again (status 429)`;
  expect(told[0]).toEqual({ type: "progress", done: 30, total: null, unit });
  await server.close();
});

test("a short pause is not told", async () => {
  const server = await startModelServer(({ index }) => (index === 0 ? { status: 503 } : "B"));
  const told: string[] = [];
  const { models } = rig(server, "openai:gpt-4.1", { emit: (_stage, { type }) => told.push(type) });
  await models.call(ask(["?"]));
  expect(told).toEqual(["call"]);
  await server.close();
});
