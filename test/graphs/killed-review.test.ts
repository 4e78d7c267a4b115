import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { startModelServer } from "../support/model-server.ts";
import type { ReviewStep } from "../support/review-process.ts";
import { makeShuffled, procedureModel } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [3, 1, 6, 2, 7, 5, 4];

test("killed at call 5 and again while it waits for a person, a question of 8 calls stops at 8, and no event is twice", async () => {
  const folder = await tempFolder();
  const file = join(folder, "tea.mp4");
  await makeShuffled(file, PLACES.length);
  const model = procedureModel(PLACES);
  let replies = 0;
  await using server = await startModelServer((request) =>
    ++replies === 6 ? new Promise(() => undefined) : model(request),
  );
  const input = {
    video: file,
    question: { text: "In which order?", goal: "Make tea" },
    review: "evidence",
    settings: {
      ...{ strategy: "rrd", model: "openai:scripted" },
      recognition: { frames: 7, max_side: 64 },
      reasoning: { method: "merge-sort" },
      budget: { calls: 8 },
      runtime: { base_url: server.url, data: join(folder, "store"), max_connections: 1 },
    },
  };
  const checkpoints = join(folder, "checkpoints.sqlite");

  const first = start({ checkpoints, input });
  await vi.waitFor(() => expect(replies).toBe(6), 60_000);
  await kill(first);

  const second = start({ checkpoints, input: null });
  const paused = (await lineOf(second)) as { __interrupt__: { value: Paused }[] };
  await kill(second);
  expect(replies).toBe(8);
  const evidence = paused.__interrupt__.flatMap(({ value }) => value.evidence);
  expect(evidence.map(({ name }) => name)).toEqual(["E1", "E2", "E3", "E4", "E5", "E6", "E7"]);

  const corrections = evidence.map(({ id, name }) => ({
    ...{ do: "change", id, change: { text: `Seen by a person: ${name}.` } },
  }));
  const third = start({ checkpoints, input: null, resume: { corrections } });
  const { answer } = (await lineOf(third)) as { answer: Record<string, unknown> };
  await kill(third);
  expect(answer).toMatchObject({ limits_met: ["calls"], usage: { calls: 8, frames: 28 } });
  // The call that was in flight when the process was killed is sent again.
  expect(server.chats()).toHaveLength(9);
  expect(server.chats().at(-1)?.texts.join()).toMatch(/Seen by a person: E\d\./);

  const database = new DatabaseSync(join(folder, "store", "store.db"));
  const [run, ...others] = database.prepare("SELECT DISTINCT question FROM events").all();
  database.close();
  expect(others).toEqual([]);
  const store = await openStore(join(folder, "store"));
  const events = await store.events.after(String(run?.question), 0);
  await store.close();
  const calls = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
  expect(calls).toHaveLength(8);
  expect(new Set(calls.map(({ key }) => key)).size).toBe(8);
  expect(calls.every(({ cached }) => !cached)).toBe(true);
  const items = events.flatMap((event) => (event.type === "evidence" ? [event.item.id] : []));
  expect(new Set(items).size).toBe(items.length);
  const stages = events.flatMap((event) =>
    event.type === "stage" && event.state === "start" ? [event.stage] : [],
  );
  expect(stages).toEqual(["segment", "caption", "review", "order", "cite"]);
});

interface Paused {
  evidence: { id: string; name: string }[];
}

const script = fileURLToPath(new URL("../support/review-process.ts", import.meta.url));

function start(step: ReviewStep): ChildProcess {
  return spawn(process.execPath, [script, JSON.stringify(step)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, OPENAI_API_KEY: "sk-test" },
  });
}

async function lineOf({ stdout }: ChildProcess): Promise<unknown> {
  const [line] = await once(createInterface({ input: stdout as never }), "line");
  return JSON.parse(line as string);
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
