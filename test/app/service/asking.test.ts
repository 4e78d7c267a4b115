import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type {
  EstimateView,
  EvidenceList,
  Problem,
  SubtitlesView,
} from "../../../src/app/service/api.ts";
import { compose } from "../../../src/media/compose.ts";
import { makeClip } from "../../support/clips.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { events, type Rig, startRig } from "./rig.ts";

/* Subtitles of a caller, follow-up questions, and what a question would take. */

const CUES = "1\n00:00:00,000 --> 00:00:01,000\nThe launch is on Friday.\n";
const PRICES = "openai:scripted: { input: 1000000, output: 0 }\n";

let server: ModelServer;
let rig: Rig;
let video: string;

beforeAll(async () => {
  server = await startModelServer(() => "It is a test card.\nAnswer: a test card");
  const folder = await tempFolder();
  await writeFile(join(folder, "prices.yaml"), PRICES);
  rig = await startRig({
    settings: {
      model: "openai:scripted",
      recognition: { frames: 4, max_side: 64, ocr: "off" },
      runtime: { base_url: server.url, prices: join(folder, "prices.yaml") },
    },
    models: [],
  });
  const file = await makeClip(folder, "card.mp4", { frames: 50 });
  video = (await rig.upload(file)).id;
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});
beforeEach(() => server.reset());

const put = (name: string, text: string | Uint8Array) =>
  fetch(`${rig.url}/api/v1/videos/${video}/subtitles`, {
    method: "PUT",
    headers: { "x-file-name": encodeURIComponent(name) },
    body: text as string,
  });
const problemOf = async (response: Response) => (await response.json()) as Problem;

test("an uploaded subtitle file is evidence of the next question; a bad one is refused and changes nothing", async () => {
  const path = `/api/v1/videos/${video}/subtitles`;
  expect(await rig.json<SubtitlesView>(200, "GET", path)).toMatchObject({ uploaded: false });
  const stored = await put("Ünit 1.SRT", CUES);
  expect([stored.status, await stored.json()]).toEqual([
    200,
    { uploaded: true, cues: 1, skipped: 0 },
  ]);

  const notes = await put("notes.txt", CUES);
  expect([notes.status, (await problemOf(notes)).detail]).toEqual([
    415,
    'Cannot store "notes.txt" as subtitles: use a file that ends in .srt, .vtt, .ass, .ssa, .sbv.',
  ]);
  const empty = await put("empty.vtt", "WEBVTT\n\n");
  expect(empty.status).toBe(422);
  expect((await problemOf(empty)).detail).toMatch(/^Cannot read "empty\.vtt" as srt, vtt, ass/);
  expect((await put("long.srt", new Uint8Array(5 * 2 ** 20 + 1))).status).toBe(413);
  expect(await rig.json<SubtitlesView>(200, "GET", path)).toMatchObject({ cues: 1 });

  const ask = { text: "When is the launch?", settings: { strategy: "extractive" } };
  const { id } = await rig.ask(video, ask);
  await rig.ended(id);
  const { items } = await rig.evidence(id);
  expect(items.map(({ kind, text }) => [kind, text])).toContainEqual([
    "subtitle",
    "The launch is on Friday.",
  ]);
  await rig.json(204, "DELETE", path);
  await rig.json(404, "DELETE", path);
});

test("a follow-up names the question before it, whose answer the model is told", async () => {
  const settings = { strategy: "direct" };
  const first = await rig.ask(video, { text: "What is shown?", settings });
  await rig.ended(first.id);
  const next = await rig.ask(video, { text: "Which colours has it?", settings, follows: first.id });
  expect([first.follows, next.follows]).toEqual([null, first.id]);
  expect(next.asked.text).toBe("Which colours has it?");
  await rig.ended(next.id);
  const [, second] = server.chats().map(({ texts }) => texts.join("\n"));
  expect(second).toContain(
    "<<<data\nQuestion 1: What is shown?\nAnswer 1: a test card\ndata>>>\nUse this only to understand what the question refers to. Answer this question: Which colours has it?",
  );

  const reason = { text: "And then?", settings, follows: "0123456789abcdef01234567" };
  const path = `/api/v1/videos/${video}/questions`;
  expect((await rig.json<Problem>(404, "POST", path, reason)).kind).toBe("not-found");
  const order = { goal: "Make tea", settings, follows: first.id };
  expect((await rig.json<Problem>(422, "POST", path, order)).detail).toContain("ordering");
});

test("an estimate has the calls, price and usual time of a question, and asks nothing", async () => {
  const path = `/api/v1/videos/${video}/estimate`;
  const estimate = (settings: object, task?: string) =>
    rig.json<EstimateView>(200, "POST", path, { settings, ...(task ? { task } : {}) });
  const direct = await estimate({ strategy: "direct" });
  expect(direct).toMatchObject({ calls: 1, exact: true, frames: 4 });
  expect(direct.cost?.about).toBe(direct.tokens?.input);
  const { answered, seconds } = direct;
  expect([answered, seconds === null]).toEqual([2, false]);
  expect(await estimate({ strategy: "extractive" })).toMatchObject({
    calls: 0,
    cost: { about: 0, most: 0 },
  });
  expect(await estimate({ strategy: "rrd" }, "order")).toMatchObject({ calls: null, cost: null });
  const wrong = await rig.json<Problem>(422, "POST", path, { settings: { strategy: "best" } });
  expect(wrong.detail).toContain("strategy");
  expect(server.chats()).toEqual([]);
});

