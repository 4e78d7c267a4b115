import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask, askInStore } from "../../../graphs/ask.ts";
import { indexVideo } from "../../../graphs/index-video.ts";
import { type QuestionInput, readQuestion } from "../../../graphs/read-question.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo } from "../../../tools/video/video.ts";
import { agentTurns, call, composeFilm, isSecondLook } from "../../support/agent-film.ts";
import {
  type ModelServer,
  type Script,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

/*
 * What outlives a call, a process and a question.
 */

const GREEN: QuestionInput = {
  text: "What fills the screen in the middle?",
  options: ["Green", "Red"],
};
const LATER: QuestionInput = {
  text: "When is the lawn in the picture?",
  options: ["At 12 s", "At 20 s"],
};

let server: ModelServer;
let folder: string;
let film: string;
let store: Store;
let stores = 0;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  film = await composeFilm(folder, "GATE 7");
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  store = await openStore(join(folder, `store-${++stores}`));
  return () => store.close();
});

type More = { search?: object; budget?: object; recognition?: object };

const settings = (more: More = {}) => ({
  strategy: "agent",
  model: "openai:scripted",
  recognition: { max_side: 160, ocr: "off" },
  runtime: { base_url: server.url },
  ...more,
  search: { cells: 4, ...more.search },
});

const askFilm = (asked: QuestionInput, more: More = {}, signal?: AbortSignal) =>
  ask(film, asked, { store, signal, settings: settings(more) });

const LOOKS = [
  call("view_frames", { from_s: 12, to_s: 14, count: 2 }),
  call("compare_frames", { times_s: [3, 13], seen: "A green lawn fills the picture." }),
  call("answer", { answer: "A", evidence: ["E7", "E8"], confidence: 0.8 }),
];

/** Plays `LOOKS` by how far the conversation has come, whichever process has it, and gives calls ids of their own. */
const playLooks: Script = (request) => {
  if (isSecondLook(request)) return "It shows.\nVerdict: supported";
  const turn = request.toolResults.length;
  const reply = LOOKS[turn] ?? {};
  return { toolCalls: (reply.toolCalls ?? []).map((one) => ({ ...one, id: `call_${turn}` })) };
};

const firstWords = () => server.chats()[0]?.texts.join("\n") ?? "";

/** Pictures whose tokens matter to a budget. */
const LARGE = { max_side: 512, ocr: "off" };

const kindsCited = ({ answer, evidence }: Awaited<ReturnType<typeof askFilm>>) =>
  evidence.items.filter(({ id }) => answer.cites.includes(id)).map(({ kind }) => kind);

test("a search stopped at the first, a later or the verifying call resumes and pays for no call twice", async () => {
  server.answer(playLooks);
  const whole = await askFilm(GREEN);
  const hashes = server.chats().map((request) => request.hash);
  expect(new Set(hashes).size).toBe(4);
  for (const stop of [1, 3, 4]) {
    await store.close();
    store = await openStore(join(folder, `stopped-${stop}`));
    server.reset();
    const abort = new AbortController();
    server.answer((request) => {
      if (server.chats().length === stop) abort.abort();
      return playLooks(request);
    });
    await expect(askFilm(GREEN, {}, abort.signal)).rejects.toMatchObject({ kind: "cancelled" });
    server.answer(playLooks);
    const { answer } = await askFilm(GREEN);
    // Only the call in flight at the stop may be sent again.
    expect(server.chats().length).toBeLessThanOrEqual(hashes.length + 1);
    expect([...new Set(server.chats().map((request) => request.hash))]).toEqual(hashes);
    expect(answer.cites).toEqual(whole.answer.cites);
    expect(answer.usage).toMatchObject({ calls: 4, frames: whole.answer.usage.frames });
  }
});

test("a repeated question sends nothing, and another store sends the same", async () => {
  server.answer(playLooks);
  const { answer } = await askFilm(GREEN);
  const sent = server.chats().map((request) => request.hash);
  const again = await askFilm(GREEN);
  expect(server.chats()).toHaveLength(sent.length);
  expect(again.answer).toEqual({ ...answer, usage: { ...answer.usage, paid: 0 } });
  await store.close();
  store = await openStore(join(folder, "another"));
  server.reset();
  server.answer(playLooks);
  await askFilm(GREEN);
  expect(server.chats().map((request) => request.hash)).toEqual(sent);
});

