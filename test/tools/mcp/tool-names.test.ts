import fc from "fast-check";
import { expect, test } from "vitest";
import { tools } from "../../../tools/agent/define-tool.ts";
import { publicName } from "../../../tools/mcp/tool-names.ts";

test("every tool of every server has a name of its own that OpenAI and Gemini accept", () => {
  const word = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 90 }),
    fc.constantFrom("a", "a_", "a__b", "b", "b__c", "_", "__", "a b", "a-b", "9", "answer", "zoom"),
  );
  const servers = fc.uniqueArray(
    fc.record({ server: word, names: fc.uniqueArray(word, { maxLength: 5 }) }),
    { maxLength: 5, selector: ({ server }) => server },
  );
  fc.assert(
    fc.property(servers, (given) => {
      const name = () =>
        given.flatMap(({ server, names }) => {
          const taken = new Set<string>();
          return names.map((tool) => publicName(server, tool, taken));
        });
      const found = name();
      for (const one of found) expect(one).toMatch(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((one) => one === "answer" || tools.find(one) !== undefined)).toEqual([]);
      expect(name()).toEqual(found);
    }),
  );
});

test("plain names are joined", () => {
  expect(publicName("league", "standings", new Set())).toBe("league__standings");
});
