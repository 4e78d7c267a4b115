import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Asked, type Asking, ask } from "../../graphs/ask.ts";
import { weighOptions } from "../../graphs/nodes/support.ts";
import type { Store } from "../../src/core/contracts.ts";
import { compose } from "../../src/media/compose.ts";
import { openStore } from "../../src/storage/open.ts";
import { subtitleEvidence } from "../../tools/subtitles.ts";
import { describeShared, sharedFile } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

const VIDEO = "b".repeat(64);
const CAPTIONS = [
  "Today we bake a dark bread with rye flour.",
  "First the sourdough has to rest for twelve hours.",
  "It rests in the cellar, because it is cool there.",
  "Wheat would need less water, but we do not use it.",
  "The oven is heated to 250 degrees.",
  "After ten minutes we lower it to 200 degrees.",
  "The crust is done when it sounds hollow.",
  "Let it cool on a rack before you cut it.",
].map((text, index) => ({ start_s: index * 2, end_s: index * 2 + 1.9, text }));

let store: Store;
let file: string;
beforeAll(async () => {
  const folder = await tempFolder();
  store = await openStore(join(folder, "store"));
  file = join(folder, "bread.mp4");
  await compose(
    {
      width: 64,
      height: 48,
      fps: 5,
      silent: true,
      segments: [{ kind: "picture", duration_s: 16, picture: { background: "grey", shapes: [] } }],
      subtitles: { captions: CAPTIONS, where: "both" },
    },
    file,
  );
});
afterAll(() => store.close());

const bread = (asked: string | Asked): Promise<Asking> => ask(file, asked, { store });

function citedSpans({ answer, evidence }: Asking): [number, number][] {
  return answer.cites.map((id) => {
    const item = evidence.items.find((one) => one.id === id);
    return [item?.start_s ?? -1, item?.end_s ?? -1];
  });
}

test.each([
  [
    "How long does the sourdough rest?",
    ["Two hours", "Twelve hours", "A day", "Ten minutes"],
    "B",
    2,
  ],
  ["How long does the sourdough rest, in hours?", ["2", "12", "24"], "B", 2],
  ["Where does the sourdough rest?", ["In the oven", "On a rack", "In the cellar"], "C", 4],
  [
    "When is the crust done?",
    ["When it sounds hollow", "When it is black", "After an hour"],
    "A",
    12,
  ],
  ["With which flour is the bread baked?", ["Rye", "Spelt", "Oats"], "A", 0],
])("%s is answered from what is said, at its second", async (text, options, letter, second) => {
  const asking = await bread({ text, options });
  expect(asking.answer).toMatchObject({ status: "answered", answer: letter, cited_by: "code" });
  expect(citedSpans(asking)[0]?.[0]).toBeCloseTo(second, 1);
  expect(asking.answer.usage.calls).toBe(0);
});

test.each([
  ["What colour is the baker's apron?", ["Red", "Green", "Blue"]],
  ["Who wrote the recipe?", ["A grandmother", "A baker", "A chemist"]],
  ["To how many degrees is the oven set?", ["250 degrees", "200 degrees"]],
  ["Which is not done to the sourdough?", ["It is not kept in the cellar", "It is not salted"]],
  ["In which order?", ["rest, bake, cool", "bake, rest, cool", "cool, rest, bake"]],
  ["Is the water cold?", ["Yes", "No"]],
])("%s is not answered: nothing said settles it", async (text, options) => {
  const { answer } = await bread({ text, options });
  expect(answer).toMatchObject({ status: "not-answered", answer: null, cites: [] });
});

test("an open question gets the sentences that speak of it, or nothing", async () => {
  const asking = await bread("Where does the sourdough rest?");
  expect(asking.answer.status).toBe("answered");
  expect(asking.answer.answer).toContain("It rests in the cellar, because it is cool there.");
  expect(citedSpans(asking).map(([start]) => start)).toContain(4);
  expect((await bread("What does the sourdough taste of in winter?")).answer.status).toBe(
    "not-answered",
  );
});

test("an order question and a video without words are not answered", async () => {
  expect((await bread({ text: "Order", goal: "Bake bread" })).answer.status).toBe("not-answered");
  const silent = join(await tempFolder(), "silent.mp4");
  const picture = {
    kind: "picture",
    duration_s: 1,
    picture: { background: "red", shapes: [] },
  } as const;
  await compose({ width: 64, height: 48, fps: 5, silent: true, segments: [picture] }, silent);
  const { answer } = await ask(silent, { text: "Why?", options: ["This", "That"] }, { store });
  expect(answer).toMatchObject({ status: "not-answered", diagnostics: { cues: 0 } });
});

function weighed(said: string[], text: string, options: string[]) {
  const cues = said.map((words, index) => ({ start_s: index, end_s: index + 1, text: words }));
  const evidence = subtitleEvidence(VIDEO, cues, { who: "file", name: "x" });
  const lettered = options.map((words, index) => ({ letter: "ABC"[index] as string, text: words }));
  const question = { id: "q", video: VIDEO, text, task: "choice" as const, options: lettered };
  return weighOptions(question, evidence, new Set(evidence.map((item) => item.id)));
}

test("an option gains nothing by its length, nor by words that all options share", () => {
  const said = CAPTIONS.map((caption) => caption.text);
  const { letter, scores } = weighed(said, "Where does the sourdough rest?", [
    "the bread rests in the cellar",
    "the bread rests on a rack of the bakery where the flour, the water and the oven stand",
  ]);
  expect(letter).toBe("A");
  expect(scores.A).toBeGreaterThan(1.6 * (scores.B ?? 0));
});

test("what is said in the question's own sentence counts more than what is said in the next one", () => {
  const said = [
    "A farmer sold baskets at the market.",
    "Tuesday was the best day, because a school class came by.",
    "On Wednesday heavy rain kept the customers away.",
  ];
  const options = ["A school class came by", "Heavy rain kept the customers away"];
  const verdict = weighed(said, "Why did the farmer sell so few baskets on Wednesday?", options);
  expect(verdict.letter).toBe("B");
  expect(verdict.cites.map((item) => item.start_s)).toEqual([2]);
});

describeShared("extractive on real videos", () => {
  interface Real {
    id: string;
    video: string;
    question: string;
    options: string[];
    answer: string;
    evidence_s: number[];
  }

  test("answers what is said, at the right seconds, and guesses at nothing else", async () => {
    const text = await readFile(sharedFile("media/questions.json"), "utf8");
    const said: Record<string, unknown> = {};
    for (const { id, video, question, options, answer, evidence_s } of JSON.parse(text) as Real[]) {
      const path = sharedFile(`media/${video}`);
      const asking = await ask(path, { text: question, options }, { store });
      if (asking.answer.status === "not-answered") continue;
      said[id] = asking.answer.answer;
      expect(`(${asking.answer.answer})`).toBe(answer);
      const [first, last] = [evidence_s[0] ?? 0, evidence_s.at(-1) ?? 0];
      for (const [start, end] of citedSpans(asking)) {
        expect(start).toBeLessThanOrEqual(last);
        expect(end).toBeGreaterThanOrEqual(first);
      }
    }
    expect(said).toEqual({ "nasa-1": "C", "cipher-3": "B" });
  });
});
