import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { grey, meanColour, startModelServer } from "./model-server.ts";
import { tempFolder } from "./temp.ts";

const server = await startModelServer(({ kind, texts }) =>
  kind === "transcription"
    ? { text: "hello there", segments: [{ start: 0, end: 1.5, text: "hello there" }] }
    : { text: `you said ${texts[0] ?? "nothing"}`, usage: { input: 3, output: 4 } },
);
afterAll(() => server.close());

const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });

test("a client that streams gets events, the usage last", async () => {
  const { ChatOpenAI } = await import("@langchain/openai");
  const model = new ChatOpenAI({
    model: "any",
    apiKey: "k",
    configuration: { baseURL: server.url },
  });
  let text = "";
  let total = 0;
  for await (const chunk of await model.stream("one two")) {
    text += chunk.text;
    total += chunk.usage_metadata?.total_tokens ?? 0;
  }
  expect(text).toBe("you said one two");
  expect(total).toBe(7);
});

test("embeddings are near for texts that share words", async () => {
  const reply = await post("/embeddings", { model: "e", input: ["red car", "a red car", "milk"] });
  const { data } = (await reply.json()) as { data: { embedding: number[] }[] };
  const dot = (a: number, b: number) =>
    (data[a]?.embedding ?? []).reduce((sum, x, i) => sum + x * (data[b]?.embedding[i] ?? 0), 0);
  expect(dot(0, 1)).toBeGreaterThan(0.7);
  expect(dot(0, 2)).toBeLessThan(0.3);
});

test("transcriptions take a file", async () => {
  const form = new FormData();
  form.set("model", "whisper-1");
  form.set("response_format", "verbose_json");
  form.set("file", new Blob(["sound"]), "a.wav");
  const reply = await fetch(`${server.url}/audio/transcriptions`, { method: "POST", body: form });
  expect(await reply.json()).toEqual({
    text: "hello there",
    segments: [{ start: 0, end: 1.5, text: "hello there" }],
  });
  expect(server.requests.at(-1)).toMatchObject({ model: "whisper-1", format: "verbose_json" });
  expect(server.requests.at(-1)?.audios[0]?.toString()).toBe("sound");
});

test("models are listed in both protocols", async () => {
  const listed = async (path: string) => (await fetch(`${server.url}${path}`)).json();
  expect(await listed("/models")).toMatchObject({ data: [{ id: "scripted" }] });
  expect(await listed("/v1beta/models")).toEqual({ models: [{ name: "models/scripted" }] });
});

test("images are measured", async () => {
  const image = await sharp({
    create: { width: 16, height: 16, channels: 3, background: { r: 250, g: 20, b: 20 } },
  })
    .png()
    .toBuffer();
  const [r, g, b] = await meanColour(image);
  expect([r, g, b].map(Math.round)).toEqual([250, 20, 20]);
  expect(await grey(image)).toBeLessThan(130);
});

test("alone in a process it answers by a script and writes down who asked", async () => {
  const folder = await tempFolder();
  const script = join(folder, "script.ts");
  const log = join(folder, "requests.jsonl");
  await writeFile(script, "export default ({ texts }) => ({ text: texts.join('+') });\n");
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL("model-server.ts", import.meta.url)), "--script", script, "--log", log],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
    const url = `${line.toString().trim()}/chat/completions`;
    const reply = await fetch(url, { method: "POST", body });
    expect(await reply.json()).toMatchObject({ choices: [{ message: { content: "hi" } }] });
    const entry = JSON.parse((await readFile(log, "utf8")).trim()) as Record<string, unknown>;
    expect(entry).toMatchObject({ index: 0, kind: "chat", model: "m", texts: ["hi"], images: [] });
  } finally {
    child.kill();
  }
});

test("Anthropic's protocol streams text, thinking and tool calls to its client", async () => {
  await using server = await startModelServer(() => ({
    text: "I look at it.",
    reasoning: "At 3 s.",
    toolCalls: [{ name: "look", arguments: { at_s: 3 } }],
    usage: { input: 11, output: 5, cached: 4 },
  }));
  const { ChatAnthropic } = await import("@langchain/anthropic");
  const model = new ChatAnthropic({
    model: "claude-x",
    apiKey: "k",
    anthropicApiUrl: server.url,
    maxRetries: 0,
  });
  let whole: Awaited<ReturnType<typeof model.invoke>> | undefined;
  for await (const piece of await model.stream("Where?")) whole = whole?.concat(piece) ?? piece;
  expect(whole?.text).toBe("I look at it.");
  expect(whole?.tool_calls).toMatchObject([{ name: "look", args: { at_s: 3 } }]);
  expect(whole?.contentBlocks).toContainEqual(
    expect.objectContaining({ type: "reasoning", reasoning: "At 3 s." }),
  );
  expect(whole?.usage_metadata).toMatchObject({
    input_tokens: 11,
    output_tokens: 5,
    input_token_details: { cache_read: 4 },
  });
  expect(server.requests[0]).toMatchObject({ protocol: "anthropic", stream: true });
});

test("Ollama's protocol replies in one piece if no stream is wanted", async () => {
  await using server = await startModelServer(() => ({
    text: "B it is.",
    usage: { input: 9, output: 2 },
  }));
  const response = await fetch(`${server.url}/api/chat`, {
    method: "POST",
    body: JSON.stringify({
      model: "llava",
      stream: false,
      messages: [{ role: "user", content: "Which?" }],
    }),
  });
  expect(await response.json()).toMatchObject({
    message: { role: "assistant", content: "B it is." },
    done: true,
    prompt_eval_count: 9,
    eval_count: 2,
  });
  expect(server.requests[0]).toMatchObject({
    protocol: "ollama",
    texts: ["Which?"],
    stream: false,
  });
});
