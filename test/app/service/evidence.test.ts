import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { EvidenceList, QuestionView, VideoView } from "../../../src/app/service/api.ts";
import type { TraceView } from "../../../src/app/service/api-trace.ts";
import type { ModelServer } from "../../support/model-server.ts";
import {
  clipsSeen,
  description,
  procedureModel,
  rightOrder,
  stepOf,
} from "../../support/shuffled.ts";
import type { Rig } from "./rig.ts";
import { ASKED, makeTea, PLACES, type Tea } from "./tea.ts";

let server: ModelServer;
let rig: Rig;
let video: string;
let answered: Tea["answered"];
let close: Tea["close"];

beforeAll(async () => {
  ({ server, rig, video, answered, close } = await makeTea());
});
afterAll(() => close());
beforeEach(() => server.reset());

const at = (id: string, item: string) => `/api/v1/questions/${id}/evidence/${item}`;

test("evidence is listed with its names, citations and pictures", async () => {
  const { question, list } = await answered();
  expect(list).toMatchObject({ set: question.answer?.set, base: null, rejected: [] });
  expect(list.items.map(({ name, kind, clip }) => [name, kind, clip])).toEqual([
    ["E1", "caption", 1],
    ["E2", "caption", 2],
    ["E3", "caption", 3],
  ]);
  expect(list.items.map(({ cited }) => cited)).toEqual([true, true, true]);
  expect(list.items[0]).toMatchObject({ text: description(2), was: null, by: { who: "model" } });
  for (const { thumbnail } of list.items) {
    const picture = await rig.send("GET", thumbnail ?? "");
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  }
});

test("a corrected caption makes a new set, and reasoning again recognises nothing", async () => {
  const { question, list } = await answered();
  const wrong = list.items[0];
  const text = description(9);
  const edited = await rig.json<EvidenceList>(200, "PATCH", at(question.id, wrong?.id ?? ""), {
    text,
  });
  expect(edited.base).toBe(list.set);
  expect(edited.set).not.toBe(list.set);
  expect(edited.items[0]).toMatchObject({
    text,
    was: wrong?.text,
    replaces: wrong?.id,
    by: { who: "person", name: "person" },
    clip: 1,
    cited: true,
  });
  expect(await rig.json(200, "GET", `/api/v1/questions/${question.id}`)).toMatchObject({
    edited: true,
    set: edited.set,
    answer: { set: list.set },
  });
  server.reset();
  const again = await rig.json<QuestionView>(
    202,
    "POST",
    `/api/v1/questions/${question.id}/reason-again`,
  );
  expect(again).toMatchObject({ from: question.id, asked: question.asked });
  const ended = await rig.ended(again.id);
  // Clip 1 is now the last of the procedure.
  expect(ended.answer?.answer).toEqual(rightOrder([9, 3, 1]));
  expect(server.chats().map(stepOf)).toEqual(["order"]);
  expect(server.chats()[0]?.images).toEqual([]);
  expect((await rig.evidence(again.id)).items[0]).toMatchObject({ text, replaces: wrong?.id });
  server.reset();
  const unchanged = await rig.json<QuestionView>(
    202,
    "POST",
    `/api/v1/questions/${question.id}/reason-again`,
  );
  expect((await rig.ended(unchanged.id)).usage).toMatchObject({ calls: 1, paid: 0 });
  expect(server.chats()).toEqual([]);
});

