import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { makeShuffled, procedureModel, rightOrder, wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

const PLACES = [2, 1];
let server: ModelServer;
let rig: Rig;
let video: string;

beforeAll(async () => {
  server = await startModelServer((request) => {
    if (wordsOf(request).includes("Describe part")) return "A plain field.";
    return wordsOf(request).includes("[E1]")
      ? "The fields are plain [E1]."
      : procedureModel(PLACES)(request);
  });
  const file = join(await tempFolder(), "fields.mp4");
  await makeShuffled(file, PLACES.length);
  const recognition = { frames: 8, max_side: 64, ocr: "off", segments: "every:2" };
  rig = await startRig({
    settings: {
      model: "openai:scripted",
      recognition,
      reasoning: { mathematics: "off" },
      runtime: { base_url: server.url },
    },
    models: [],
  });
  video = (await rig.upload(file)).id;
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});
beforeEach(() => server.reset());

const described = () => server.chats().filter((chat) => wordsOf(chat).includes("Describe part"));
const asked = async (settings: object, question: object = { text: "What is on the fields?" }) => {
  const { id } = await rig.ask(video, { ...question, settings });
  return rig.ended(id);
};

test("a caller sets the windows, and the limits of the question apply", async () => {
  // 5.2 s: the cards and their clips.
  expect(await asked({})).toMatchObject({ state: "answered" });
  expect(described()).toHaveLength(3);
  server.reset();
  const limited = await asked({ "recognition.segments": "every:0.5", "budget.calls": 4 });
  expect(limited).toMatchObject({ state: "answered", usage: { calls: 4 } });
  expect(server.chats()).toHaveLength(4);
});

test("an order of clips leaves out the operator's windows, and refuses the caller's", async () => {
  const order = { text: "In which order?", goal: "Make tea" };
  expect(await asked({}, order)).toMatchObject({ answer: { answer: rightOrder(PLACES) } });
  for (const segments of ["every:2", "shots"])
    expect(
      await rig.json(422, "POST", `/api/v1/videos/${video}/questions`, {
        ...order,
        settings: { "recognition.segments": segments },
      }),
    ).toMatchObject({ kind: "wrong-setting", detail: expect.stringContaining("title card") });
});

test.each([["every:0.1"], ["every:1e9"], ["/etc/passwd"], [10], [{ every: 10 }]])(
  "%j is refused with 422",
  async (segments) => {
    const body = { text: "What?", settings: { recognition: { segments } } };
    const problem = await rig.json(422, "POST", `/api/v1/videos/${video}/questions`, body);
    expect(problem).toMatchObject({ kind: "wrong-setting" });
  },
);
