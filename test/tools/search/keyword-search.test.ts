import { readdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { makeEvidence, makeEvidenceSet } from "../../../src/core/evidence.ts";
import { sha256 } from "../../../src/core/hash.ts";
import type { Evidence, EvidenceKind, EvidenceSet } from "../../../src/core/shapes.ts";
import { type SearchFilters, searchEvidence } from "../../../tools/search/keyword-search.ts";
import { queryExpression } from "../../../tools/search/query-terms.ts";
import { tempFolder } from "../../support/temp.ts";

const video = sha256("a video");
let store: { derived(video: string): Promise<string> };

beforeAll(async () => {
  const folder = await tempFolder();
  store = { derived: async () => folder };
});

function said(start_s: number, text: string, kind: EvidenceKind = "subtitle"): Evidence {
  const by = { who: "file", name: "test" } as const;
  return makeEvidence({
    video,
    kind,
    start_s,
    end_s: start_s + 4,
    text,
    by,
    confidence: null,
    from: [],
  });
}

const lesson = makeEvidenceSet([
  said(0, "Welcome to the lesson about triangles."),
  said(10, "The area of a triangle is half its base times its height."),
  said(20, "Pythagoras' theorem relates the three sides."),
  said(30, "Don't forget: the hypotenuse is the longest side, here 2.5 metres."),
  said(40, "Área café naïve Straße", "text"),
  said(50, "面积等于底乘高的一半", "text"),
  said(60, "พื้นที่สามเหลี่ยม", "text"),
  said(70, "삼각형의 넓이를 구합니다", "text"),
  said(80, "", "frame"),
  said(90, "25 metres, then 5 and 2", "text"),
]);

async function starts(query: string, filters: SearchFilters = {}, set: EvidenceSet = lesson) {
  return (await searchEvidence(set, query, filters, store)).map(({ evidence }) => evidence.start_s);
}

test("finds words by their stems, best first", async () => {
  expect(await starts("What is the area of triangles?")).toEqual([10, 40, 0]);
  expect(await starts("forgetting")).toEqual([30]);
  expect(await starts("HEIGHTS")).toEqual([10]);
});

test("scores fall from hit to hit and are higher than 0", async () => {
  const scores = (await searchEvidence(lesson, "triangle area base", {}, store)).map(
    (hit) => hit.score,
  );
  expect(scores.length).toBe(3);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  for (const score of scores) expect(score).toBeGreaterThan(0);
});

test("diacritics, case and width make no difference", async () => {
  expect(await starts("cafe")).toEqual([40]);
  expect(await starts("NAÏVE")).toEqual([40]);
  expect(await starts("ｔｈｅｏｒｅｍ")).toEqual([20]);
});

test("vowel signs make another word; vowel points and the look of an emoji do not", async () => {
  const set = makeEvidenceSet([
    said(0, "दान करना अच्छा है"),
    said(10, "आज का दिन अच्छा है"),
    said(20, "இது ஒரு பல்"),
    said(30, "பால் குடித்தார்"),
    said(40, "الكِتَابُ على الطاولة"),
    said(50, "น้ำ"),
    said(60, "นา"),
    said(70, "ёлка, Ώρα, Việt"),
    said(80, "floor 1\ufe0f\u20e3"),
  ]);
  const queries = [
    "दिन",
    "दान",
    "பால்",
    "الكتاب",
    "الكِتَابُ",
    "น้ำ",
    "นา",
    "ёлка",
    "елка",
    "ωρα",
    "viet",
    "1",
  ];
  expect(await Promise.all(queries.map((query) => starts(query, {}, set)))).toEqual(
    [10, 0, 30, 40, 40, 50, 60, 70, 70, 70, 70, 80].map((start) => [start]),
  );
});

test("a decimal number is one thing, and an apostrophe does not break a word", async () => {
  expect(await starts("2.5")).toEqual([30]);
  expect(await starts("don't")).toEqual([30]);
  expect(await starts("don’t")).toEqual([30]);
});

test("scripts without spaces are found by parts of a run", async () => {
  expect(await starts("面积")).toEqual([50]);
  expect(await starts("三角形的面积是多少")).toEqual([50]);
  expect(await starts("半")).toEqual([50]);
  expect(await starts("สามเหลี่ยม")).toEqual([60]);
  expect(await starts("넓이")).toEqual([70]);
});

test("words, numbers and the end of a long text without spaces are searched", async () => {
  const set = makeEvidenceSet([
    said(0, "今日はとても寒いです"),
    said(10, "RX580 costs 1500"),
    said(20, "สวัสดีครับ"),
  ]);
  const japanese =
    "この動画の中で講師は最初に自己紹介をしてから、次に会社の歴史について詳しく説明し、さらに新しい製品の特徴について" +
    "話していますが、その製品 RX580 の値段はいくらでしょうか";
  expect(await starts(japanese, { limit: 1 }, set)).toEqual([10]);
  // 500 different pairs, the words of one cue at their end.
  const long = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(0x6000 + at)).join("");
  expect(await starts(`${long}とても寒い 1500`, {}, set)).toEqual([0, 10]);
  expect(queryExpression(`RX580 ${long}`)?.split(" OR ")).toHaveLength(1 + 192);
});