test("items are added, rejected and restored; the answer's own set does not change", async () => {
  const { question, list } = await answered({ ...ASKED, goal: "Make soup" });
  const [first, second] = list.items;
  const path = `/api/v1/questions/${question.id}/evidence`;
  const added = await rig.json<EvidenceList>(201, "POST", path, {
    kind: "subtitle",
    start_s: 1,
    end_s: 2,
    text: "<script>alert(1)</script>",
  });
  expect(added.items).toHaveLength(4);
  const rejected = await rig.json<EvidenceList>(200, "DELETE", at(question.id, first?.id ?? ""));
  expect(rejected.base).toBe(added.set);
  expect(rejected.rejected.map(({ id, name }) => [id, name])).toEqual([[first?.id, "E1"]]);
  await rig.json(404, "DELETE", at(question.id, first?.id ?? ""));
  const back = await rig.json<EvidenceList>(200, "PATCH", at(question.id, first?.id ?? ""), {});
  expect(back.items.map(({ id }) => id).sort()).toEqual(added.items.map(({ id }) => id).sort());
  const timed = await rig.json<EvidenceList>(200, "PATCH", at(question.id, second?.id ?? ""), {
    end_s: 5,
  });
  const corrected = timed.items.find(({ replaces }) => replaces === second?.id);
  expect(corrected).toMatchObject({ end_s: 5, was: null, text: second?.text });
  expect(timed.rejected).toEqual([]);
  const undone = await rig.json<EvidenceList>(200, "PATCH", at(question.id, second?.id ?? ""), {});
  expect(undone.items.map(({ id }) => id).sort()).toEqual(added.items.map(({ id }) => id).sort());
  expect(
    await rig.json(422, "PATCH", at(question.id, second?.id ?? ""), { start_s: 6, end_s: 5 }),
  ).toMatchObject({
    kind: "wrong-time",
  });
  const { duration_s } = await rig.json<VideoView>(200, "GET", `/api/v1/videos/${video}`);
  const behind = { kind: "caption", text: "The cup is washed.", start_s: 1 };
  expect(await rig.json(422, "POST", path, { ...behind, end_s: duration_s + 1 })).toMatchObject({
    kind: "wrong-time",
    detail: expect.stringContaining(duration_s.toFixed(2)),
  });
  await rig.json(201, "POST", path, { ...behind, end_s: duration_s + 0.1 });
});

test("an answer keeps what it was based on, and names stay with their items through edits", async () => {
  const { question, list } = await answered({ ...ASKED, goal: "Make cocoa" });
  const [first, second] = list.items;
  const path = `/api/v1/questions/${question.id}/evidence`;
  await rig.json(200, "DELETE", at(question.id, first?.id ?? ""));
  await rig.json(200, "PATCH", at(question.id, second?.id ?? ""), { text: "The pot is empty." });
  const words = { kind: "subtitle", start_s: 0, end_s: 1, text: "Welcome." };
  const edited = await rig.json<EvidenceList>(201, "POST", path, words);
  const named = (items: EvidenceList["items"]) => items.map(({ name, text }) => [name, text]);
  expect(named(edited.items)).toEqual([
    ["E4", "Welcome."],
    ["E2", "The pot is empty."],
    ["E3", list.items[2]?.text],
  ]);
  expect(named(edited.rejected)).toEqual([["E1", first?.text]]);
  expect(edited.basis).toEqual(list.basis);
  expect(named(edited.basis)).toEqual(named(list.items));
});

