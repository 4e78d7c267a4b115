import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { VIDEOMATHQA_WORDING } from "../../../evals/benchmarks/videomathqa/wording.ts";
import { type AskResult, askInStore } from "../../../graphs/ask.ts";
import { readQuestion } from "../../../graphs/read-question.ts";
import { loadPrompts, type Prompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { compose } from "../../../src/media/compose.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { wordsOf } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

/* VideoMathQA's modes: MCQ and MBin, direct and with a chain of thought, subtitles off, aligned, full and retrieved. */

const CAPTIONS = [
  { start_s: 0, end_s: 0.9, text: "Welcome to geometry." },
  // Between the frames that are taken, at 0 s and at the end.
  ...Array.from({ length: 30 }, (_, place) => ({
    start_s: 1 + place * 0.2,
    end_s: 1 + place * 0.2 + 0.15,
    text: place === 15 ? "The hypotenuse is thirteen." : `Remark ${place} on something else.`,
  })),
  { start_s: 8, end_s: 9.9, text: "Goodbye." },
];
const MCQ = ["13", "12", "5", "7", "25"];
const MBIN = ["13", "12"];
const TEXT = "How long is the hypotenuse?";

let server: ModelServer;
let store: Store;
let video: Video;
let prompts: Prompts;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  prompts = await loadPrompts();
  const file = join(folder, "lesson.mp4");
  const picture = { background: "#ffffff", shapes: [] };
  const segments = [{ kind: "picture", duration_s: 10, picture } as const];
  const subtitles = { captions: CAPTIONS, where: "embedded" } as const;
  await compose({ width: 64, height: 48, fps: 5, silent: true, segments, subtitles }, file);
  video = await openVideo(file, { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

let epoch = 0;
function ask(options: string[], settings: object): Promise<AskResult> {
  return askInStore({
    store,
    video,
    prompts,
    question: readQuestion(video.hash, { text: TEXT, options }),
    settings: readSettings({
      model: "openai:scripted",
      runtime: { base_url: server.url },
      ...settings,
    }),
    wording: VIDEOMATHQA_WORDING,
    epoch: epoch++,
  });
}

/** The subtitles in a prompt. */
function told(request: SeenRequest | undefined) {
  const words = request === undefined ? "" : wordsOf(request);
  return {
    first: words.includes("Welcome to geometry."),
    between: words.includes("Remark 3 on"),
    found: words.includes("The hypotenuse is thirteen."),
  };
}
const TOLD = {
  off: { first: false, between: false, found: false },
  aligned: { first: true, between: false, found: false },
  full: { first: true, between: true, found: true },
  retrieved: { first: false, between: false, found: true },
};

const MODES = (["off", "aligned", "full", "retrieved"] as const).flatMap((subtitles) =>
  [false, true].flatMap((cot) =>
    [
      { name: "MCQ", options: MCQ, asks: "exactly one option is right" },
      { name: "MBin", options: MBIN, asks: "one of the two options is right" },
    ].map(({ name, options, asks }) => ({ name, options, asks, cot, subtitles })),
  ),
);

test.each(MODES)(
  "direct, $name, chain of thought $cot, subtitles $subtitles",
  async ({ options, asks, cot, subtitles }) => {
    server.answer(() => (cot ? "It is thirteen.\nAnswer: A" : "A"));
    const { answer } = await ask(options, {
      strategy: "direct",
      recognition: { frames: 2, subtitles },
      reasoning: { cot },
    });
    expect(answer.answer).toBe("A");
    const [request, ...more] = server.chats();
    expect(more).toEqual([]);
    const words = wordsOf(request as SeenRequest);
    expect(words).toContain(asks);
    expect(words.includes("Work step by step")).toBe(cot);
    expect(words.includes("without any explanation")).toBe(!cot);
    expect(told(request)).toEqual(TOLD[subtitles]);
  },
);

test.each(["off", "aligned", "full", "retrieved"] as const)(
  "rrd, subtitles %s",
  async (subtitles) => {
    server.answer((request) =>
      wordsOf(request).includes("You plan")
        ? '{"calculation": false}'
        : wordsOf(request).includes("was observed")
          ? "Answer: A"
          : "A white board.",
    );
    const { answer } = await ask(MCQ, {
      strategy: "rrd",
      recognition: { frames: 2, subtitles, ocr: "off", max_side: 64 },
    });
    expect(answer.answer).toBe("A");
    const { found, between } = TOLD[subtitles];
    const said = told(server.chats().at(-1));
    expect(said.found).toBe(found);
    expect(said.between).toBe(between);
  },
);
