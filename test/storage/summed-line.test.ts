import fc from "fast-check";
import { expect, test } from "vitest";
import { onlyMembers } from "../../src/storage/run-line.ts";
import { summaryReader, summedLine, withoutSum } from "../../src/storage/summed-line.ts";

const MEMBERS = ["attempt", "usage"];
const summaryOf = summaryReader(MEMBERS);

/** Texts that look like the mark, and any others. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(',"check":"0000000000000000"}', '","check":"', "\\", "\n", "é", "\u{1f600}"),
);
const sample = fc.record(
  {
    sample: text,
    epoch: fc.integer({ min: 1, max: 9 }),
    attempt: fc.nat(),
    usage: fc.dictionary(text, fc.jsonValue()),
    error: fc.jsonValue(),
    reply: text,
    calls: fc.array(fc.jsonValue()),
  },
  { requiredKeys: ["sample", "epoch"] },
);

/** What JSON keeps of it: -0 becomes 0. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test("the first members are those of the result, and the whole line is the result", () => {
  fc.assert(
    fc.property(sample, (one) => {
      const line = summedLine(one, MEMBERS);
      expect(line).not.toContain("\n");
      expect(withoutSum(JSON.parse(line))).toEqual(stored(one));
      const summary = summaryOf(Buffer.from(line));
      expect(summary).toEqual(onlyMembers(stored(one), MEMBERS));
    }),
    { numRuns: 500 },
  );
});

test("no line is trusted whose checksum is spelt otherwise", () => {
  const line = summedLine({ sample: "q", epoch: 1, attempt: 0, reply: "xyz" }, MEMBERS);
  const sum = line.slice(-18, -2);
  expect(summaryOf(Buffer.from(line))).toEqual({ sample: "q", epoch: 1, attempt: 0 });
  for (const other of [
    sum.toUpperCase(),
    ` ${sum.slice(1)}`,
    `${sum.slice(0, -1)}g`,
    sum.replace(/.$/, "."),
  ])
    expect(summaryOf(Buffer.from(line.replace(sum, other))), other).toBeUndefined();
  expect(sum).not.toBe(sum.toUpperCase());
});

test("no line is trusted that lost or changed a byte, or has other first members", () => {
  fc.assert(
    fc.property(sample, fc.nat(), fc.integer({ min: 1, max: 255 }), (one, at, by) => {
      const line = Buffer.from(summedLine(one, MEMBERS));
      const changed = Buffer.from(line);
      const place = at % line.length;
      changed[place] = (changed[place] as number) ^ by;
      expect(summaryOf(changed)).toBeUndefined();
      expect(summaryOf(line.subarray(0, place))).toBeUndefined();
      expect(summaryReader(["attempt"])(line)).toBeUndefined();
      expect(summaryOf(Buffer.from(JSON.stringify(one)))).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});

test("a member `__proto__` is kept like any other", () => {
  const given = JSON.parse('{"sample":"q","epoch":1,"attempt":0,"__proto__":{"a":1}}');
  const { check: _, ...kept } = JSON.parse(summedLine(given, MEMBERS));
  expect(JSON.stringify(kept)).toBe(JSON.stringify(given));
});
