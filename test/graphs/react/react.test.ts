import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { QuestionInput } from "../../../graphs/read-question.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { ANSWER_STATUS } from "../../../src/core/shapes.ts";
import { openStore } from "../../../src/storage/open.ts";
import { agentTurns, call, composeFilm, labelled, nameIn } from "../../support/agent-film.ts";
import {
  type ModelServer,
  type Reply,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

const ASKED: QuestionInput = {
  text: "Which colour fills the screen at 0:13?",
  options: ["Red", "Green"],
};

let server: ModelServer;
let store: Store;
let film: string;
let folder: string;

beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  film = await composeFilm(folder);
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

/** Replies are stored by request, so each test asks its own question. */
let asked = 0;

const askFilm = (
  settings: object = {},
  question: QuestionInput = ASKED,
  more: { file?: string; signal?: AbortSignal } = {},
) =>
  ask(
    more.file ?? film,
    { ...question, text: `${question.text} (${++asked})` },
    {
      store,
      signal: more.signal,
      settings: {
        strategy: "react",
        model: "openai:scripted",
        recognition: { max_side: 160, ocr: "off" },
        runtime: { base_url: server.url },
        ...settings,
      },
    },
  );

const look = (count: number) => call("view_frames", { from_s: 12, to_s: 14, count });
const wordsIn = (request: SeenRequest | undefined) => request?.texts.join("\n") ?? "";

/** Views frames, then answers with the first picture that it was shown. */
const looksAndAnswers = () =>
  agentTurns([
    look(2),
    (request) => `The screen is green [${nameIn(labelled(request)[0]?.label ?? "")}].\nAnswer: B`,
  ]);

test("a loop of tools answers and cites the frames that it was shown, and is counted as every call is", async () => {
  server.answer(looksAndAnswers());
  const { answer, evidence } = await askFilm();
  expect(answer).toMatchObject({ status: "answered", answer: "B", cited_by: "model" });
  const [cited] = evidence.items.filter(({ id }) => answer.cites.includes(id));
  expect(cited).toMatchObject({ kind: "frame", start_s: 12.4 });
  expect(answer.usage).toMatchObject({ calls: 2, frames: 2 });

  const [first, second] = server.chats();
  expect(first?.tools.map(({ name }) => name)).toContain("zoom");
  expect(wordsIn(first)).toContain("Frames that may still be looked at: 40.");
  expect(labelled(second as SeenRequest).map(({ label }) => label)).toEqual([
    "[E1] frame at 12.4 s (00:12):",
    "[E2] frame at 13.4 s (00:13):",
  ]);
  expect(server.chats()).toHaveLength(2);
});

test("several calls of one turn are named in their order, and arguments are read as models write them", async () => {
  const sent: SeenRequest[] = [];
  server.answer(
    agentTurns([
      {
        toolCalls: [
          { name: "view_frames", arguments: { from_s: "0:12", to_s: "14", count: "1" } },
          { name: "subtitles", arguments: { from_s: 0, to_s: 30 } },
          { name: "zoom", arguments: { at_s: 13 } },
          { name: "binoculars", arguments: {} },
        ],
      },
      (request) => {
        sent.push(request);
        return "It is green [E1], as the voice says [E2] and [E9].\nAnswer: B";
      },
    ]),
  );
  const { answer, evidence } = await askFilm();
  const text = wordsIn(sent[0]);
  expect(text).not.toMatch(/node_modules|\n {4}at /);
  expect(text).toContain("[E1] frame at");
  expect(text).toMatch(/<<<data\n\[E2\] subtitle 2 s .*Watch for the green part/);
  expect(text).toContain("`box` has to be");
  expect(text).toMatch(/binoculars is not a valid tool/);
  expect(answer.diagnostics).toMatchObject({ unknown_citations: ["E9"], turns: 2, tool_calls: 3 });
  const kinds = evidence.items
    .filter(({ id }) => answer.cites.includes(id))
    .map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(["frame", "subtitle"]);
});

test("a repeated question and a resumed one pay for no call twice", async () => {
  server.answer(looksAndAnswers());
  const question = { ...ASKED, text: "What fills the screen?" };
  const controller = new AbortController();
  server.answer((request) => {
    if (server.chats().length === 2) controller.abort();
    return request.toolCalls.length === 0 ? look(2) : { text: "Answer: B", delay_ms: 300 };
  });
  const fixed = { text: "What fills the screen in the middle?", options: question.options };
  const again = (signal?: AbortSignal) => {
    asked = 1000;
    return askFilm({}, fixed, { signal });
  };
  await expect(again(controller.signal)).rejects.toMatchObject({ kind: "cancelled" });
  server.reset();
  const { answer } = await again();
  expect(answer).toMatchObject({ status: "answered", answer: "B" });
  expect(server.chats().map(({ toolCalls }) => toolCalls.length)).toEqual([1]);
  server.reset();
  const second = await again();
  expect(server.chats()).toHaveLength(0);
  expect(second.answer).toMatchObject({ answer: "B", usage: { calls: 2, paid: 0 } });
});

test.each([
  ["calls", { budget: { calls: 3 } }, 3],
  ["steps", { search: { steps: 2 } }, 3],
  ["tokens", { budget: { tokens: 9000 } }, 8],
  ["frames", { budget: { frames: 3 } }, 6],
])("at the limit of %s the answer is requested without a call", async (_name, settings, most) => {
  server.answer((request) => {
    const spent = /which are: 0/.test(wordsIn(request));
    return request.toolChoice === "none" || spent ? "Seen.\nAnswer: A" : look(2);
  });
  const { answer } = await askFilm(settings);
  expect(answer).toMatchObject({ status: "answered", answer: "A" });
  const chats = server.chats();
  expect(chats.length).toBeLessThanOrEqual(most);
  expect(answer.usage.frames).toBeLessThanOrEqual(40);
  const last = chats.at(-1);
  if (last?.toolChoice === "none")
    expect(wordsIn(last)).toContain("Nothing more can be looked at.");
});

test("frames that the budget left out of the last call are not cited, subtitles of it are", async () => {
  const looks = [
    { name: "view_frames", arguments: { from_s: 5, to_s: 25, count: 16 } },
    { name: "subtitles", arguments: { from_s: 0, to_s: 10 } },
  ];
  server.answer(
    agentTurns([{ toolCalls: looks }, "The screen is green [E1] [E4] [E17].\nAnswer: B"]),
  );
  const { answer, evidence } = await askFilm({
    budget: { tokens: 5000 },
    recognition: { max_side: 512, ocr: "off" },
  });
  const chats = server.chats();
  expect(chats.map(({ images }) => images.length)).toEqual([0, 0]);
  expect(wordsIn(chats[1])).toMatch(/\[E1\] frame at .*: \(left out to stay within the budget\)/);
  expect(answer).toMatchObject({
    answer: "B",
    cited_by: "model",
    usage: { frames: 0 },
    diagnostics: { unknown_citations: ["E1", "E4"], shown: 1 },
  });
  const cited = evidence.items.filter(({ id }) => answer.cites.includes(id));
  expect(cited.map(({ kind }) => kind)).toEqual(["subtitle"]);
});

test.each([
  ["google-genai:scripted", "none"],
  ["anthropic:scripted", "none"],
  ["ollama:scripted", ""],
])("%s answers after its last turn", async (model, choice) => {
  process.env.GOOGLE_API_KEY ??= "a-key";
  process.env.ANTHROPIC_API_KEY ??= "a-key";
  server.answer((request) =>
    server.chats().length === 1 ? look(2) : `${request.tools.length} tools.\nAnswer: A`,
  );
  const { answer } = await askFilm({ model, search: { steps: 1 } });
  expect(answer).toMatchObject({ status: "answered", answer: "A", usage: { calls: 2 } });
  const last = server.chats().at(-1);
  expect(last?.toolChoice).toBe(choice);
  // Ollama has no choice of tools, so that they are left out.
  expect((last?.tools.length ?? 0) > 0).toBe(choice === "none");
});

test("the loop ends within the budget for any behaviour of the model", {
  timeout: 60_000,
}, async () => {
  const reply = fc.oneof(
    fc.constantFrom("", "Answer: B", "no idea", "[E1] [E700]\nAnswer: A"),
    fc.constant(look(1)),
    fc.constant(call("zoom", "no JSON")),
    fc.constant(call("nothing", {})),
    fc.constant(call("calculate", { expression: "1/0" })),
    fc.constant(call("view_frames", { from_s: 900, to_s: 901, count: 3 })),
    fc.constant<Reply>({ refusal: "No.", text: "" }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 5 }), async (turns) => {
      server.reset();
      server.answer(agentTurns(turns));
      const { answer } = await askFilm({ budget: { calls: 4, frames: 5 }, search: { steps: 6 } });
      expect(ANSWER_STATUS).toContain(answer.status);
      expect(answer.usage.calls).toBeLessThanOrEqual(4);
      expect(answer.usage.frames).toBeLessThanOrEqual(5);
    }),
    { numRuns: 12 },
  );
});

