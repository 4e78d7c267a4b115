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

/** In NFKC, where the micro sign is the Greek letter. */
const PARTS = new Map([
  ...parts(
    { length: 1 },
    {
      "nm nanometer nanometre": 1e-9,
      "μm micrometer micrometre micron": 1e-6,
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
  ...parts(
    { mass: 1 },
    { "μg microgram": 1e-6, "mg milligram": 1e-3, "g gram": 1, "kg kilogram": 1e3 },
  ),
  ...parts(
    { time: 1 },
    {
      "ns nanosecond": 1e-9,
      "μs microsecond": 1e-6,
      "ms millisecond": 1e-3,
      "s sec second": 1,
      "min minute": 60,
      "h hr hour": 3600,
      day: 86400,
      week: 604800,
    },
  ),
  ...parts(
    { length: 3 },
    {
      "μl microliter microlitre": 1e-9,
      "ml milliliter millilitre": 1e-6,
      cl: 1e-5,
      "l liter litre": 1e-3,
    },
  ),
  ...parts({ length: 1, time: -1 }, { mph: 0.44704, "kph kmh kmph": 1 / 3.6 }),
]);

const ATOM =
  / ?(?:(?<prefix>squared?|sq|cubed|cubic|cu)\.?\s)?(?<name>[a-zμ]+)(?:\s?\^\s?\(?(?<power>[-+]?\d+)\)?|(?<digit>[23])(?![\d.,]*\d)|\s(?<word>squared|cubed)\b)?/iuy;
const PER = /\s?\/\s?|\sper\s(?:an?\s)?|\san?\s(?=(?:second|minute|hour|day|week)\b)/iuy;
/** In `15 kg m/s` only short names and atoms with a power continue a product: other words are not part of the unit. */
const TIMES =
  /(?:\*| \* )(?=[a-zμ])| (?=(?:[nμmck]m|m|[μmk]?g|[nμm]?s)(?![\p{L}'’])|[a-zμ]+\s?\^\s?\(?-?\d)/iuy;
const SQUARE = /^sq/i;

/** A unit in a text. */
interface UnitSpan {
  /** Null if a part of it is not known. */
  unit: Unit | null;
  /** The offset after it. */
  end: number;
}

/**
 * The unit at an offset, after at most one space: `cm^2`, `km/h`, `metres per second squared`, `kg m/s`. Any other word
 * is an unknown unit. Null without a word.
 */
export function unitAt(text: string, offset: number): UnitSpan | null {
  const powers: Record<string, number> = {};
  let [factor, known, at, end, below] = [1, true, offset, offset, false];
  for (let isFirst = true; ; isFirst = false) {
    const atom = matchAt(ATOM, text, at)?.groups;
    if (atom === undefined) return isFirst ? null : unitSpan();
    end = ATOM.lastIndex;
    const part = partNamed(atom.name ?? "");
    known &&= part !== undefined;
    const power = powerOf(atom) * (below ? -1 : 1);
    factor *= (part?.factor ?? 1) ** power;
    for (const [base, of] of Object.entries(part?.powers ?? {}))
      powers[base] = (powers[base] ?? 0) + of * power;
    if (matchAt(PER, text, end) !== null) [at, below] = [PER.lastIndex, true];
    else if (known && matchAt(TIMES, text, end) !== null) at = TIMES.lastIndex;
    else return unitSpan();
  }
  function unitSpan(): UnitSpan {
    const dimension = dimensionOf(powers);
    return { unit: known && dimension !== "" ? { dimension, factor } : null, end };
  }
}

/** Whether a word is a known unit, such as `hour` or `miles`. */
export function isUnitName(word: string): boolean {
  return partNamed(word) !== undefined;
}

function partNamed(word: string): Part | undefined {
  const name = word.toLowerCase();
  return PARTS.get(name) ?? PARTS.get(name.replace(/s$/, ""));
}

function powerOf({ prefix, power, digit, word }: Record<string, string | undefined>): number {
  const figures = power ?? digit;
  if (figures !== undefined) return Number(figures);
  const named = prefix ?? word;
  return named === undefined ? 1 : SQUARE.test(named) ? 2 : 3;
}

function dimensionOf(powers: Powers): string {
  return Object.entries(powers)
    .filter(([, power]) => power !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([base, power]) => (power === 1 ? base : `${base}^${power}`))
    .join(" ");
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
