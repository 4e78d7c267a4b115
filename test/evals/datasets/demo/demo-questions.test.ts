import { describe, expect, test } from "vitest";
import { lessons } from "../../../../evals/datasets/demo/lessons.ts";
import { drawingHash } from "../../../../evals/datasets/demo/make-sets.ts";
import { parquetOf } from "../../../../evals/datasets/demo/parquet.ts";
import { PLANS } from "../../../../evals/datasets/demo/procedure-parts.ts";
import { procedures } from "../../../../evals/datasets/demo/procedures.ts";
import { mcqRow, mmrRow, pairRows, vcrbenchRow } from "../../../../evals/datasets/demo/rows.ts";
import { stories } from "../../../../evals/datasets/demo/stories.ts";

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

interface Asked {
  question: string;
  options: string[];
  right: number;
}

const asked: Record<string, Asked[]> = {
  lessons: SEEDS.flatMap((seed) => lessons(seed)),
  stories: SEEDS.flatMap((seed) => stories(seed)),
  pairs: SEEDS.flatMap((seed) =>
    lessons(seed)
      .flatMap((lesson, place) => pairRows(lesson, place, seed))
      .map(({ question, options, answer }) => ({
        question,
        options: options.map((text) => text.slice(3)),
        right: "AB".indexOf(answer),
      })),
  ),
};

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const shared = (a: string, b: string) => words(a).filter((word) => words(b).includes(word)).length;
const numberIn = (text: string) => Number(/\d+/.exec(text)?.[0] ?? 0);

/** How plausible an option is without the video. */
const GUESSERS: Record<string, (option: string, asked: Asked, place: number) => number> = {
  "the longest": (option) => option.length,
  "the shortest": (option) => -option.length,
  "the first": (_option, _asked, place) => -place,
  "the last": (_option, _asked, place) => place,
  "most words of the question": (option, { question }) => shared(option, question),
  "fewest words of the question": (option, { question }) => -shared(option, question),
  "most like the others": (option, { options }) =>
    options.reduce((sum, other) => sum + shared(option, other), 0),
  "the middle number": (option, { options }) => {
    const sorted = options.map(numberIn).sort((a, b) => a - b);
    return -Math.abs(numberIn(option) - (sorted[Math.floor(sorted.length / 2)] ?? 0));
  },
  "the greatest number": numberIn,
  "the least number": (option) => -numberIn(option),
};

describe.each(Object.keys(asked))("the options of %s do not reveal the right one", (name) => {
  const questions = asked[name] ?? [];

  test.each(Object.keys(GUESSERS))("to a guesser of %s", (guesser) => {
    let right = 0;
    let expected = 0;
    let variance = 0;
    for (const item of questions) {
      const likes = item.options.map((option, place) => GUESSERS[guesser]?.(option, item, place));
      const most = Math.max(...likes.map((like) => like ?? 0));
      const best = likes.filter((like) => like === most).length;
      const chance = 1 / item.options.length;
      right += likes[item.right] === most ? 1 / best : 0;
      expected += chance;
      variance += chance / best - chance ** 2;
    }
    // Four standard deviations: of 30 guessers one misses by chance in 500 worlds.
    expect(Math.abs(right - expected)).toBeLessThan(4 * Math.sqrt(Math.max(0, variance)) + 1e-9);
  });
});

test("each option of a question has a video in which it is right", () => {
  for (const seed of [0, 1])
    for (const { options, render } of [...lessons(seed), ...stories(seed)]) {
      const shown = options.map((_, right) => {
        const content = render(right);
        const scenes = Array.isArray(content) ? content : content.scenes;
        return drawingHash({
          ...{ width: 16, height: 16, fps: 5 },
          segments: scenes.map(({ seconds, picture, tone }) => ({
            kind: "picture",
            duration_s: seconds,
            picture,
            sound: tone,
          })),
          subtitles: {
            where: "embedded",
            captions: scenes.map(({ said = "" }) => ({ start_s: 0, end_s: 1, text: said })),
          },
        });
      });
      expect(new Set(options).size).toBe(options.length);
      expect(new Set(shown).size).toBe(options.length);
    }
});

