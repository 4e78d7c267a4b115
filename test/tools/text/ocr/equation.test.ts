import fc from "fast-check";
import { expect, test } from "vitest";
import {
  composeEquation,
  isWellFormed,
  looksLikeEquation,
  proseShare,
} from "../../../../tools/text/ocr/equation.ts";
import type { EquationShape } from "../../../../tools/text/ocr/equation-shape.ts";

const NOWHERE = { x0: 0, y0: 0, x1: 9, y1: 9, glyphs: [] };

/** A line of this many characters, with those of `raised` after the first `after`. */
const shapeOf = (onLine: number, scripts: { after: number; length: number }[] = []) =>
  ({
    equals: true,
    twoDimensional: false,
    base: [{ root: false, clusters: Array.from({ length: onLine }, () => NOWHERE) }],
    scripts: scripts.map(({ after, length }) => ({
      raised: true,
      after,
      clusters: Array.from({ length }, () => NOWHERE),
    })),
    signs: [],
  }) satisfies EquationShape;

test.each(["a=b", "A^2+B^2=C^2", "x_{10}≥3", "f(x)=[y-1]/2", "sqrt(x)<4", "-1<x"])(
  "%s is well formed",
  (text) => expect(isWellFormed(text)).toBe(true),
);

test.each(["", "ab", "=b", "a=", "(a=b", "a)=(b", "a+=b*", "a=b+*c", "a^=b", "a=b§", "a = ()"])(
  "%j is not an equation that was read",
  (text) => expect(isWellFormed(text)).toBe(false),
);

test("raised characters are put after their base", () => {
  const shape = shapeOf(3, [
    { after: 1, length: 2 },
    { after: 3, length: 1 },
  ]);
  expect(composeEquation(shape, ["a=b"], ["10", "2"])).toBe("a^{10} = b^2");
});

test("signs that the ink shows are restored where tesseract missed or misread them", () => {
  const clusters = [..."f(x)=2l-?"].map((character) => {
    const known = ["(", ")", "=", "-", "?"] as const;
    const sign = known.find((one) => one === character);
    return sign === undefined ? NOWHERE : { ...NOWHERE, sign };
  });
  const shape = { ...shapeOf(0), base: [{ root: false, clusters }] };
  expect(composeEquation(shape, ["f(x)=2l-?"], [])).toBe("f(x) = 21 - ?");
  expect(composeEquation(shape, ["fx)=2l-?"], [])).toBe("f(x) = 21 - ?");
  expect(composeEquation(shape, ["fx2l"], [])).toBe("f(x) = 21 - ?");
  expect(composeEquation(shape, ["fx2"], [])).toBeNull();
  expect(composeEquation(shape, ["fx2lb"], [])).toBeNull();
  expect(composeEquation(shapeOf(5), ["V=(3I"], [])).toBeNull();
  expect(composeEquation(shapeOf(4), ["V=3I"], [])).toBe("V = 3I");
});

test("a letter with the same shape in both cases gets the case of its size", () => {
  const [low, tall] = [{ ...NOWHERE, low: true as const }, NOWHERE];
  const shape = { ...shapeOf(0), base: [{ root: false, clusters: [tall, low, tall, tall] }] };
  expect(composeEquation(shape, ["2X=4"], [])).toBe("2x = 4");
  expect(composeEquation(shape, ["XX=4"], [])).toBe("Xx = 4");
});

test("a part with more or fewer characters than glyphs leaves the equation unread", () => {
  const shape = shapeOf(3, [{ after: 3, length: 1 }]);
  for (const [base, script] of [
    ["a=", "2"],
    ["a=bc", "2"],
    ["a=b", ""],
    ["a=b", "22"],
    ["", ""],
  ] as const)
    expect(composeEquation(shape, [base], [script])).toBeNull();
});

test("no equation drops or adds a character of the reading", () => {
  const characters = fc.string({
    unit: fc.constantFrom(..."ab12+-=()<^_ §'"),
    maxLength: 8,
  });
  const lengths = fc.record({
    onLine: fc.nat(8),
    raised: fc.nat(3),
    after: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(
    fc.property(characters, characters, lengths, (base, script, { onLine, raised, after }) => {
      const scripts = raised > 0 && after <= onLine ? [{ after, length: raised }] : [];
      const text = composeEquation(shapeOf(onLine, scripts), [base], [script]);
      if (text === null) return;
      const packed = (one: string) => one.replace(/\s/g, "");
      const given = packed(base);
      const marks = `^${raised > 1 ? `{${packed(script)}}` : packed(script)}`;
      expect(packed(text)).toBe(
        scripts.length === 0 ? given : given.slice(0, after) + marks + given.slice(after),
      );
    }),
    { numRuns: 2000 },
  );
});

test("prose with a sign is not an equation, a relation between letters is", () => {
  expect(looksLikeEquation("the area = half the base", shapeOf(0))).toBe(false);
  expect(looksLikeEquation("a = b", shapeOf(3))).toBe(true);
  expect(proseShare("Stream ciphers")).toBe(1);
  expect(proseShare("f(x)=y")).toBe(0);
});