test("cues of a removed or replaced subtitle file are not found any more, nor their corrections", async () => {
  const path = `/api/v1/videos/${video}/subtitles`;
  const texts = async () => {
    const { items } = await rig.json<{ items: { kind: string; text: string }[] }>(
      ...([200, "GET", `/api/v1/videos/${video}/texts?limit=200`] as const),
    );
    return items.filter(({ kind }) => kind === "subtitle").map(({ text }) => text);
  };
  const found = async (word: string) =>
    (await rig.json<{ total: number }>(200, "GET", `/api/v1/search?q=${word}`)).total;
  const ask = async (text: string) => {
    const { id } = await rig.ask(video, { text, settings: { strategy: "extractive" } });
    expect((await rig.ended(id)).state).toBe("answered");
    return id;
  };
  await put("a.srt", `${CUES}\n2\n00:00:01,000 --> 00:00:02,000\nMartha paid for the clock.\n`);
  const id = await ask("When is the launch then?");
  const cue = (await rig.evidence(id)).items.find(({ text }) => text.startsWith("Martha"));
  await rig.json(200, "PATCH", `/api/v1/questions/${id}/evidence/${cue?.id}`, {
    text: "Marta paid for the clock.",
  });
  await rig.json(201, "POST", `/api/v1/questions/${id}/evidence`, {
    ...{ kind: "caption", start_s: 0, end_s: 1, text: "A grey card" },
  });
  expect(await texts()).toEqual(["The launch is on Friday.", "Marta paid for the clock."]);

  // What the new file has, too, stays.
  await put("b.srt", CUES);
  expect([await texts(), await found("marta")]).toEqual([["The launch is on Friday."], 0]);
  await put("c.srt", CUES.replace("Friday", "Monday"));
  expect([await texts(), await found("launch")]).toEqual([[], 0]);
  await ask("When is the launch, after all?");
  expect(await texts()).toEqual(["The launch is on Monday."]);
  await rig.json(204, "DELETE", path);
  expect([await texts(), await found("launch"), await found("grey")]).toEqual([[], 0, 1]);
  await rig.ended(
    (await rig.ask(video, { text: "When is it?", settings: { strategy: "extractive" } })).id,
  );
  expect(await texts()).toEqual([]);
});

test("a page, an answer, its evidence and its events name the file as its owner does, not by the id of the upload", async () => {
  const file = join(await tempFolder(), "captioned.mp4");
  await compose(
    {
      ...{ width: 320, height: 180, fps: 5, silent: true },
      segments: [
        { kind: "picture", duration_s: 5, picture: { background: "#203040", shapes: [] } },
      ],
      subtitles: {
        captions: [{ start_s: 1, end_s: 4, text: "A blue kite flew over the mill." }],
        where: "embedded",
      },
    },
    file,
  );
  const { id } = await rig.upload(file, "Kite & mill.mp4");
  const ask = async (text: string) => {
    const asked = await rig.ask(id, { text, settings: { strategy: "extractive" } });
    const { answer } = await rig.ended(asked.id);
    const page = await rig.send("GET", `/api/v1/questions/${asked.id}/export?as=html`);
    const { items } = await rig.json<EvidenceList>(
      200,
      "GET",
      `/api/v1/questions/${asked.id}/evidence`,
    );
    const told: string[] = [];
    for await (const event of events(rig.url, asked.id))
      if (event.type === "evidence") told.push(event.item.by.name);
    const listed = items.map(({ by }) => by.name);
    return {
      subtitles: answer?.diagnostics?.subtitles,
      sources: [...new Set([...listed, ...told])].sort(),
      page: await page.text(),
    };
  };
  const first = await ask("What flew over the mill?");
  expect(first.subtitles).toBe("stream 1 of this file");
  expect(first.sources).toContain("stream 1 of this file");
  expect(first.page).toContain("file: stream 1 of Kite &amp; mill.mp4");
  const stored = await fetch(`${rig.url}/api/v1/videos/${id}/subtitles`, {
    ...{ method: "PUT", headers: { "x-file-name": "a.srt" }, body: CUES },
  });
  expect(stored.status).toBe(200);
  const second = await ask("When is the launch?");
  expect(second.subtitles).toBe("the uploaded subtitles");
  expect(second.page).toContain("file: the uploaded subtitles");
  expect(second.sources).toContain("the uploaded subtitles");
  for (const { page, sources } of [first, second]) {
    expect(page).not.toContain(id);
    expect(sources.filter((name) => name.includes(id))).toEqual([]);
  }
});