test("a query of ordinary words is their expression", () => {
  expect(queryExpression("What does the 2.5 cm label say about H2O?")).toBe(
    '"2.5" OR "cm" OR "label" OR "say" OR "h2o"',
  );
});

test("filters by kind, time and number", async () => {
  expect(await starts("area metres", { kinds: ["text"] })).toEqual([40, 90]);
  expect(await starts("triangle theorem hypotenuse", { from_s: 14, to_s: 24 })).toEqual([20, 10]);
  expect(await starts("triangle theorem hypotenuse", { from_s: 14.1, to_s: 29 })).toEqual([20]);
  expect(await starts("triangle", { limit: 1 })).toHaveLength(1);
  expect(await starts("triangle", { limit: 0 })).toEqual([]);
});

test("common words are searched only if there are no others", async () => {
  expect(await starts("the hypotenuse")).toEqual([30]);
  expect((await starts("the of")).length).toBeGreaterThan(1);
});

test.each(["", "   ", "?!", "🙂🙂", '"', "\u0000", "\ud800", "area\ud800", "' OR 1=1 --"])(
  "%j is a query like any other",
  async (query) => {
    expect(await starts(query)).toEqual(query.includes("area") ? [40, 10] : []);
  },
);

test.each([
  'triangle" OR "x',
  "NEAR(triangle area, 2)",
  "text:triangle",
  "triangle*",
  "triangle AND NOT area",
  "^triangle (",
  "triangle\u0000area",
  "{triangle}: -area + {",
])("%j finds its words", async (query) => {
  expect(await starts(query)).toContain(10);
});

test("any string is accepted, by itself and around a word", async () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: "grapheme", maxLength: 60 }),
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
      .map((units) => String.fromCharCode(...units)),
    fc
      .array(
        fc.constantFrom(
          '"',
          "'",
          "(",
          ")",
          "*",
          ":",
          "^",
          "-",
          "+",
          "NEAR",
          "AND",
          "OR",
          "NOT",
          "{",
          "}",
          ",",
          " ",
        ),
        { maxLength: 30 },
      )
      .map((signs) => signs.join("")),
  );
  await fc.assert(
    fc.asyncProperty(anything, anything, async (before, after) => {
      await searchEvidence(lesson, before, {}, store);
      expect(await starts(`${before} hypotenuse ${after}`, { limit: 100 })).toContain(30);
    }),
    { numRuns: 300 },
  );
});

test("any text can be indexed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 100 }), async (text) => {
      const set = makeEvidenceSet([said(5, `${text} hypotenuse`)]);
      expect(await starts("hypotenuse", {}, set)).toEqual([5]);
    }),
    { numRuns: 30 },
  );
});

test("only the beginning of a 100 kB query is searched", async () => {
  expect(await starts(`triangle ${"x".repeat(100_000)}`)).toContain(10);
  expect(
    await starts(`triangle ${Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(" ")}`),
  ).toContain(10);
});

test("each set has its own index, made once; a damaged one is rebuilt", async () => {
  const folder = await tempFolder();
  const own = { derived: async () => folder };
  const first = makeEvidenceSet([said(1, "a red cube")]);
  const corrected = makeEvidenceSet([said(1, "a blue cube")], first.id);
  const find = async (set: EvidenceSet, query: string) =>
    (await searchEvidence(set, query, {}, own)).map(({ evidence }) => evidence.text);
  expect(await find(first, "red")).toEqual(["a red cube"]);
  expect(await find(corrected, "red")).toEqual([]);
  expect(await Promise.all(Array.from({ length: 5 }, () => find(corrected, "cube")))).toEqual(
    Array(5).fill(["a blue cube"]),
  );
  const [index = ""] = await readdir(folder);
  const files = await readdir(join(folder, index));
  expect(files.sort()).toEqual([`${first.id}.sqlite`, `${corrected.id}.sqlite`].sort());
  await truncate(join(folder, index, `${first.id}.sqlite`), 100);
  expect(await find(first, "red")).toEqual(["a red cube"]);
});

test("a set without items finds nothing", async () => {
  expect(await starts("triangle", {}, makeEvidenceSet([]))).toEqual([]);
});