test("the model sees the names of edited evidence, and its citations lead to them", async () => {
  const asked = { text: "Which step is shown?", task: "open" };
  server.answer(() => "A step is shown [E2].");
  const { question, list } = await answered(asked);
  await rig.json(200, "DELETE", at(question.id, list.items[0]?.id ?? ""));
  server.reset();
  const again = await rig.json<QuestionView>(
    202,
    "POST",
    `/api/v1/questions/${question.id}/reason-again`,
  );
  const { answer } = await rig.ended(again.id);
  const sent = server.chats()[0]?.texts.at(-1) ?? "";
  expect(sent.match(/^\[E\d+\]/gm)).toEqual(list.items.slice(1).map(({ name }) => `[${name}]`));
  expect(answer?.cites).toEqual([list.items[1]?.id]);
  expect((await rig.evidence(again.id)).items.map(({ name }) => name)).toEqual(
    list.items.slice(1).map(({ name }) => name),
  );
  // A correction that was reasoned over is corrected once more.
  const second = list.items[1]?.id ?? "";
  const once = await rig.json<EvidenceList>(200, "PATCH", at(again.id, second), { text: "Once." });
  const corrected = once.items.find(({ text }) => text === "Once.");
  const third = await rig.json<QuestionView>(
    202,
    "POST",
    `/api/v1/questions/${again.id}/reason-again`,
  );
  await rig.ended(third.id);
  const twice = await rig.json<EvidenceList>(200, "PATCH", at(third.id, corrected?.id ?? ""), {
    text: "Twice.",
  });
  const shown = ({ name, text, cited, was }: EvidenceList["items"][number]) => [
    ...[name, text, cited, was],
  ];
  expect(twice.items.map(shown)[0]).toEqual(["E2", "Twice.", true, "Once."]);
  expect([twice.items.length, twice.rejected]).toEqual([2, []]);
  expect(twice.basis.map(shown)).toEqual([["E2", "Once.", true, null]]);
  server.answer(procedureModel(PLACES));
});

test("an order without a rejected clip reports it, and is approved or corrected to all clips", async () => {
  const { question, list } = await answered({ ...ASKED, goal: "Make a cake" });
  expect(question.clips?.map(({ number }) => number)).toEqual([1, 2, 3]);
  const rejected = list.items.find(({ clip }) => clip === 2);
  await rig.json(200, "DELETE", at(question.id, rejected?.id ?? ""));
  const { id } = await rig.json<QuestionView>(
    202,
    "POST",
    `/api/v1/questions/${question.id}/reason-again`,
  );
  const ended = await rig.ended(id);
  expect(ended.answer).toMatchObject({
    answer: [3, 1],
    diagnostics: { unplaced: [{ clip: 2, why: "rejected" }] },
  });
  expect(ended.clips).toEqual(question.clips);
  const path = `/api/v1/questions/${id}`;
  await rig.json(200, "PUT", `${path}/review`, { verdict: "approved" });
  expect(await rig.json(422, "GET", `${path}/export?as=row`)).toMatchObject({
    detail: expect.stringContaining("leaves out clip 2"),
  });
  await rig.json(422, "PUT", `${path}/review`, { verdict: "corrected", answer: [1, 2] });
  await rig.json(200, "PUT", `${path}/review`, { verdict: "corrected", answer: [3, 2, 1] });
  const row = await rig.json<{ ground_truth: number[] }>(200, "GET", `${path}/export?as=row`);
  expect(row.ground_truth).toEqual([2, 1, 0]);
});

test("a clip that nobody described stays in the order when it is reasoned again, and again", async () => {
  const good = procedureModel(PLACES);
  server.answer(async (request) =>
    stepOf(request) === "clip" && (await clipsSeen(request))[0] === 3
      ? { empty: true }
      : good(request),
  );
  const settings = { "recognition.max_side": 56 };
  const { question, list } = await answered({ ...ASKED, goal: "Make punch", settings });
  expect(question.answer).toMatchObject({ answer: [3, 1, 2], diagnostics: { not_described: [3] } });
  expect(list.items.map(({ clip }) => clip)).toEqual([1, 2]);
  const again = async (id: string) => {
    const path = `/api/v1/questions/${id}/reason-again`;
    return rig.ended((await rig.json<QuestionView>(202, "POST", path)).id);
  };
  await rig.json(200, "PATCH", at(question.id, list.items[0]?.id ?? ""), { text: description(9) });
  server.reset();
  const second = await again(question.id);
  expect(server.chats()[0]?.texts.at(-1)).toContain("Clip 3: (not described)");
  expect(second.answer?.answer).toEqual([3, 2, 1]);
  expect(second).not.toHaveProperty("undescribed");
  const [first] = (await rig.evidence(second.id)).items;
  await rig.json(200, "PATCH", at(second.id, first?.id ?? ""), { text: description(1) });
  expect((await again(second.id)).answer?.answer).toEqual([3, 1, 2]);
  server.answer(good);
});

