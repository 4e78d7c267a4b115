import { type Bounds, type Glyph, heightOf, hull, type InkPage, widthOf } from "./glyphs.ts";
import { GLYPH_LIMIT } from "./text-lines.ts";

/** A bar this many times as wide as high is one; it is as long as the longer side, or a little longer. */
const SLENDER = 8;
const OVERHANG = 2;
/** Share of the bar by which a side may stand off its middle: what is underlined stands at its left end. */
const OFF_CENTRE = 0.15;
/** Heights of its characters that a side may be away from the bar. */
const NEAR = 0.8;
/** Heights of its characters within which what is beside a fraction belongs to the same formula. */
const BESIDE = 1.5;
/** Least height of a character, pixels. */
const CHARACTER = 12;

/**
 * Formulas with fractions, each the hull of all that stands beside its bar: a long stroke with characters centred
 * over and under it. Such a formula is no row of characters, so that its rows must not be read as lines.
 */
export function findFractions(page: InkPage): Bounds[] {
  const formulas: Bounds[] = [];
  for (const ink of page.inks) {
    const characters = ink.glyphs.filter(isCharacter);
    if (characters.length > GLYPH_LIMIT) continue;
    for (const bar of [...ink.rules, ...ink.glyphs]) {
      if (widthOf(bar) < heightOf(bar) * SLENDER || widthOf(bar) < 3 * CHARACTER) continue;
      const over = sideOf(bar, characters, (glyph) => bar.y0 - glyph.y1);
      const under = sideOf(bar, characters, (glyph) => glyph.y0 - bar.y1);
      if (over === null || under === null) continue;
      if (widthOf(bar) > OVERHANG * Math.max(widthOf(over), widthOf(under))) continue;
      formulas.push(withNeighbours(hull([bar, over, under]), bar, characters));
    }
  }
  return joined(formulas);
}

const isCharacter = (glyph: Glyph) =>
  heightOf(glyph) >= CHARACTER && widthOf(glyph) < heightOf(glyph) * 3;

/** What stands on one side of the bar; null where it is nothing, or not a numerator or denominator. */
function sideOf(
  bar: Bounds,
  characters: readonly Glyph[],
  gapTo: (glyph: Glyph) => number,
): Bounds | null {
  const slope = heightOf(bar);
  const members = characters.filter((glyph) => {
    const gap = gapTo(glyph);
    const beside = glyph.x1 < bar.x0 || glyph.x0 > bar.x1;
    return !beside && gap >= -slope && gap <= heightOf(glyph) * NEAR;
  });
  if (members.length === 0) return null;
  const side = hull(members);
  const off = Math.abs(side.x0 + side.x1 - bar.x0 - bar.x1) / 2;
  const within = side.x0 >= bar.x0 - slope && side.x1 <= bar.x1 + slope;
  return within && off <= widthOf(bar) * OFF_CENTRE ? side : null;
}

/** Grows over characters beside it that reach the height of the bar: a sign of an integral, `dx`, `=`. */
function withNeighbours(formula: Bounds, bar: Bounds, characters: readonly Glyph[]): Bounds {
  let grown = formula;
  for (let before = 0; before !== widthOf(grown); ) {
    before = widthOf(grown);
    const middle = (bar.y0 + bar.y1) / 2;
    const near = characters.filter(
      (glyph) =>
        glyph.y0 <= middle + heightOf(bar) &&
        glyph.y1 >= middle - heightOf(bar) &&
        Math.max(glyph.x0 - grown.x1, grown.x0 - glyph.x1) <=
          Math.min(heightOf(glyph), heightOf(formula) / 2) * BESIDE,
    );
    grown = hull([grown, ...near]);
  }
  return grown;
}

function joined(formulas: readonly Bounds[]): Bounds[] {
  const kept: Bounds[] = [];
  for (const formula of formulas) {
    const touching = kept.filter(
      (other) =>
        Math.min(other.x1, formula.x1) >= Math.max(other.x0, formula.x0) &&
        Math.min(other.y1, formula.y1) >= Math.max(other.y0, formula.y0),
    );
    for (const other of touching) kept.splice(kept.indexOf(other), 1);
    kept.push(hull([formula, ...touching]));
  }
  return kept;
}
