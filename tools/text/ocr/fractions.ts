import { type Bounds, type Glyph, heightOf, hull, type InkPage, widthOf } from "./glyphs.ts";
import { GLYPH_LIMIT } from "./text-lines.ts";

/** Least ratio of width to height of a bar, and the most that it may exceed its longer side, as a factor. */
const SLENDER = 8;
const OVERHANG = 2;
/** Share of the bar by which a side may be off-centre. Underlined text is at the left end. */
const OFF_CENTRE = 0.15;
/** Largest distance of a side from the bar, in heights of its characters. */
const NEAR = 0.8;
/** Distance within which neighbouring characters belong to the same formula, in heights of the characters. */
const BESIDE = 1.5;
/** Least height of a character, in pixels. */
const CHARACTER = 12;

/**
 * Finds formulas with fractions. Each is the hull of a fraction and its neighbours: a long stroke with characters
 * centred above and below it. Such a formula is not a row of characters, so its rows must not be read as lines.
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

/** The characters on one side of the bar; null if there are none, or if they are not a numerator or denominator. */
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

/** Extends a formula by neighbouring characters at the height of the bar: an integral sign, `dx`, `=`. */
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
