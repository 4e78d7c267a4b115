import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Event } from "../../../src/core/events.ts";
import { providers } from "../../../src/models/define-provider.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { events, startRig } from "./rig.ts";

const EMBEDDER = "openai:text-embedding-3-small";
/** The default for embeddings is taken only at the provider's own address, so that is where the server has to be. */
const own = (providers.get("openai") as { server?: { home: string } }).server ?? { home: "" };
const { home } = own;
let server: ModelServer;
let film: string;
let data: string;
let asked = 0;

beforeAll(async () => {
  server = await startModelServer(() => "");
  film = await composeFilm(await tempFolder());
  data = await tempFolder();
  own.home = server.url;
});
afterAll(async () => {
  own.home = home;
  await server.close();
});
beforeEach(() => {
  server.reset();
  vi.stubEnv("OPENAI_API_KEY", "a-key-of-the-test");
  vi.stubEnv("OPENAI_BASE_URL", undefined);
});

/** Asks the strategy that searches, over HTTP, and returns the notes of the search. */
async function search(models: string[], given: object = {}) {
  const play = agentTurns([call("answer", { answer: "B", evidence: ["E1"] })]);
  server.answer((request) => (request.kind === "embeddings" ? {} : play(request)));
  const settings = { model: "openai:scripted", recognition: { ocr: "off" } };
  const rig = await startRig({ settings, models, data });
  try {
    const { id } = await rig.upload(film);
    const { id: question } = await rig.ask(id, {
      text: `What is the green part of the screen? (${++asked})`,
      options: ["A wall", "A signal"],
      settings: { strategy: "agent", ...given },
    });
    expect(await rig.ended(question)).toMatchObject({
      state: "answered",
      answer: { status: "answered", answer: "B" },
    });
    const told: Event[] = [];
    for await (const event of events(rig.url, question)) told.push(event);
    const notes = told.flatMap((event) => (event.type === "note" ? [event.text] : []));
    return notes.filter((text) => text.startsWith("Searching"));
  } finally {
    await rig.stop();
  }
}

const embedded = () => server.requests.filter(({ kind }) => kind === "embeddings");

test("a provider's default for embeddings is not called if it is not allowed, and the answer says so", async () => {
  const searching = `Searching by words only. ${EMBEDDER} is not among the allowed models (--allow-model).`;
  expect(await search(["openai:other"])).toEqual([searching]);
  expect(await search([], { "search.embeddings": null })).toEqual([searching]);
  expect(embedded()).toHaveLength(0);
  expect(server.chats().length).toBeGreaterThan(0);
});

test("it is called if it is allowed", async () => {
  expect(await search([EMBEDDER])).toEqual([]);
  expect(embedded().length).toBeGreaterThan(0);
});