test("the trace has each call with the prompt and pictures that reached the model, and its reply", async () => {
  server.reset();
  const { question } = await answered({ ...ASKED, goal: "Make porridge" });
  const { calls, more } = await rig.json<TraceView>(
    200,
    "GET",
    `/api/v1/questions/${question.id}/trace`,
  );
  expect([calls.length, more]).toEqual([question.usage.calls, 0]);
  const order = calls.find(({ stage }) => stage === "order");
  const sent = server.chats().find((request) => stepOf(request) === "order");
  expect(order?.messages?.flatMap(({ parts }) => parts)).toEqual(
    sent?.texts.map((text) => ({ type: "text", text })),
  );
  expect(order?.reply).toContain(String(question.answer?.reply));
  const pictures = calls.flatMap(({ messages }) =>
    (messages ?? []).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "image" ? part.frame : [])),
    ),
  );
  expect(pictures.length).toBe(question.usage.frames);
  const picture = await rig.send("GET", `/api/v1/frames/${pictures[0]}`);
  expect(picture.headers.get("content-type")).toBe("image/jpeg");
});

test("a blank text and one with control characters are refused, and change nothing", async () => {
  const { question, list } = await answered({ ...ASKED, goal: "Make jam" });
  const path = `/api/v1/questions/${question.id}/evidence`;
  const item = at(question.id, list.items[0]?.id ?? "");
  const blank = expect.stringContaining('"text" must be a non-empty string');
  const control = expect.stringContaining('"text" must be without control characters');
  for (const [text, detail] of [
    ["", blank],
    ["  ", blank],
    ["\n\t", blank],
    ["a\u0000b", control],
    ["a\u001b[2Jb", control],
    ["a\u0085b", control],
  ] as const) {
    expect(await rig.json(422, "PATCH", item, { text })).toMatchObject({ detail });
    const added = { kind: "caption", start_s: 0, end_s: 1, text };
    expect(await rig.json(422, "POST", path, added)).toMatchObject({ detail });
  }
  expect((await rig.evidence(question.id)).set).toBe(list.set);
  const lines = await rig.json<EvidenceList>(200, "PATCH", item, { text: "one\n\ttwo\r\n" });
  expect(lines.items[0]?.text).toBe("one\n\ttwo\r\n");
});

test("simultaneous edits are all stored", async () => {
  const { question } = await answered({ ...ASKED, goal: "Make bread" });
  const path = `/api/v1/questions/${question.id}/evidence`;
  await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      rig.json(201, "POST", path, {
        kind: "text",
        start_s: i / 10,
        end_s: i / 10,
        text: `line ${i}`,
      }),
    ),
  );
  expect((await rig.evidence(question.id)).items).toHaveLength(11);
});

test("an extractive answer is reasoned again without a model; a direct one has nothing to reason over", async () => {
  const asked = {
    text: "Which town is it?",
    options: ["Houston", "Pasadena"],
    settings: { strategy: "extractive" },
  };
  const { question } = await answered(asked);
  expect(question.answer).toMatchObject({ status: "not-answered" });
  const path = `/api/v1/questions/${question.id}`;
  await rig.json(201, "POST", `${path}/evidence`, {
    kind: "speech",
    start_s: 1,
    end_s: 2,
    text: "The town is Pasadena.",
  });
  server.reset();
  const again = await rig.json<QuestionView>(202, "POST", `${path}/reason-again`);
  expect((await rig.ended(again.id)).answer).toMatchObject({ status: "answered", answer: "B" });
  expect(server.requests).toEqual([]);
  const direct = await answered({ ...ASKED, settings: { strategy: "direct" } });
  expect(
    await rig.json(409, "POST", `/api/v1/questions/${direct.question.id}/reason-again`),
  ).toMatchObject({ kind: "wrong-strategy" });
});
