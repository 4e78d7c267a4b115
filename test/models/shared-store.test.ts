import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";
import { ask, BOTH, GOOGLE_KEY, OPENAI_KEY, rig } from "./setup.ts";

const CALLER = fileURLToPath(new URL("caller.ts", import.meta.url));
const COUNT = 12;

const server = await startModelServer(({ texts }) => ({
  text: `answer to ${texts[0]}`,
  delay_ms: 30,
}));
afterAll(() => server.close());
beforeEach(() => server.reset());

async function caller(folder: string, model: string, run: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    CALLER,
    folder,
    server.url,
    model,
    run,
    String(COUNT),
  ]);
  return JSON.parse(stdout) as { texts: string[]; sent: number };
}

const asked = () => server.chats().map(({ texts }) => texts[0] ?? "");
const answers = Array.from({ length: COUNT }, (_, index) => `answer to question ${index}`);

describe.each(BOTH)("$model", ({ model }) => {
  test("two processes pay once together, and a third pays nothing", async () => {
    const folder = await tempFolder();
    const both = await Promise.all([caller(folder, model, "one"), caller(folder, model, "two")]);
    expect(both.map(({ texts }) => texts)).toEqual([answers, answers]);
    expect(both.reduce((sum, { sent }) => sum + sent, 0)).toBe(COUNT);
    expect(asked().sort()).toEqual([...new Set(asked())].sort());
    expect(asked()).toHaveLength(COUNT);
    expect(await caller(folder, model, "three")).toEqual({ texts: answers, sent: 0 });
    expect(asked()).toHaveLength(COUNT);
  });
});

/** Steps that are written in a store that another process has open. */
function stepsIn(folder: string): number {
  try {
    const db = new DatabaseSync(join(folder, "store.db"), { readOnly: true });
    try {
      return Number(db.prepare("SELECT count(*) AS n FROM steps").get()?.n);
    } finally {
      db.close();
    }
  } catch {
    return 0; // the other process has not made it yet
  }
}

test("after a kill only calls in flight are billed again", async () => {
  const folder = await tempFolder();
  const model = "openai:gpt-4.1";
  const args = [CALLER, folder, server.url, model, "one", String(COUNT)];
  const child: ChildProcess = spawn(process.execPath, args, { stdio: "ignore" });
  const quick = ({ texts }: { texts: string[] }) => Number(texts[0]?.split(" ")[1]) % 2 === 0;
  server.answer((request) => ({
    text: `answer to ${request.texts[0]}`,
    delay_ms: quick(request) ? 5 : 60_000,
  }));
  await expect.poll(() => stepsIn(folder), { timeout: 60_000 }).toBe(COUNT / 2);
  child.kill("SIGKILL");
  await new Promise((done) => child.once("exit", done));

  server.reset();
  server.answer(({ texts }) => `answer to ${texts[0]}`);
  const { texts } = await caller(folder, model, "one");
  expect(texts).toEqual(answers);
  expect(server.chats().filter(quick)).toEqual([]);
  expect(asked()).toHaveLength(COUNT / 2);
});

test("no key is in any file of the store", async () => {
  const folder = await tempFolder();
  const store = await openStore(folder);
  for (const { model } of BOTH) {
    server.answer(() => "A");
    await rig(server, model, { store }).models.call(ask(["q"]));
    server.answer(() => ({ status: 400, text: `${OPENAI_KEY} ${GOOGLE_KEY}` }));
    await rig(server, model, { store })
      .models.call(ask(["p"]))
      .catch(() => undefined);
  }
  await store.close();
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    expect(bytes.includes(OPENAI_KEY), file.name).toBe(false);
    expect(bytes.includes(GOOGLE_KEY), file.name).toBe(false);
  }
});
