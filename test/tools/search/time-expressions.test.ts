import fc from "fast-check";
import { expect, test } from "vitest";
import { timeExpressions } from "../../../tools/search/time-expressions.ts";

/** The ranges of a question about a video of ten minutes. */
function rangesOf(question: string, duration_s = 600) {
  return timeExpressions(question, duration_s).ranges.map(({ start_s, end_s }) => [start_s, end_s]);
}

test.each<[string, number[]]>([
  ["What happens at 1:10?", [68, 72]],
  ["What happens at 0:01:10?", [68, 72]],
  ["What is shown at 75 seconds?", [73, 77]],
  ["What is on screen at the 2:00 mark?", [118, 122]],
  ["What is on the board at the 30-second mark?", [28, 32]],
  ["Who speaks around 4 minutes?", [230, 250]],
  ["What is at minute 3?", [175, 185]],
  ["70 seconds in, what does he hold?", [68, 72]],
  ["What is seen a minute and a half into the video?", [85, 95]],
  ["What is seen two minutes and five seconds into the clip?", [123, 127]],
  ["What falls 10 seconds before the end?", [588, 592]],
  ["What does she cut between 2:00 and 3:30?", [120, 210]],
  ["What does she cut from 2 to 3 minutes?", [120, 180]],
  ["What does she cut between one and two minutes?", [60, 120]],
  ["What happens between 3:30 and 2:00?", [120, 210]],
  ["Who enters 1:10-1:25?", [70, 85]],
  ["What is drawn in the first 30 seconds?", [0, 30]],
  ["What is drawn during the first couple of minutes?", [0, 120]],
  ["What is drawn in the last minute?", [540, 600]],
  ["What is drawn in the final ten seconds?", [590, 600]],
  ["What is drawn in the second half?", [300, 600]],
  ["What is drawn in the last third?", [400, 600]],
  ["What is drawn in the middle third?", [200, 400]],
  ["What is drawn in the last 10 % of the film?", [540, 600]],
  ["What is drawn in the second minute?", [60, 120]],
  ["What colour is the car at the beginning?", [0, 60]],
  ["What is in the first scene?", [0, 60]],
  ["Who wins in the end?", [540, 600]],
  ["Who wins at the end of the video?", [540, 600]],
  ["What happens shortly before the end?", [540, 600]],
  ["What is mixed around the middle?", [240, 360]],
  ["What is mixed halfway through the film?", [240, 360]],
  ["What is added after 5 minutes?", [300, 600]],
  ["What is added from 2:00 on?", [120, 600]],
  ["What is added before the 2:00 mark?", [0, 120]],
  ["What is added after the first minute?", [60, 600]],
  ["What is added after a second?", [1, 600]],
  ["What is drawn within the first half minute?", [0, 30]],
  ["What is drawn in the first half-hour?", [0, 600]],
  ["What is drawn in the last minute and a half?", [510, 600]],
  ["What is drawn two and a half minutes into the video?", [145, 155]],
  ["What is drawn after 2 and a half minutes?", [150, 600]],
  ["What is drawn between 1:30 and the end?", [90, 600]],
  ["What is drawn from 1:30 until the very end of the video?", [90, 600]],
  ["What is drawn from the beginning to 0:30?", [0, 30]],
  ["What is drawn between the start of the film and 2 minutes?", [0, 120]],
  ["What is drawn between 1:30 and the end of the race?", [88, 92]],
  ["What is drawn in the second 30 seconds?", [30, 60]],
  ["What is drawn in the third two minutes?", [240, 360]],
  ["What is drawn in the middle 60 seconds?", [270, 330]],
])("%s", (question, range) => {
  expect(rangesOf(question)).toEqual([range]);
});

test.each([
  "When does she leave?",
  "How long is it boiled for 5 minutes?",
  "What does she do 5 minutes later?",
  "What stands at the end of the table?",
  "Which clock shows that it is 1:10 pm?",
  "Does he take a second look?",
  "What is on the table before a second person enters the room?",
  "Who opens after a second knock?",
  "What is seen from a second angle?",
  "Is it 3:30 in the afternoon?",
  "Does the train leave at 3:30 in the early morning?",
  "What happens from the beginning to the end?",
  "Is the room 5 m high?",
  "Who is first to arrive, and who last?",
  "",
  "?!",
])("no time of the video: %s", (question) => {
  expect(timeExpressions(question, 600)).toMatchObject({ ranges: [], beyond: [] });
});

