import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import type { GraphContext } from "../../../graphs/context.ts";
import { matchWords } from "../../../graphs/extractive/match.ts";
import type { State } from "../../../graphs/state.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { slideFilm } from "../../support/slide-film.ts";
import { tempFolder } from "../../support/temp.ts";
import { DEVELOPED } from "../../support/unseen/developed.ts";
import { HELD_OUT } from "../../support/unseen/held-out.ts";
import { measureLessons } from "../../support/unseen/measure.ts";

/* `npm run soak -- extractive` measures the same over many more lessons. */

let store: Store;
let file: string;
beforeAll(async () => {
  const folder = await tempFolder();
  store = await openStore(join(folder, "store"));
  file = join(folder, "lecture.mp4");
  await slideFilm(
    file,
    [
      { lines: ["Settings", "Constant k = 94", "Offset b = 12"], seconds: 4 },
      { lines: ["Our school", "Teachers: 57", "Founded: 1962"], seconds: 6 },
    ],
    {
      captions: [
        { start_s: 0.5, end_s: 3.5, text: "Move the constant to the other side." },
        { start_s: 4.5, end_s: 7, text: "The school has 8 hundred students." },
        { start_s: 7, end_s: 9.5, text: "The hall has five hundred and twenty seats." },
      ],
      where: "both",
    },
  );
});
afterAll(async () => {
  await store.close();
  await closeOcr();
});

test("a film is read, and its values are found among those next to them", async () => {
  const choose = async (text: string, ...options: string[]) =>
    (await ask(file, { text, options }, { store })).answer;
  const slide = await choose(
    "Which value does the slide give for the constant k?",
    ...["12", "49", "94", "96"],
  );
  expect(slide).toMatchObject({ status: "answered", answer: "C", cited_by: "code" });
  expect(slide.confidence_basis).toContain("uncalibrated");
  const spoken = ["80", "520", "800", "57"];
  expect((await choose("How many students go to the school?", ...spoken)).answer).toBe("C");
  expect((await choose("How many seats are there?", ...spoken)).answer).toBe("B");
  expect((await choose("How many teachers work there?", ...spoken)).answer).toBe("D");
  const { answer, evidence } = await ask(file, "What is the constant k?", { store });
  expect(answer.answer).toBe("94");
  const [best] = answer.moments ?? [];
  expect(best?.words).toEqual(expect.arrayContaining(["Constant", "k"]));
  expect(best?.start_s).toBeCloseTo(0, 1);
  const cited = evidence.items.find(({ id }) => id === answer.cites[0]);
  expect(cited?.text).toBe("Constant k = 94");
});

test("lessons of eight subjects are answered, rarely wrongly, and their moments are found", async () => {
  const context = { emit: () => {} } as unknown as GraphContext;
  const counts = await measureLessons(
    [...DEVELOPED, ...HELD_OUT],
    [7],
    "a".repeat(64),
    async (question, evidence) => {
      const { outcome } = matchWords({ question, evidence, outcome: null } as State, context);
      return { answer: outcome?.answer ?? null, moments: outcome?.moments };
    },
  );
  const { questions = 0, right = 0, wrong = 0, found = 0 } = counts.get("all") ?? {};
  expect(questions).toBeGreaterThan(100);
  expect(right).toBeGreaterThanOrEqual(0.9 * questions);
  expect(wrong).toBeLessThanOrEqual(0.05 * questions);
  expect(found).toBeGreaterThanOrEqual(0.9 * questions);
});
