import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { benchmarks } from "../../../evals/benchmarks/define-benchmark.ts";
import {
  ANSWER_PROMPTS,
  type AnswerFormat,
  type AnswerPrompt,
} from "../../../graphs/answer-formats.ts";
import { askInStore } from "../../../graphs/ask.ts";
import { answerPrompts } from "../../../graphs/prompts-sent.ts";
import { readQuestion } from "../../../graphs/read-question.ts";
import { ASK_WORDING } from "../../../graphs/wording.ts";
import { type DefinedPrompt, nameOfPrompt } from "../../../prompts/catalogue.ts";
import { loadPrompts, type Prompts } from "../../../prompts/load-prompts.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openVideo, type Video } from "../../../tools/video/video.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { plainVideo } from "../run/run-fixtures.ts";

/* The prompt that reaches the model asks for the answer in the form for which its extractor was chosen. */

const ASKS: Record<AnswerFormat, RegExp> = {
  letter: /(?:letter of the right option (?:alone|and nothing else))/,
  brackets: /double square brackets, like this: \[\[X\]\]$/,
  "answer-line":
    /End (?:your reply|it) with one line of this form, and nothing after it:\nAnswer: <letter>$/,
  "order-line": /one line of this form, and nothing after it:\nCorrect order: <clip numbers/,
  words: /in one to three sentences|in words|answer/i,
};

let server: ModelServer;
let store: Store;
let video: Video;
let prompts: Prompts;

beforeAll(async () => {
  const folder = await tempFolder();
  server = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  prompts = await loadPrompts();
  await plainVideo(join(folder, "v.mp4"), 3);
  video = await openVideo(join(folder, "v.mp4"), { store, run: "test" });
});
afterAll(async () => {
  await server.close();
  await store.close();
});
beforeEach(() => server.reset());

const MODES = [
  { strategy: "direct", reasoning: { cot: false } },
  { strategy: "direct", reasoning: { cot: true } },
  { strategy: "blind", reasoning: { cot: true } },
  { strategy: "key-frame", reasoning: { cot: false } },
  { strategy: "rrd", reasoning: {} },
] as const;

const WORDINGS = [
  { name: "ask", wording: ASK_WORDING },
  // Benchmarks without their own wording are asked like `ask`.
  ...benchmarks
    .all()
    .filter(
      ({ tasks, wording }) => tasks.includes("choice") && wording.choice !== ASK_WORDING.choice,
    ),
];

test.each(
  WORDINGS.flatMap(({ name, wording }) =>
    MODES.flatMap((mode) => [2, 5].map((options) => ({ name, wording, options, ...mode }))),
  ),
)(
  "$name, $options options, $strategy $reasoning",
  async ({ name: _name, wording, options, ...mode }) => {
    const settings = readSettings({
      ...mode,
      model: "openai:scripted",
      ...(mode.strategy === "blind" ? {} : { recognition: { max_side: 64 } }),
      runtime: { base_url: server.url },
    });
    server.answer(() => "Part 1: a grey field.");
    const texts = ["one", "two", "three", "four", "five"].slice(0, options);
    const question = readQuestion(video.hash, { text: "Which?", options: texts });
    await askInStore({ store, video, prompts, question, settings, wording, epoch: 0 });
    const asked = answerPrompts({ task: "choice", options }, wording, settings);
    expect(asked).toHaveLength(1);
    const form = asked[0]?.form ?? "words";
    const reached = server.chats().map(({ texts: of }) => of.join("\n").trim());
    expect(reached.filter((text) => ASKS[form].test(text))).toHaveLength(1);
  },
);

test("every prompt for an answer asks for exactly one form", async () => {
  const asked = { goal: "g", question: "q", options: "o", clips: "c", evidence: "e" };
  const holes = { ...asked, duration: "d", left: "l" };
  const own = WORDINGS.flatMap(({ wording: { choice } }): AnswerPrompt[] => [
    ...[2, 5].flatMap((options) => [false, true].map((cot) => choice.direct(options, cot))),
    choice.evidence,
  ]);
  const general = Object.entries(ANSWER_PROMPTS).map(([prompt, form]) => ({ prompt, form }));
  for (const { prompt, form } of [...general, ...own]) {
    const { text } = prompts.render(prompt as DefinedPrompt<keyof typeof holes>, holes);
    const name = nameOfPrompt(prompt as DefinedPrompt);
    const found = Object.entries(ASKS).filter(
      ([other, ask]) => other !== "words" && ask.test(text.trim()),
    );
    expect([name, found.map(([other]) => other)]).toEqual([name, form === "words" ? [] : [form]]);
  }
});
