import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Failure, isFailure } from "../../src/core/errors.ts";
import { createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import { createEmbeddings } from "../../src/models/embeddings.ts";
import { deleteFile, getFile } from "../../src/models/providers/google-genai/files.ts";
import type { Patience } from "../../src/models/retry.ts";
import { findTarget } from "../../src/models/target.ts";
import { type Attack, startBombServer } from "../support/bomb-server.ts";
import { ask, BOTH, HASTY, memoryStore, rig, transcribe, VIDEO } from "./setup.ts";

const server = await startBombServer();
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
});

const ONCE: Patience = { ...HASTY, retries: 0 };
const SMALL = { max_reply_mb: 0.25 };
/** Sizes, whatever the encoding. */
const LARGE: Attack[] = [
  ...(["spaces", "1-GiB", "gzip", "deflate", "br", "gzip-of-gzip", "bad-request"] as const),
  "empty-gzips",
];

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (isFailure(error)) return error;
  throw new Error(`not a Failure: ${String(error)}`);
}

/** Every connection ends with its call. */
async function whenClosed(): Promise<void> {
  while (server.open() > 0) await sleep(5);
}

describe.each(BOTH)("$model", ({ model }) => {
  const asked = (attack: Attack, runtime: Record<string, unknown> = {}, patience = ONCE) =>
    rig({ url: server.url(attack) }, model, { runtime, patience }).models.call(ask(["?"]));

  test.each(LARGE)("%s: a reply above the limit is unusable, and reading stops", async (attack) => {
    const failure = await failureOf(asked(attack, SMALL));
    expect(failure.kind).toBe("model-unusable");
    expect(failure.message).toContain("larger than 0.25 MB (the limit of --max-reply-mb)");
    expect(server.seen).toEqual([attack]);
    await whenClosed();
  });

  test.each([
    ["headers", "more than 16 kB of headers"],
    ["nested", "nested more than 256 levels deep"],
    ["values", / values .--max-reply-mb/],
    ["arguments-text", / 256 kB of arguments|values/],
    ["arguments-object", / values .--max-reply-mb/],
    ["arguments-300-kB", "more than 256 kB of arguments"],
    ["arguments-nested", "nested more than 256 levels deep"],
    ["many-calls", "more than 256 tool calls"],
  ] as const)("%s: a reply with %s is unusable", async (attack, words) => {
    const failure = await failureOf(asked(attack));
    expect(failure.kind).toBe("model-unusable");
    expect(failure.message).toMatch(words);
  });

  test("an unusable reply is requested again three times", async () => {
    expect((await failureOf(asked("gzip", SMALL, HASTY))).kind).toBe("model-unusable");
    expect(server.seen).toHaveLength(4);
  });

  test("arguments below the limit arrive completely, and the operator can allow more headers", async () => {
    const called = await asked("arguments-200-kB");
    expect(called).toMatchObject({ status: "replied", reply: { finish: "tool-calls" } });
    if (called.status === "replied")
      expect(called.reply.toolCalls[0]?.arguments).toEqual({ words: "a".repeat(200_000) });
    const failure = await failureOf(asked("headers", { max_reply_header_kb: 256 }));
    expect(failure.message).not.toContain("of headers");
  });

  test("the time limit of a call covers a body that never ends", async () => {
    const failure = await failureOf(asked("slow", { call_timeout_s: 0.2 }, HASTY));
    expect(failure.kind).toBe("model-unreachable");
    expect(failure.message).toContain("no reply after 0.2 s");
    expect(server.seen).toHaveLength(3);
    await whenClosed();
  });
});

describe.each(["gzip", "slow"] as const)("%s: also", (attack) => {
  const base_url = server.url(attack);
  const expected = attack === "slow" ? "model-unreachable" : "model-unusable";
  const timeout_s = attack === "slow" ? 0.2 : 30;
  const signal = new AbortController().signal;

  test.each(["openai:embedder", "google-genai:embedder"])("embeddings of %s", async (name) => {
    const { embed } = createEmbeddings({
      store: memoryStore(),
      settings: readSettings({
        strategy: "agent",
        model: "openai:gpt-4.1",
        search: { embeddings: name },
        runtime: { base_url, call_timeout_s: timeout_s, ...SMALL },
      }),
      emit: () => {},
      ledger: createLedger(NO_BUDGET),
      run: "run-1",
      patience: ONCE,
    });
    const failure = await failureOf(embed(["a"], { stage: "s", label: "l", video: VIDEO }));
    expect(failure.kind).toBe(expected);
  });

  test("transcriptions", async () => {
    const runtime = { call_timeout_s: timeout_s, ...SMALL };
    const sent = transcribe(base_url, { runtime, patience: ONCE });
    expect((await failureOf(sent)).kind).toBe(expected);
  });

  test("files", async () => {
    const target = findTarget("google-genai:gemini", { base_url, ...SMALL });
    const sending = { timeout_s, signal, patience: ONCE };
    expect((await failureOf(getFile(target, "files/a", sending))).kind).toBe(expected);
    if (attack === "gzip") await expect(deleteFile(target, "files/a")).rejects.toThrow("0.25 MB");
  });
});

test("a process that meets all of them stays small and responsive", async () => {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("./bombed.ts", import.meta.url)), server.url("fine")],
    { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, OPENAI_API_KEY: "none" } },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    const start = await lines.next();
    expect(start.value).toBe("B");
    const before = await peakMegabytes(child);
    child.stdin.write("\n");
    const { kinds, longest_ms } = JSON.parse(String((await lines.next()).value)) as {
      kinds: Record<string, string>;
      longest_ms: number;
    };
    const after = await peakMegabytes(child);
    expect(new Set(Object.values(kinds))).toEqual(new Set(["model-unusable"]));
    expect(after - before).toBeLessThan(300);
    expect(longest_ms).toBeLessThan(3000);
  } finally {
    child.kill("SIGKILL");
  }
}, 60_000);

/** Peak memory of a process. */
async function peakMegabytes({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
