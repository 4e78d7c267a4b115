import fc from "fast-check";
import { expect, test } from "vitest";
import { assignRaters } from "../../../evals/human-study/assign.ts";

const study = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 40 }), fc.nat())
  .chain(([raters, items, seed]) =>
    fc.record({
      raters: fc.constant(raters),
      per_item: fc.integer({ min: 1, max: raters }),
      seed: fc.constant(seed),
      // The numbers of options of the samples of each question.
      questions: fc.array(
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 }),
        {
          minLength: items,
          maxLength: items,
        },
      ),
    }),
  );

/** The first samples of all questions, then the second ones, so that those of a question are apart. */
function itemsOf(questions: readonly (readonly number[])[]) {
  return [0, 1, 2, 3].flatMap((place) =>
    questions.flatMap((of, question) => {
      const options = of[place];
      return options === undefined ? [] : [{ question: `q${question}`, options }];
    }),
  );
}

test("every question has its number of different raters, for all of its samples, and raters have equally many questions", () => {
  fc.assert(
    fc.property(study, ({ questions, ...given }) => {
      const items = itemsOf(questions);
      const all = assignRaters(items, given);
      expect(all).toHaveLength(items.length * given.per_item);
      const loads = Array.from({ length: given.raters }, (_, rater) =>
        all.filter((one) => one.rater === rater),
      );
      const questionOf = (item: number) => items[item]?.question ?? "";
      const counts = loads.map((own) => new Set(own.map(({ item }) => questionOf(item))).size);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      for (const own of loads) expect(new Set(own.map(({ item }) => item)).size).toBe(own.length);
      const teams = new Map<string, Set<string>>();
      for (const [item, { question, options: count }] of items.entries()) {
        const of = all.filter((one) => one.item === item);
        expect(new Set(of.map(({ rater }) => rater)).size).toBe(given.per_item);
        expect(of).toHaveLength(given.per_item);
        const team = of.map(({ rater }) => rater).sort((a, b) => a - b);
        teams.set(question, (teams.get(question) ?? new Set()).add(team.join(" ")));
        // Different orders of the options, as far as there are enough.
        const orders = new Set(of.map(({ shift }) => shift));
        expect(orders.size).toBe(count < 2 ? 1 : Math.min(count, given.per_item));
        expect(of.every(({ shift }) => shift >= 0 && shift < Math.max(1, count))).toBe(true);
      }
      for (const of of teams.values()) expect(of.size).toBe(1);
      expect(assignRaters(items, given)).toEqual(all);
    }),
    { numRuns: 60 },
  );
});

test("pairs of raters share questions equally often, and orders differ between raters and seeds", () => {
  const options = itemsOf(new Array<number[]>(30).fill([4]));
  const all = assignRaters(options, { raters: 4, per_item: 2, seed: 1 });
  const together = new Map<string, number>();
  for (const item of options.keys()) {
    const pair = all.filter((one) => one.item === item).map(({ rater }) => rater);
    const name = pair.sort().join(" ");
    together.set(name, (together.get(name) ?? 0) + 1);
  }
  expect([...together.values()].sort()).toEqual([5, 5, 5, 5, 5, 5]);
  const items = (rater: number) => all.filter((one) => one.rater === rater).map((one) => one.item);
  expect(items(0)).not.toEqual([...items(0)].sort((a, b) => a - b));
  expect(assignRaters(options, { raters: 4, per_item: 2, seed: 2 })).not.toEqual(all);
  expect(() => assignRaters(options, { raters: 1, per_item: 2, seed: 0 })).toThrow(/--per-item/);
});
