import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Failure, isFailure } from "../../src/core/errors.ts";
import { createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { readSettings } from "../../src/core/settings.ts";
import { createEmbeddings } from "../../src/models/embeddings.ts";
import { deleteFile, getFile, uploadFile } from "../../src/models/providers/google-genai/files.ts";
import { findTarget } from "../../src/models/target.ts";
import { tempFolder } from "../support/temp.ts";
import { ask, BOTH, HASTY, memoryStore, rig, transcribe, VIDEO } from "./setup.ts";

/* A server that redirects, and the target of the redirect, which must get no request. */

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen() {
  const seen: { method: string; path: string; body: string }[] = [];
  const state = { answer: (() => {}) as Answer };
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "" } = request;
    seen.push({ method, path, body: await text(request) });
    state.answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, seen, state };
}

const near = await listen();
const far = await listen();
beforeEach(() => {
  near.seen.length = 0;
  far.seen.length = 0;
  far.state.answer = reply;
});

const REPLY = {
  choices: [{ message: { role: "assistant", content: "B" } }],
  candidates: [{ content: { parts: [{ text: "B" }] } }],
};
const reply: Answer = (_request, response) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(REPLY));

const redirect =
  (status: number, origin: string): Answer =>
  ({ url = "" }, response) =>
    response.writeHead(status, { location: `${origin}${url}` }).end();

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (isFailure(error)) return error;
  throw new Error(`not a Failure: ${String(error)}`);
}

const base_url = near.origin;
const signal = new AbortController().signal;
const gemini = findTarget("google-genai:gemini", { base_url });
const sending = { timeout_s: 20, signal, patience: HASTY };

function embedding(model: string) {
  const { embed } = createEmbeddings({
    store: memoryStore(),
    settings: readSettings({
      strategy: "agent",
      model: "openai:gpt-4.1",
      search: { embeddings: model },
      runtime: { base_url },
    }),
    emit: () => {},
    ledger: createLedger(NO_BUDGET),
    run: "run-1",
    patience: HASTY,
  });
  return embed(["a text"], { stage: "s", label: "l", video: VIDEO });
}

async function upload() {
  const path = join(await tempFolder(), "film.mp4");
  await writeFile(path, "a film");
  return uploadFile(gemini, { path, name: "files/a", mime: "video/mp4" }, sending);
}

const REQUESTS: [string, () => Promise<unknown>][] = [
  ...BOTH.map(({ model }): [string, () => Promise<unknown>] => [
    `a call of ${model}`,
    () => rig({ url: base_url }, model).models.call(ask(["a secret"])),
  ]),
  ["embeddings of OpenAI", () => embedding("openai:embedder")],
  ["embeddings of Gemini", () => embedding("google-genai:embedder")],
  ["a transcription", () => transcribe(base_url)],
  ["an upload", upload],
  ["a look at an upload", () => getFile(gemini, "files/a", sending)],
];

describe.each(REQUESTS)("%s", (_name, request) => {
  test.each([301, 302, 303, 307, 308])("does not follow %i to another origin", async (status) => {
    near.state.answer = redirect(status, far.origin);
    const failure = await failureOf(request());
    expect(failure.kind).toBe("model-rejected");
    expect(failure.message).toContain(near.origin);
    expect(failure.message).toContain(far.origin);
    expect(failure.facts).toMatchObject({ from: near.origin, to: far.origin });
    expect(near.seen).toHaveLength(1);
    expect(far.seen).toEqual([]);
  });
});

test("the deletion of an upload is not redirected", async () => {
  near.state.answer = redirect(307, far.origin);
  await expect(deleteFile(gemini, "files/a")).rejects.toThrow(far.origin);
  expect(far.seen).toEqual([]);
});

test("an upload is not sent to an address of another origin", async () => {
  near.state.answer = (_request, response) =>
    response.writeHead(200, { "x-goog-upload-url": `${far.origin}/upload?upload_id=1` }).end("{}");
  const failure = await failureOf(upload());
  expect(failure.facts).toMatchObject({ from: near.origin, to: far.origin });
  expect(far.seen).toEqual([]);
});

describe.each(BOTH)("$model", ({ model }) => {
  const asked = () => rig({ url: base_url }, model).models.call(ask(["What is it?"]));

  test.each([301, 302, 307, 308])("a %i within the origin repeats the request", async (status) => {
    near.state.answer = (request, response) =>
      request.url?.endsWith("?again")
        ? reply(request, response)
        : response.writeHead(status, { location: `${request.url}?again` }).end();
    expect(await asked()).toMatchObject({ status: "replied", reply: { text: "B" } });
    const [first, second] = near.seen;
    expect(near.seen).toHaveLength(2);
    expect(second).toEqual({ ...first, path: `${first?.path}?again` });
    expect(first?.body).toContain("What is it?");
  });

  test("a second redirect to another origin is not followed, and a circle ends soon", async () => {
    near.state.answer = (request, response) =>
      redirect(307, near.seen.length > 1 ? far.origin : "")(request, response);
    expect((await failureOf(asked())).facts.to).toBe(far.origin);
    expect(far.seen).toEqual([]);
    near.seen.length = 0;
    near.state.answer = redirect(307, "");
    expect((await failureOf(asked())).kind).toBe("model-unusable");
    expect(near.seen).toHaveLength(24);
  });

  test.each([
    ["//timeout.example/v1", "http://timeout.example"],
    ["https://127.0.0.1/v1", "https://127.0.0.1"],
    ["file:///etc/passwd", "file://"],
    ["http://me:secret@example.org/", "http://example.org"],
  ])("a redirect to %s names %s", async (location, to) => {
    near.state.answer = (_request, response) => response.writeHead(307, { location }).end();
    const failure = await failureOf(asked());
    expect(failure.facts).toMatchObject({ from: near.origin, to });
    expect(failure.message).not.toContain("secret");
  });

  test("a redirect cannot repeat the key", async () => {
    const key = findTarget(model, { base_url }).key;
    near.state.answer = (_request, response) =>
      response.writeHead(307, { location: `http://${key}.example/` }).end();
    const failure = await failureOf(asked());
    expect(JSON.stringify([failure.message, failure.facts]).toLowerCase()).not.toContain(
      key.toLowerCase(),
    );
  });
});
