/* Units of numbers in answers: converted within a dimension, and compared if both numbers have one. */

export interface Unit {
  /** `length`, `length^2`, `length time^-1`; equal for units that can be converted. */
  dimension: string;
  /** In the base units: metres, grams, seconds. */
  factor: number;
}

type Powers = Readonly<Record<string, number>>;
interface Part {
  powers: Powers;
  factor: number;
}

const parts = (powers: Powers, factors: Record<string, number>): [string, Part][] =>
  Object.entries(factors).flatMap(([names, factor]) =>
    names.split(" ").map((name): [string, Part] => [name, { powers, factor }]),
  );

const PARTS = new Map([
  ...parts(
    { length: 1 },
    {
      "mm millimeter millimetre": 1e-3,
      "cm centimeter centimetre": 1e-2,
      "m meter metre": 1,
      "km kilometer kilometre": 1e3,
      "in inch inches": 0.0254,
      "ft foot feet": 0.3048,
      "yd yard": 0.9144,
      "mi mile": 1609.344,
    },
  ),
  ...parts({ mass: 1 }, { "mg milligram": 1e-3, "g gram": 1, "kg kilogram": 1e3 }),
  ...parts(
    { time: 1 },
    {
      "ms millisecond": 1e-3,
      "s sec second": 1,
      "min minute": 60,
      "h hr hour": 3600,
      day: 86400,
      week: 604800,
    },
  ),
  ...parts({ length: 3 }, { "ml milliliter millilitre": 1e-6, cl: 1e-5, "l liter litre": 1e-3 }),
  ...parts({ length: 1, time: -1 }, { mph: 0.44704, "kph kmh kmph": 1 / 3.6 }),
]);

const POWER = String.raw`(?:\s?\^\s?\(?[-+]?\d+\)?|[23](?![\d.,]*\d))`;
const ATOM = `[a-zµ]+${POWER}?`;
const SQUARE = String.raw`(?:(?:square|sq|cubic|cu)\.?\s)?`;
const PER = String.raw`(?:\s?/\s?|\sper\s(?:an?\s)?|\san?\s(?=(?:second|minute|hour|day|week)\b))`;
/** A unit after a number, such as `cm^2`, `km/h`, `metres per second` or `m s^-1`; also any other word. */
export const UNIT = String.raw`${SQUARE}${ATOM}(?:${PER}${SQUARE}${ATOM}|\s?\*\s?${ATOM}|\s[a-zµ]+\s?\^\s?\(?-\d+\)?)*`;

/** Null if a part of it is not known. */
export function readUnit(text: string): Unit | null {
  const powers: Record<string, number> = {};
  let factor = 1;
  const sides = text.toLowerCase().split(new RegExp(PER));
  for (const [place, side] of sides.entries()) {
    for (const [, prefix, name = "", written] of side.matchAll(
      /(?:(sq|cu)[a-z]*\.?\s)?([a-zµ]+)(?:\s?\^?\s?\(?([-+]?\d+)\)?)?/g,
    )) {
      const part = PARTS.get(name) ?? PARTS.get(name.replace(/s$/, ""));
      if (part === undefined) return null;
      const own = Number(written ?? (prefix === undefined ? 1 : prefix === "sq" ? 2 : 3));
      const power = own * (place > 0 ? -1 : 1);
      factor *= part.factor ** power;
      for (const [base, of] of Object.entries(part.powers))
        powers[base] = (powers[base] ?? 0) + of * power;
    }
  }
  const bases = Object.entries(powers).filter(([, power]) => power !== 0);
  const dimension = bases
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([base, power]) => (power === 1 ? base : `${base}^${power}`));
  return bases.length === 0 ? null : { dimension: dimension.join(" "), factor };
}
