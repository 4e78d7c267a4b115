import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AskResult, ask } from "../../graphs/ask.ts";
import { indexVideo } from "../../graphs/index-video.ts";
import type { QuestionInput } from "../../graphs/read-question.ts";
import type { Store } from "../../src/core/contracts.ts";
import { compose } from "../../src/media/compose.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { agentTurns, call } from "../support/agent-film.ts";
import { type ModelServer, type Reply, startModelServer } from "../support/model-server.ts";
import { wordsOf } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

const ASKED: QuestionInput = {
  text: "How many students came on Monday?",
  options: ["eighty", "ninety"],
};
const SEGMENTS = [
  { start: 0.5, end: 2.5, text: "On Monday eighty students came.", speaker: "Ann" },
  { start: 3, end: 5, text: "On Tuesday it rained." },
];

let server: ModelServer;
let store: Store;
let film: string;
let captioned: string;
/** Changed by each test, so that no transcription is stored already. */
let model = 0;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "");
  store = await openStore(join(folder, "store"));
  film = join(folder, "film.mp4");
  captioned = join(folder, "captioned.mp4");
  const shown = { kind: "picture", picture: { background: "grey", shapes: [] } } as const;
  const size = { width: 64, height: 48, fps: 2 };
  const segments = [{ ...shown, duration_s: 6, sound: { frequency: 440 } }];
  await compose({ ...size, segments }, film);
  await compose(
    { ...size, segments: [{ ...shown, duration_s: 5, sound: { frequency: 300 } }] },
    captioned,
  );
  const srt = "1\n00:00:01,000 --> 00:00:02,000\nThe file says ninety on Monday.\n";
  await writeFile(join(folder, "captioned.srt"), srt);
});

beforeEach(() => {
  server.reset();
  model++;
});

afterAll(async () => {
  await server.close();
  await store.close();
});

const transcriber = () => ({ transcriber: `openai:whisper-${model}` });

async function askWith(
  settings: { strategy: string; recognition?: object },
  reply: Reply | string | ReturnType<typeof agentTurns> = "eighty [E1].\nAnswer: A",
  file = film,
): Promise<AskResult> {
  const chat = typeof reply === "function" ? reply : () => reply;
  server.answer((request) =>
    request.kind === "transcription" ? { text: "", segments: SEGMENTS } : chat(request),
  );
  return ask(file, ASKED, {
    store,
    settings: {
      model: "openai:scripted",
      runtime: { base_url: server.url },
      ...settings,
      recognition: { ...transcriber(), ...settings.recognition },
    },
  });
}

const heard = () => server.requests.filter(({ kind }) => kind === "transcription");
const said = ({ evidence }: AskResult) =>
  evidence.items.filter(({ kind }) => kind === "speech" || kind === "subtitle");

test("direct: what was said is in the prompt with its times and speakers, and is evidence", async () => {
  const asking = await askWith({ strategy: "direct", recognition: { frames: 2 } });
  expect(wordsOf(server.chats().at(-1) as never)).toContain(
    "<<<data\n00:00 Ann: On Monday eighty students came.\n00:03 On Tuesday it rained.\ndata>>>",
  );
  expect(said(asking)).toMatchObject([
    {
      ...{ kind: "speech", start_s: 0.5, end_s: 2.5, confidence: null },
      data: { speaker: "Ann" },
      by: { who: "model", name: `openai:whisper-${model}` },
    },
    { kind: "speech", start_s: 3, text: "On Tuesday it rained." },
  ]);
  expect(asking.answer).toMatchObject({ status: "answered", answer: "A" });
  const [call] = asking.events.flatMap((event) => (event.type === "call" ? event.call : []));
  expect(call).toMatchObject({ role: "transcriber", sound: [{ from_s: 0, to_s: 6 }] });
});

test("agent: its tools search and list speech, and it cites it", async () => {
  const results: string[] = [];
  const asking = await askWith(
    { strategy: "agent" },
    agentTurns([
      call("search_evidence", { query: "students Monday", kinds: ["speech"] }),
      (request) => {
        results.push(request.toolResults.at(-1)?.text ?? "");
        return call("subtitles", { from_s: 0, to_s: 6 });
      },
      (request) => {
        results.push(request.toolResults.at(-1)?.text ?? "");
        return call("answer", { answer: "A", evidence: ["E1"] });
      },
    ]),
  );
  const [searched, listed] = results;
  expect(searched).toContain("[E1] speech 0.5 s (00:00) to 2.5 s (00:02): Ann: On Monday eighty");
  expect(listed).toContain("On Tuesday it rained.");
  const cited = asking.evidence.items.filter(({ id }) => asking.answer.cites.includes(id));
  expect(cited).toMatchObject([{ kind: "speech", text: "On Monday eighty students came." }]);
});

test("rrd reasons over speech, and extractive answers from it without a language model", async () => {
  await askWith({ strategy: "rrd", recognition: { segments: "every:6", subtitles: "full" } });
  expect(wordsOf(server.chats().at(-1) as never)).toContain("speech by model: Ann: On Monday");
  const { answer } = await askWith({ strategy: "extractive", model: undefined } as never);
  expect(answer).toMatchObject({ status: "answered", answer: "A" });
  // The second question takes the transcription of the first.
  expect(heard()).toHaveLength(1);
});

test("subtitles win, unless speech is always wanted; `off` and no engine send nothing", async () => {
  const cues = await askWith({ strategy: "direct" }, undefined, captioned);
  expect(said(cues)).toMatchObject([{ kind: "subtitle", text: "The file says ninety on Monday." }]);
  await askWith({ strategy: "direct", recognition: { speech: "off" } });
  await askWith({ strategy: "direct", recognition: { transcriber: null, subtitles: "full" } });
  expect(heard()).toHaveLength(0);
  const always = { strategy: "direct", recognition: { speech: "always" } };
  const spoken = await askWith(always, undefined, captioned);
  expect(said(spoken).map(({ kind }) => kind)).toEqual(["speech", "speech"]);
  expect(heard()).toHaveLength(1);
});

test("an index holds speech, and a server that is down ends it with a sentence", async () => {
  const job = { store, run: "test" };
  const video = await openVideo(film, job);
  const spec = { recognition: transcriber(), runtime: { transcriber_url: server.url } };
  const set = await indexVideo(video, spec, job);
  expect(set.items.filter(({ kind }) => kind === "speech")).toHaveLength(2);
  server.answer(() => ({ status: 404, text: "no such endpoint" }));
  model++;
  const refused = indexVideo(video, { ...spec, recognition: transcriber() }, job);
  await expect(refused).rejects.toMatchObject({ kind: "model-rejected" });
});