test("seen evidence is reused for the next question on the video until it is forgotten", async () => {
  server.answer(agentTurns(LOOKS));
  const { evidence } = await askFilm(GREEN);
  const seen = evidence.items.filter(({ kind }) => kind === "caption");
  expect(seen).toMatchObject([
    { text: "A green lawn fills the picture.", start_s: 12.4, end_s: 13.4, by: { who: "model" } },
  ]);
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "A", evidence: ["E1"] })]));
  const { answer } = await askFilm(LATER);
  expect(firstWords()).toMatch(/\[E\d+\] caption 12\.4 s .* to 13\.4 s .*: A green lawn/);
  expect(answer.diagnostics).toMatchObject({ recalled: 1 });

  server.reset();
  await askFilm({ ...LATER, text: "Where is the lawn?" }, { search: { recall: false } });
  expect(firstWords()).not.toContain("A green lawn");

  await store.forget(seen[0]?.video ?? "");
  server.reset();
  await askFilm({ ...LATER, text: "And where is the lawn?" });
  expect(firstWords()).not.toContain("A green lawn");
});

const ELEPHANT = "A purple elephant stands at the gate.";

test("a call without pictures cites no frame, and what it claims to see is not remembered", async () => {
  const answer = { answer: "A", evidence: ["E1", "E2"], seen: ELEPHANT };
  server.answer(agentTurns([call("answer", answer)]));
  const found = await askFilm(GREEN, { budget: { tokens: 1300 }, recognition: LARGE });
  const [only] = server.chats();
  expect(server.chats().map(({ images }) => images.length)).toEqual([0]);
  expect(only?.texts.join("\n")).toMatch(
    /\[E6\] frame at 3 s \(00:03\): \(left out to stay within the budget\)/,
  );
  expect(found.answer).toMatchObject({
    status: "answered",
    usage: { frames: 0 },
    diagnostics: { shown: 1, unknown_citations: ["E2"] },
  });
  expect(kindsCited(found)).toEqual(["subtitle"]);

  server.reset();
  server.answer(agentTurns([call("answer", { answer: "A", evidence: ["E1"] })]));
  const next = await askFilm({ text: "Is there an elephant at the gate?", options: ["Yes", "No"] });
  expect(firstWords()).not.toContain("purple");
  expect(next.answer.diagnostics).toMatchObject({ recalled: 0 });
});

test("frames left out of the last call are not cited after a resume, frames of an earlier call are", async () => {
  const more = { budget: { tokens: 4800 }, recognition: LARGE, search: { verify: false } };
  const turns = [
    call("view_frames", { from_s: 5, to_s: 25, count: 8 }),
    call("answer", { answer: "A", evidence: ["E8"] }),
    call("answer", { answer: "A", evidence: ["E6", "E8"] }),
  ];
  const abort = new AbortController();
  server.answer(({ toolResults }) => {
    if (toolResults.length === 2) abort.abort();
    return turns[toolResults.length] ?? "";
  });
  await expect(askFilm(GREEN, more, abort.signal)).rejects.toMatchObject({ kind: "cancelled" });
  server.reset();
  server.answer(({ toolResults }) => turns[toolResults.length] ?? "");
  const found = await askFilm(GREEN, more);
  expect(server.chats().map(({ images }) => images.length)).toEqual([0]);
  expect(firstWords()).toContain("What you were shown is E1, E2, E3, E4, E5, E6.");
  expect(kindsCited(found)).toEqual(["frame"]);
  expect(found.answer).toMatchObject({
    usage: { frames: 5 },
    diagnostics: { sent_back: ["uncited"], unknown_citations: ["E8"], shown: 6 },
  });
});