test("an equation, a chart and a row of numbers show the answer of the data", () => {
  for (const seed of SEEDS) {
    const made = lessons(seed);
    const said = (place: number) => made[place]?.content.steps.join("\n") ?? "";
    const answer = (place: number) => {
      const { options, right } = made[place] ?? { options: [], right: 0 };
      return options[right] ?? "";
    };
    const [, times, plus, total] =
      /equation: (\d+)x \+ (\d+) = (\d+)/.exec(said(6))?.map(Number) ?? [];
    expect(Number(answer(6)) * (times ?? 0) + (plus ?? 0)).toBe(total);
    const bars = [...said(3).matchAll(/([A-Z][a-z]+) (\d+)/g)].map(
      ([, fruit, value]) => [fruit, Number(value)] as const,
    );
    expect(bars.toSorted((a, b) => b[1] - a[1])[0]?.[0]).toBe(answer(3));
    const heights = (/heights: ([\d, ]+)/.exec(said(5))?.[1] ?? "").split(", ").map(Number);
    expect(heights).toHaveLength(5);
    expect(`${heights.reduce((sum, height) => sum + height, 0) / 5} cm`).toBe(answer(5));
  }
});

test("procedures: the ground truth is the order of the work, and no video has it", () => {
  for (const seed of SEEDS)
    for (const [place, { goal, groundTruth, steps, clips_s }] of procedures(seed).entries()) {
      const plan = PLANS[place];
      expect(plan?.goal).toBe(goal);
      expect(steps.length).toBeGreaterThanOrEqual(3);
      expect(clips_s).toHaveLength(steps.length);
      expect(groundTruth).not.toEqual(groundTruth.toSorted((a, b) => a - b));
      const inOrder = groundTruth.map((clip) => steps[clip]);
      expect(new Set(inOrder).size).toBe(steps.length);
      // Plans of a fixed order draw nothing; the others draw colours.
      const named = plan?.parts(() => 0).map((part) => part.name) ?? [];
      if (!named.some((name) => name.includes(" red ")))
        expect(inOrder).toEqual(named.slice(0, steps.length));
    }
});

test("every order of three clips except the right one is equally frequent", () => {
  const orders = Array.from({ length: 500 }, (_, seed) => procedures(seed))
    .flat()
    .flatMap(({ groundTruth }) => (groundTruth.length === 3 ? [groundTruth.join()] : []));
  const counts = [...Map.groupBy(orders, (order) => order).values()].map((same) => same.length);
  expect(counts).toHaveLength(5);
  for (const count of counts) expect(count / orders.length).toBeCloseTo(1 / 5, 1.5);
});

test("the same seed gives the same bytes, another seed gives other questions", () => {
  const data = (seed: number) => [
    JSON.stringify(procedures(seed).map(vcrbenchRow)),
    JSON.stringify(stories(seed).map(mmrRow)),
    Buffer.from(parquetOf(lessons(seed).map(mcqRow))).toString("base64"),
    ...[...procedures(seed), ...lessons(seed).map(({ film }) => film)].map(({ spec }) =>
      drawingHash(spec),
    ),
  ];
  expect(data(3)).toEqual(data(3));
  const [one, other] = [data(3), data(4)];
  for (const [place, item] of one.entries()) expect(item).not.toBe(other[place]);
});

test("the text around a question does not name the answer", () => {
  const names = (seed: number) => [
    ...procedures(seed).map((item, place) => vcrbenchRow(item, place).video_file),
    ...stories(seed).map((item, place) => mmrRow(item, place).video),
    ...lessons(seed).map((item, place) => mcqRow(item, place).videoID),
  ];
  expect(names(5)).toEqual(names(6));
});
