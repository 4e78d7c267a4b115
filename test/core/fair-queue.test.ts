import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "../../src/core/fair-queue.ts";

function rig(places: number, most: number) {
  const queue = createFairQueue(places, most);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (owner: string) =>
    queue.add(owner, async () => {
      begun.push(owner);
      await new Promise<void>((end) => ends.push(end));
    });
  return { queue, begun, ends, add };
}
const settled = () => new Promise(setImmediate);

test("hanging work of one key leaves a slot to another key", async () => {
  const { queue, begun, add } = rig(4, 3);
  for (let i = 0; i < 20; i++) void add("mallory");
  queue.start();
  await settled();
  expect(begun).toEqual(["mallory", "mallory", "mallory"]);
  void add("ann");
  await settled();
  expect(begun.at(-1)).toBe("ann");
  expect([queue.running(), queue.waiting()]).toEqual([4, 17]);
});

test("the next slot goes to the owner with the fewest running tasks, not to the longest queue", async () => {
  const { queue, begun, ends, add } = rig(4, 3);
  for (const owner of ["m", "m", "m", "m", "m", "ann", "bob", "bob"]) void add(owner);
  queue.start();
  await settled();
  expect(begun).toEqual(["m", "ann", "bob", "m"]);
  ends[0]?.();
  await settled();
  expect(begun.at(-1)).toBe("m");
});

test("an owner may use all slots, and waiting tasks are dropped when the queue is cleared", async () => {
  const { queue, begun, ends, add } = rig(3, 3);
  const all = Array.from({ length: 5 }, () => add(""));
  queue.start();
  await settled();
  expect(begun).toHaveLength(3);
  queue.clear();
  await Promise.all(all.slice(3));
  for (const end of ends) end();
  await Promise.all(all);
  expect(begun).toHaveLength(3);
  expect([queue.running(), queue.waiting()]).toEqual([0, 0]);
});

test("in any order of arrival all work runs once, slots are never lost, and no owner exceeds its share", () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(3)), { maxLength: 40 }),
      async (places, most, steps) => {
        const queue = createFairQueue(places, most);
        const at = new Map<string, number>();
        let ran = 0;
        const work = steps.map(([owner, turns]) =>
          queue.add(owner, async () => {
            ran++;
            at.set(owner, (at.get(owner) ?? 0) + 1);
            expect(at.get(owner)).toBeLessThanOrEqual(most);
            expect([...at.values()].reduce((sum, n) => sum + n)).toBeLessThanOrEqual(places);
            for (let i = 0; i < turns; i++) await null;
            at.set(owner, (at.get(owner) ?? 0) - 1);
          }),
        );
        queue.start();
        await Promise.all(work);
        expect(ran).toBe(steps.length);
      },
    ),
    { numRuns: 100 },
  ));
