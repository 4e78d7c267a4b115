import fc from "fast-check";
import { expect, test } from "vitest";
import { components, type Glyph } from "../../../../tools/text/ocr/glyphs.ts";

/** The same by flooding from every pixel, in the order in which their first pixels come. */
function flooded(mask: Uint8Array, width: number, height: number, value: number): Glyph[] {
  const seen = new Set<number>();
  const found: Glyph[] = [];
  for (let start = 0; start < mask.length; start++) {
    if (mask[start] !== value || seen.has(start)) continue;
    const glyph = { x0: width, y0: height, x1: -1, y1: -1, area: 0 };
    const open = [start];
    seen.add(start);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      glyph.x0 = Math.min(glyph.x0, x);
      glyph.y0 = Math.min(glyph.y0, y);
      glyph.x1 = Math.max(glyph.x1, x);
      glyph.y1 = Math.max(glyph.y1, y);
      glyph.area++;
      for (const dy of [-1, 0, 1])
        for (const dx of [-1, 0, 1]) {
          const next = (y + dy) * width + x + dx;
          const inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
          if (!inside || seen.has(next) || mask[next] !== value) continue;
          seen.add(next);
          open.push(next);
        }
    }
    found.push(glyph);
  }
  return found;
}

test("connected pixels are one glyph, diagonals included, in the order of their first pixels", () => {
  const masks = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        cells: fc.array(fc.constantFrom(0, 0, 1, 1, 2), {
          minLength: width * height,
          maxLength: width * height,
        }),
      }),
    );
  fc.assert(
    fc.property(masks, fc.constantFrom(1, 2), ({ width, height, cells }, value) => {
      const mask = Uint8Array.from(cells);
      expect(components(mask, width, height, value)).toEqual(flooded(mask, width, height, value));
    }),
    { numRuns: 500 },
  );
});
