import { afterAll, beforeEach, expect, test } from "vitest";
import { startModelServer } from "../../../support/model-server.ts";
import { ask, memoryStore, rig } from "../../setup.ts";

/* Replies of compatible servers that OpenAI's client would refuse or misread. */

const server = await startModelServer(() => "A");
afterAll(() => server.close());
beforeEach(() => server.reset());

async function replyTo(reply: object, store = memoryStore()) {
  server.answer(() => reply);
  const result = await rig(server, "openai:served", { store }).models.call(ask(["?"]));
  if (result.status !== "replied") throw new Error(`no reply: ${result.status}`);
  return result.reply;
}

const completion = (content: unknown) => ({
  body: JSON.stringify({
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  }),
});

test.each(["text/plain", "application/octet-stream", "text/html; charset=utf-8", ""])(
  "a completion of the content type %j is a completion",
  async (type) => {
    const headers = { "content-type": type };
    const reply = await replyTo({ ...completion("Answer: B"), headers });
    expect(reply).toMatchObject({ text: "Answer: B", finish: "stop", tokens: { input: 9 } });
    expect(server.chats()).toHaveLength(1);
  },
);

test.each([
  ["text/plain", "hello"],
  ["text/html", "<html></html>"],
  ["text/plain", "{ not JSON }"],
])("%s with %j is not a completion", async (type, body) => {
  await expect(replyTo({ body, headers: { "content-type": type } })).rejects.toMatchObject({
    kind: "model-unusable",
  });
});

test.each([
  [[{ type: "reasoning", text: null }]],
  [[{ type: "reasoning", text: "Perhaps A." }]],
  [[{ type: "thinking", thinking: [{ type: "text", text: "Perhaps A." }] }]],
])("of a list of parts after %j only the text is read", async (before) => {
  const reply = await replyTo(completion([...before, { type: "text", text: "Answer: B" }]));
  expect(reply).toMatchObject({ text: "Answer: B", finish: "stop" });
});

test.each([
  { code: "content_filter", message: "The response was filtered" },
  { code: "400", innererror: { code: "ResponsibleAIPolicyViolation" }, message: "filtered" },
])("a prompt that a filter refuses is a refusal: %j", async (error) => {
  const reply = await replyTo({ status: 400, body: JSON.stringify({ error }) });
  expect(reply).toMatchObject({
    ...{ finish: "refused", text: "content_filter", estimated: true },
    tokens: { input: 1, output: 0 },
  });
  expect(server.chats()).toHaveLength(1);
});

test("another error 400 is no refusal", async () => {
  const error = { code: "invalid_image", message: "content_filter of the image is invalid" };
  await expect(replyTo({ status: 400, body: JSON.stringify({ error }) })).rejects.toMatchObject({
    kind: "model-rejected",
  });
});
