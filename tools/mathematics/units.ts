/*
 * Units of measurement as they are written and spoken in English.
 */

/** A unit: `factor` converts a value to the base unit of its dimension; temperatures are not converted. */
export interface Unit {
  dimension: string;
  factor: number;
}

const units = (dimension: string, factors: Record<string, number>): [string, Unit][] =>
  Object.entries(factors).flatMap(([names, factor]) =>
    names.split(", ").map((name): [string, Unit] => [name, { dimension, factor }]),
  );

const LENGTHS = {
  "nm, nanometre": 1e-9,
  "µm, micrometre, micron": 1e-6,
  "mm, millimetre": 1e-3,
  "cm, centimetre": 1e-2,
  "m, metre": 1,
  "km, kilometre": 1e3,
  "inch, inches": 0.0254,
  "ft, foot, feet": 0.3048,
  "yard, yd": 0.9144,
  mile: 1609.344,
};

/** Areas and volumes of the lengths above: `square metre`, `m²`, `m2`, `cubic centimetre`, `cm³`. */
const POWERS = ([2, 3] as const).flatMap((power) =>
  Object.entries(LENGTHS).flatMap(([names, factor]) =>
    units(power === 2 ? "area" : "volume", {
      [names
        .split(", ")
        .flatMap((name) =>
          name.length > 2
            ? [`${power === 2 ? "square" : "cubic"} ${name}`]
            : [`${name}${power}`, `${name}^${power}`, `${power === 2 ? "sq" : "cu"} ${name}`],
        )
        .join(", ")]: factor ** power,
    }),
  ),
);

const UNITS: ReadonlyMap<string, Unit> = new Map([
  ...units("length", LENGTHS),
  ...POWERS,
  ...units("area", { "hectare, ha": 1e4, acre: 4046.8564224 }),
  ...units("volume", {
    "ml, millilitre": 1e-6,
    "cl, centilitre": 1e-5,
    "dl, decilitre": 1e-4,
    "l, litre": 1e-3,
    "gallon, gal": 3.785411784e-3,
    pint: 4.73176473e-4,
  }),
  ...units("spoon", { "teaspoon, tsp": 1, "tablespoon, tbsp": 3 }),
  ...units("cup", { cup: 1 }),
  ...units("mass", {
    "mg, milligram": 1e-6,
    "g, gram, gramme": 1e-3,
    "kg, kilo, kilogram": 1,
    "t, ton, tonne": 1e3,
    "lb, lbs": 0.45359237,
    "oz, ounce": 0.028349523125,
  }),
  ...units("pound", { pound: 1 }),
  ...units("time", {
    "ns, nanosecond": 1e-9,
    "µs, microsecond": 1e-6,
    "ms, millisecond": 1e-3,
    "s, sec, second": 1,
    "min, minute": 60,
    "h, hr, hour": 3600,
    day: 86400,
    week: 604800,
    month: 2629800,
    "yr, year": 31557600,
    decade: 315576000,
    century: 3155760000,
    centuries: 3155760000,
  }),
  ...units("speed", {
    "m/s, metre per second": 1,
    "km/h, kph, kmh, kilometre per hour, kilometre an hour": 1 / 3.6,
    "km/s, kilometre per second": 1e3,
    "mph, mile per hour, mile an hour": 0.44704,
    knot: 0.514444,
  }),
  ...units("temperature", {
    "°c, °, ℃, degree, degree celsius, degree centigrade, degree c, celsius": 1,
    "°f, ℉, degree fahrenheit, degree f, fahrenheit": 1,
    "k, kelvin": 1,
  }),
  ...units("percent", { "%, percent, per cent": 1, "percentage point": 1 }),
  ...units("money", {
    "$, us$, usd, dollar, buck": 1,
    "€, eur, euro": 1,
    "£, gbp, pound sterling": 1,
    "¥, yen, jpy": 1,
    "¢, cent": 0.01,
    "penny, pence": 0.01,
    "franc, chf": 1,
    "rupee, inr": 1,
  }),
  ...units("data", {
    bit: 0.125,
    byte: 1,
    "kb, kilobyte": 1e3,
    "mb, megabyte": 1e6,
    "gb, gigabyte": 1e9,
    "tb, terabyte": 1e12,
  }),
  ...units("energy", {
    "j, joule": 1,
    "kj, kilojoule": 1e3,
    "cal, calorie": 4.184,
    "kcal, kilocalorie": 4184,
    "kwh, kilowatt hour": 3.6e6,
  }),
  ...units("power", { "w, watt": 1, "kw, kilowatt": 1e3, "mw, megawatt": 1e6, horsepower: 745.7 }),
  ...units("voltage", { "v, volt": 1, "mv, millivolt": 1e-3, "kv, kilovolt": 1e3 }),
  ...units("current", { "a, amp, ampere": 1, "ma, milliamp, milliampere": 1e-3 }),
  ...units("resistance", { "ω, ohm": 1, "kω, kilohm": 1e3 }),
  ...units("frequency", {
    "hz, hertz": 1,
    "khz, kilohertz": 1e3,
    "mhz, megahertz": 1e6,
    "ghz, gigahertz": 1e9,
  }),
  ...units("pressure", {
    "pa, pascal": 1,
    "kpa, kilopascal": 1e3,
    bar: 1e5,
    "atm, atmosphere": 101325,
  }),
  ...units("force", { "n, newton": 1, "kn, kilonewton": 1e3 }),
  ...units("amount", { "mol, mole": 1, "mmol, millimole": 1e-3 }),
]);

/** Words in the longest name of a unit. */
export const LONGEST_UNIT = 3;

/** Returns the unit of a name in lower case, in the singular or plural, in British or American spelling; null for others. */
export function unitNamed(name: string): Unit | null {
  const plain = name
    .replace("²", "2")
    .replace("³", "3")
    .replace("meter", "metre")
    .replace("liter", "litre");
  return (
    UNITS.get(plain) ??
    UNITS.get(plain.replace(/^([a-z]{3,}|cups?)s(?= |$)/, "$1")) ??
    UNITS.get(plain.replace(/s$/, plain.length > 3 ? "" : "s")) ??
    null
  );
}