test("several times of one question are returned in order, with their words and positions", () => {
  const question =
    "Compare the cup at 1:10 with that in the last minute, and what is said at 75 seconds.";
  const { ranges } = timeExpressions(question, 600);
  expect(ranges.map(({ words, start_s }) => [words, start_s])).toEqual([
    ["at 1:10", 68],
    ["in the last minute", 540],
    ["at 75 seconds", 73],
  ]);
  for (const { words, index } of ranges)
    expect(question.slice(index)).toMatch(new RegExp(`^${words}`));
});

test("a time beyond the end is marked; a range that starts within the video is cut to it", () => {
  const { ranges, beyond } = timeExpressions(
    "What is at 9:30, and what between 0:50 and 2:00?",
    60,
  );
  expect(ranges).toMatchObject([{ start_s: 50, end_s: 60 }]);
  expect(beyond).toMatchObject([{ words: "at 9:30", start_s: 568 }]);
  expect(rangesOf("the last minute", 40)).toEqual([[0, 40]]);
  expect(rangesOf("at the beginning", 4)).toEqual([[0, 4]]);
});

test.each<[string, [string, string][]]>([
  ["What does she take before she leaves?", [["before", "she leaves"]]],
  ["After the man opens the door, what does he do?", [["after", "the man opens the door"]]],
  [
    "What is written when the teacher draws the triangle?",
    [["at", "the teacher draws the triangle"]],
  ],
  ["What does he do as soon as the bell rings and then sits down?", [["after", "the bell rings"]]],
  [
    "Who comes after the soup is served but before the cake?",
    [
      ["after", "the soup is served"],
      ["before", "the cake"],
    ],
  ],
  ["Who opens after a second knock?", [["after", "a second knock"]]],
  ["Since when is the door open?", []],
  ["What happens after 5 minutes?", []],
  ["What came before?", []],
])("events to be searched: %s", (question, events) => {
  const { anchors } = timeExpressions(question, 600);
  expect(anchors.map(({ direction, phrase }) => [direction, phrase])).toEqual(events);
});

const piece = fc.oneof(
  fc.constantFrom(
    ..."at between and to the first last half minute minutes seconds 1:10 2:00 75 of video end before after when until from a few mark in second third , ? . - ".split(
      " ",
    ),
  ),
  fc.string({ maxLength: 6 }),
  fc.integer({ min: 0, max: 99_999 }).map(String),
);

test("any text is read without failing, and ranges are within the video, in order", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(" ")),
      fc.oneof(
        fc.double({ min: 0, max: 20_000, noNaN: true }),
        fc.constantFrom(Number.NaN, -1, Number.POSITIVE_INFINITY),
      ),
      (question, duration_s) => {
        const { ranges, anchors, beyond } = timeExpressions(question, duration_s);
        for (const { start_s, end_s } of ranges) {
          expect(start_s).toBeGreaterThanOrEqual(0);
          expect(end_s).toBeGreaterThan(start_s);
          expect(end_s).toBeLessThanOrEqual(duration_s);
        }
        const places = ranges.map(({ index }) => index);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        for (const { phrase } of anchors) expect(phrase.trim()).not.toBe("");
        for (const { start_s } of beyond)
          expect(
            start_s >= duration_s ||
              Number.isNaN(duration_s) ||
              duration_s < 0 ||
              duration_s === Number.POSITIVE_INFINITY,
          ).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});

test("a clock of any hour, minute and second is read as its seconds", () => {
  const two = (n: number) => String(n).padStart(2, "0");
  fc.assert(
    fc.property(fc.nat(9), fc.nat(59), fc.nat(59), (h, m, s) => {
      const at_s = h * 3600 + m * 60 + s;
      const text = h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
      expect(rangesOf(`What is seen at ${text}?`, 40_000)).toEqual([
        [Math.max(0, at_s - 2), at_s + 2],
      ]);
    }),
  );
});

test("a long question of repeated beginnings is read quickly", () => {
  const began = performance.now();
  for (const part of [
    "between the 1:10 and ",
    "the first one minute ",
    "after after ",
    "1 minute and ",
    "a ",
    "0:00 - ",
  ])
    timeExpressions(part.repeat(2000), 600);
  expect(performance.now() - began).toBeLessThan(3000);
});
