import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { QuestionView } from "../../../src/app/service/api.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

/*
 * What the agent recalls from earlier questions after people edited their evidence.
 */

const SEEN = "A green lawn fills the picture.";
const CORRECTED = "A green wall fills the picture.";

let server: ModelServer;
let film: string;
let rig: Rig;
let video: string;

const settings = () => ({
  strategy: "agent",
  model: "openai:scripted",
  recognition: { max_side: 160, ocr: "off" },
  runtime: { base_url: server.url },
  search: { cells: 4 },
});

beforeAll(async () => {
  server = await startModelServer(() => "");
  film = await composeFilm(await tempFolder());
});
afterAll(() => server.close());
beforeEach(async () => {
  server.reset();
  rig = await startRig({ settings: settings() });
  video = (await rig.upload(film)).id;
  return () => rig.stop();
});

/** Asks a question for which the model looks at the film, and returns it with the caption of what it saw. */
async function seenCaption() {
  server.answer(
    agentTurns([
      call("view_frames", { times_s: [13] }),
      call("answer", { answer: "A lawn", evidence: ["E1"], seen: SEEN }),
    ]),
  );
  const { id } = await rig.ask(video, { text: "What fills the screen in the middle?" });
  await rig.ended(id);
  const caption = (await rig.evidence(id)).items.find(({ kind }) => kind === "caption");
  expect(caption).toMatchObject({ text: SEEN });
  return { id, caption: `/api/v1/questions/${id}/evidence/${caption?.id}` };
}

/** Asks another question, and returns what the model is told first, with the answered question. */
async function later(
  text: string,
  more: object = {},
): Promise<{ told: string; question: QuestionView }> {
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "It is green", evidence: ["E1"] })]));
  const { id } = await rig.ask(video, { text, ...more });
  const question = await rig.ended(id);
  return { told: firstWords(), question };
}

const firstWords = () => server.chats()[0]?.texts.join("\n") ?? "";

test("a rejected item is not recalled, neither by a question nor by its follow-up, and is again once it is restored", async () => {
  const { caption } = await seenCaption();
  const before = await later("Where is the lawn?");
  expect(before.told).toContain(SEEN);
  await rig.json(200, "DELETE", caption);
  const after = await later("When is the lawn seen?");
  expect(after.told).not.toContain(SEEN);
  expect(after.question.answer?.diagnostics).toMatchObject({ recalled: 0 });
  const follow = await later("And who owns the lawn?", { follows: after.question.id });
  expect(follow.told).not.toContain(SEEN);
  await rig.json(200, "PATCH", caption, {});
  expect((await later("Is the lawn large?")).told).toContain(SEEN);
});

test("a corrected item is recalled with its corrected text, which a later question may correct again", async () => {
  const { caption } = await seenCaption();
  await rig.json(200, "PATCH", caption, { text: CORRECTED });
  const { told, question } = await later("Where is the lawn, or is it a wall?");
  expect(told).toContain(CORRECTED);
  expect(told).not.toContain(SEEN);
  const recalled = (await rig.evidence(question.id)).items.find(({ text }) => text === CORRECTED);
  expect(recalled).toMatchObject({ kind: "caption", by: { who: "person" } });
  const text = "A green curtain fills the picture.";
  const path = `/api/v1/questions/${question.id}/evidence/${recalled?.id}`;
  await rig.json(200, "PATCH", path, { text });
  const last = await later("Is it a lawn, a wall or a curtain?");
  expect(last.told).toContain(text);
  expect(last.told).not.toContain(CORRECTED);
  expect(last.told).not.toContain(SEEN);
});

test("`ask` with the same store recalls what people left", async () => {
  const { caption } = await seenCaption();
  await rig.json(200, "PATCH", caption, { text: CORRECTED });
  server.reset();
  server.answer(agentTurns([call("answer", { answer: "It is green", evidence: ["E1"] })]));
  await ask(film, "Where is the lawn, or is it a wall?", {
    settings: { ...settings(), runtime: { base_url: server.url, data: rig.data } },
  });
  expect(firstWords()).toContain(CORRECTED);
  expect(firstWords()).not.toContain(SEEN);
});
