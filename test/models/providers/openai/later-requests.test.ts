import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { ask, memoryStore, rig } from "../../setup.ts";

/* OpenAI's client sends the first request; later ones are sent like it, and must be the same on the wire. */

interface Seen {
  request: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}
let seen: Seen[] = [];
let answer: (place: number) => { status: number; body: string } = () => COMPLETION;

const COMPLETION = {
  status: 200,
  body: JSON.stringify({
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "{}" } }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  }),
};

const server = createServer(async (request, response) => {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  const { method, url, headers } = request;
  seen.push({ request: `${method} ${url}`, headers, body: JSON.parse(text) });
  const { status, body } = answer(seen.length);
  response.writeHead(status, { "content-type": "application/json" }).end(body);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
afterAll(() => server.close());
beforeEach(() => {
  seen = [];
  answer = () => COMPLETION;
});

let opens = 0;
/** With a client of its own: they are kept by the names of models. */
const opened = (more: { signal?: AbortSignal } = {}) =>
  rig({ url }, `openai:served${++opens}`, { store: memoryStore(), ...more }).models;

/** What reached the server, without what depends on the length of the question. */
const wire = ({ request, headers: { "content-length": _, ...headers }, body }: Seen) => ({
  request,
  headers,
  body: { ...body, messages: undefined },
});

test("later requests have the address, headers and members of the first", async () => {
  const models = opened();
  for (const question of ["one", "two", "three ✓"]) await models.call(ask([question]));
  const [first, ...later] = seen;
  expect(later).toHaveLength(2);
  expect(first?.headers.authorization).toMatch(/^Bearer ./);
  for (const one of later) expect(wire(one)).toEqual(wire(first as Seen));
  expect(JSON.stringify(seen[2]?.body.messages)).toContain("three ✓");
});

test("a request with a schema stays with OpenAI's client and leaves no header behind", async () => {
  const models = opened();
  const schema = { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } };
  const withSchema = { extraBody: { response_format: schema } };
  await models.call(ask(["schema first"], withSchema));
  await models.call(ask(["plain"]));
  await models.call(ask(["plain again"]));
  await models.call(ask(["schema"], withSchema));
  const helpers = seen.map(({ headers }) => headers["x-stainless-helper-method"] !== undefined);
  expect(helpers).toEqual([true, false, false, true]);
});

test("a later request that fails is sent as often as a first one, and ends alike", async () => {
  const outcomes: unknown[] = [];
  for (const before of [0, 1]) {
    const models = opened();
    for (let i = 0; i < before; i++) await models.call(ask(["before"]));
    seen = [];
    answer = () => ({ status: 401, body: '{"error":{"message":"wrong key"}}' });
    const failed = await models.call(ask(["?"])).catch((error: unknown) => error);
    outcomes.push({ error: String(failed).replaceAll(/served\d+/g, "served"), sent: seen.length });
    answer = () => COMPLETION;
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
  expect(outcomes[0]).toMatchObject({ sent: 1 });
});

test("a later request that is aborted ends as aborted", async () => {
  const stop = new AbortController();
  const models = opened({ signal: stop.signal });
  await models.call(ask(["before"]));
  answer = () => {
    stop.abort();
    return COMPLETION;
  };
  await expect(models.call(ask(["?"]))).rejects.toMatchObject({ kind: "cancelled" });
  expect(seen).toHaveLength(2);
});
