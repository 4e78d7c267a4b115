import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLibraryQuery } from "../../../src/core/library/library-query.ts";
import { snippetOf } from "../../../src/core/library/snippet.ts";

const shown = (query: string) =>
  parseLibraryQuery(query).map(({ words, prefix }) => words + (prefix ? "*" : ""));

test("a query is words, phrases in quotes, and the beginning of the last word", () => {
  expect(shown("heat pump effic")).toEqual(["heat", "pump", "effic*"]);
  expect(shown('"heat pump" x')).toEqual(["heat pump", "x"]);
  expect(shown("heat pump ")).toEqual(["heat", "pump"]);
  expect(shown("say “heat pump”")).toEqual(["say", "heat pump"]);
  expect(shown('say "heat pu')).toEqual(["say", "heat pu*"]);
  expect(shown('NEAR(a, b) OR -x* "" ^ ) {t}:')).toEqual(["NEAR(a", "b", "OR", "x", "t"]);
  expect(shown(" !?\"'() ")).toEqual([]);
});

test("scripts without spaces are phrases of pairs, as the index has them", () => {
  expect(shown("机器学习")).toEqual(["机器 器学 学习"]);
  expect(shown("学")).toEqual(["学*"]);
  expect(shown("AI模型")).toEqual(["AI 模型"]);
  expect(shown("模型AI")).toEqual(["模型 型 AI*"]);
});

const ranges = (text: string, query: string) => {
  const snippet = snippetOf(text, parseLibraryQuery(query));
  return snippet.match.map(([from, to]) => snippet.text.slice(from, to));
};

test("matches are found without case and diacritics, also as phrases and beginnings", () => {
  expect(ranges("Ein Käse, zwei KÄSEBROTE", "kase")).toEqual(["Käse", "KÄSEBROTE"]);
  expect(ranges("the chain rule; a rule of the chain", '"chain rule"')).toEqual(["chain rule"]);
  expect(ranges("我们讨论机器学习的历史", "学习")).toEqual(["学习"]);
  expect(ranges("İstanbul'da", "istanbul")).toEqual(["İstanbul"]);
});

test("a long text is cut around its first match", () => {
  const text = `${"before 😀 ".repeat(60)}needle ${"after ".repeat(80)}`;
  const snippet = snippetOf(text, parseLibraryQuery("needle"));
  expect(snippet.text).toMatch(/^….{40,70}needle .*…$/u);
  expect(snippet.text.length).toBeLessThan(250);
  expect(snippet.match.map(([from, to]) => snippet.text.slice(from, to))).toEqual(["needle"]);
});

test("ranges lie in the snippet, in order, without overlap, whatever the text and query", () => {
  const text = fc.string({ unit: "binary", maxLength: 400 });
  fc.assert(
    fc.property(text, text, (body, query) => {
      const { text: cut, match } = snippetOf(body, parseLibraryQuery(query));
      let at = 0;
      for (const [from, to] of match) {
        expect(from).toBeGreaterThanOrEqual(at);
        expect(to).toBeGreaterThan(from);
        at = to;
      }
      expect(at).toBeLessThanOrEqual(cut.length);
    }),
    { numRuns: 60 },
  );
});