test("a model that calls tools to the end has not answered", async () => {
  server.answer(() => look(1));
  const { answer } = await askFilm({ search: { steps: 2 } });
  expect(answer).toMatchObject({ status: "not-answered", answer: null, usage: { calls: 3 } });
  expect(answer.error).toBeUndefined();
});

test("words beside a call of a tool are no answer to an open question", async () => {
  server.answer(() => ({ text: "Let me look at the screen.", ...look(1) }));
  const { answer } = await askFilm({ search: { steps: 2 } }, { text: "What is on the screen?" });
  expect(answer).toMatchObject({ status: "not-answered", answer: null, usage: { calls: 3 } });
});

test("an order and an open question are read in their own forms", async () => {
  server.answer(() => "Clip 2 shows it.\nCorrect order: 2, 1");
  const order = await askFilm({}, { text: "", task: "order", goal: "Paint a wall" });
  expect(order.answer).toMatchObject({ status: "answered", answer: [2, 1] });
  server.answer(agentTurns([call("subtitles", { from_s: 0, to_s: 10 }), "The green part [E1]."]));
  const open = await askFilm({}, { text: "What is to be watched for?" });
  expect(open.answer).toMatchObject({ status: "answered", answer: "The green part." });
  expect(open.answer.cites).toHaveLength(1);
});