test("long words are remembered and shown without half a character at the cut", async () => {
  const lawn = "A green lawn fills the picture, ".padEnd(399, "x");
  const seen = `${lawn}🎉${"y".repeat(1598)}🎉 and more`;
  server.answer(agentTurns([call("answer", { answer: "A", evidence: ["E1"], seen })]));
  const { evidence } = await askFilm(GREEN);
  const [caption] = evidence.items.filter(({ kind }) => kind === "caption");
  expect(caption?.text).toBe(seen.slice(0, 1999));
  server.reset();
  await askFilm(LATER);
  expect(firstWords()).toContain(`: ${lawn}…\n`);
  expect(server.chats().every(({ texts }) => texts.every((words) => words.isWellFormed()))).toBe(
    true,
  );
});

test("evidence seen for one owner is not reused for another on the same file", async () => {
  const video = await openVideo(film, { store, run: "test" });
  const prompts = await loadPrompts(null);
  const askAs = (owner: string, asked: QuestionInput) =>
    askInStore({
      video,
      question: readQuestion(video.hash, asked),
      settings: readSettings(settings()),
      prompts,
      store,
      owner,
    });
  server.answer(agentTurns(LOOKS));
  await askAs("ann", GREEN);
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "A", evidence: ["E1"] })]));
  await askAs("bob", LATER);
  expect(firstWords()).not.toContain("A green lawn");
  server.reset();
  await askAs("ann", { ...LATER, text: "Where is the lawn?" });
  expect(firstWords()).toContain("A green lawn");
});

test("text that was read during a search is reused for the next question", async () => {
  const read = agentTurns([
    call("read_text", { at_s: 20 }),
    call("answer", { answer: "A", evidence: ["E1"] }),
  ]);
  server.answer(read);
  await askFilm(GREEN);
  server.reset();
  await askFilm({ text: "Which gate is it?", options: ["7", "9"] });
  expect(firstWords()).toMatch(/For the question:\n\[E1\] text 20 s \(00:20\): GATE 7/);
});

test("a search starts from the captions of an index", async () => {
  server.answer(() => "A field of grass, seen from above.");
  const work = { store, run: "index" };
  const video = await openVideo(film, work);
  await indexVideo(
    video,
    {
      model: "openai:scripted",
      recognition: { frames: 8, max_side: 160, ocr: "off" },
      runtime: { base_url: server.url },
    },
    work,
  );
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "A", evidence: ["E1"] })]));
  await askFilm({ ...LATER, text: "What is seen from above?" });
  expect(firstWords()).toMatch(/caption .*: A field of grass, seen from above\./);
  expect(server.chats().filter((request: SeenRequest) => !isSecondLook(request))).toHaveLength(1);
});

test("with embeddings texts are found by meaning, and each text is embedded once per question", async () => {
  const near = (words: string) => (/watch|observe/i.test(words) ? [1, 0] : [0, 1]);
  const play = agentTurns([
    call("search_evidence", { query: "observe" }),
    call("answer", { answer: "A", evidence: ["E1"] }),
  ]);
  server.answer((request) =>
    request.kind === "embeddings" ? { vectors: request.texts.map(near) } : play(request),
  );
  const asked = { text: "What must one observe?", options: ["A meadow", "A pond"] };
  await askFilm(asked, { search: { embeddings: "openai:meaning" } });
  const embedded = server.requests.filter(({ kind }) => kind === "embeddings");
  const texts = embedded.flatMap((request) => request.texts);
  expect(new Set(texts).size).toBe(texts.length);
  expect(firstWords()).toMatch(/For the question:\n\[E1\] subtitle 2 s .*Watch for the green part/);

  server.reset();
  server.answer((request) =>
    request.kind === "embeddings" ? { status: 404, text: "no such endpoint" } : play(request),
  );
  const { answer, events } = await askFilm(
    { ...asked, text: "And what must one observe?" },
    { search: { embeddings: "openai:elsewhere" } },
  );
  expect(answer.status).toBe("answered");
  const notes = events.filter(({ type }) => type === "note");
  expect(notes).toMatchObject([{ text: expect.stringMatching(/^Searching by words only\./) }]);
});
