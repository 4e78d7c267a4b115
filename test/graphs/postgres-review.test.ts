import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startModelServer } from "../support/model-server.ts";
import { postgresPrograms, startPostgres } from "../support/postgres-server.ts";
import type { ReviewStep } from "../support/review-process.ts";
import { makeShuffled, procedureModel, rightOrder } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const PLACES = [2, 3, 1];
const script = fileURLToPath(new URL("../support/review-process.ts", import.meta.url));

test.skipIf(postgresPrograms() === null && !process.env.CI)(
  "a question that waits for a person continues in another process, with threads and store in PostgreSQL",
  async () => {
    const folder = await tempFolder();
    const file = join(folder, "tea.mp4");
    const [postgres] = await Promise.all([startPostgres(), makeShuffled(file, PLACES.length)]);
    await using server = await startModelServer(procedureModel(PLACES));
    const input = {
      video: file,
      question: { text: "In which order?", goal: "Make tea" },
      review: "evidence",
      settings: {
        ...{ strategy: "rrd", model: "openai:scripted" },
        recognition: { frames: 3, max_side: 64 },
        runtime: { base_url: server.url, data: join(folder, "store") },
      },
    };
    const address = postgres.address("review");
    const run = (step: Omit<ReviewStep, "checkpoints">) => {
      const argument = JSON.stringify({ ...step, checkpoints: address.replace(/&schema=.*/, "") });
      const child = spawn(process.execPath, [script, argument], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, OPENAI_API_KEY: "sk-test", VIDEO_RRD_STORE: address },
      });
      return lineAndKill(child);
    };

    const paused = await run({ input });
    expect(paused).toMatchObject({ __interrupt__: [{ value: { evidence: [{}, {}, {}] } }] });
    const asked = server.chats().length;
    const done = await run({ input: null, resume: { corrections: [] } });
    expect(done).toMatchObject({ answer: { answer: rightOrder(PLACES) } });
    expect(new Set(server.chats().map(({ hash }) => hash)).size).toBe(server.chats().length);
    expect(server.chats().length).toBeGreaterThan(asked);
  },
);

/** The first line that a process prints. */
async function lineAndKill(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit");
  const line = once(createInterface({ input: child.stdout as never }), "line");
  const [text] = (await Promise.race([line, ended])) as unknown[];
  child.kill("SIGKILL");
  await ended;
  return JSON.parse(String(text));
}