test("a film that goes away meanwhile ends the question, and no further call is paid for", async () => {
  const gone = join(folder, "gone.mp4");
  await copyFile(film, gone);
  server.answer(async () => {
    await rm(gone);
    return call("zoom", { at_s: 3, box: { x: 0, y: 0, width: 0.4, height: 0.4 } });
  });
  const { answer } = await askFilm({}, ASKED, { file: gone });
  expect(answer).toMatchObject({ status: "error", error: { kind: "damaged" } });
  expect(server.chats()).toHaveLength(1);
});

test("with --media video a clip is shown as video, and a citation names a moment in it", async () => {
  server.answer(
    agentTurns([call("view_clip", { from_s: 12, to_s: 14 }), "Green [E1].\nAnswer: B"]),
  );
  const { answer, evidence } = await askFilm({
    recognition: { media: "video", max_side: 160, ocr: "off" },
  });
  const [first, second] = server.chats();
  expect(first?.tools.map(({ name }) => name)).not.toContain("view_frames");
  expect(second?.parts.map(({ type }) => type)).toContain("video");
  const [cited] = evidence.items.filter(({ id }) => answer.cites.includes(id));
  expect(cited?.start_s).toBeGreaterThanOrEqual(12);
  expect(answer).toMatchObject({ answer: "B" });
});

test("settings of verification are not read", async () => {
  await expect(askFilm({ search: { verify: false } })).rejects.toThrow(/verify/);
});
