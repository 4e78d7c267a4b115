import type { Quantity } from "./number-pattern.ts";

/** Largest relative difference of equal numbers, for the last bits of a division. */
const EQUAL = 1e-9;
/** Digits of a key, so that the same bits do not make two keys. */
const KEY_DIGITS = 10;

/** Whether two quantities are equal within a tolerance: absolute as a number, relative to the reference as `1%`. */
export function isNear(said: Quantity, wanted: Quantity, tolerance: unknown): boolean {
  return readings(said, wanted).some((pairs) =>
    pairs.every(([a, b]) => isNearValue(a, b, tolerance)),
  );
}

function isNearValue(said: number, wanted: number, tolerance: unknown): boolean {
  if (said === wanted) return true;
  const difference = Math.abs(said - wanted);
  // The tolerance itself is included, whatever the last bits of the difference.
  const most = allowed(wanted, tolerance) * (1 + EQUAL);
  return difference <= Math.max(most, EQUAL * Math.abs(wanted));
}

function allowed(reference: number, tolerance: unknown): number {
  if (typeof tolerance !== "string") return typeof tolerance === "number" ? tolerance : 0;
  return (Number.parseFloat(tolerance) / 100) * Math.abs(reference);
}

/** Pairs of values to compare; any reading of which every pair is near suffices. */
function readings(said: Quantity, wanted: Quantity): [number, number][][] {
  if (isRatio(said) || isRatio(wanted)) return ratioReadings(said, wanted);
  if (said.unit !== null && wanted.unit !== null) {
    if (said.unit.dimension !== wanted.unit.dimension) return [];
    return [[[(said.value * said.unit.factor) / wanted.unit.factor, wanted.value]]];
  }
  const same: [number, number] = [said.value, wanted.value];
  if (said.percent === wanted.percent) return [[same]];
  return [
    [same],
    [said.percent ? [said.value / 100, wanted.value] : [said.value, wanted.value / 100]],
  ];
}

/** A ratio such as `2:3`, which is no clock. */
function isRatio({ ratio, unit }: Quantity): boolean {
  return ratio !== null && unit === null;
}

/** `4:6` equals `2:3`; a ratio equals no single number. */
function ratioReadings(said: Quantity, wanted: Quantity): [number, number][][] {
  if (said.ratio === null || wanted.ratio === null) return [];
  const [a, b] = [quotients(said.ratio), quotients(wanted.ratio)];
  return a.length === b.length ? [a.map((part, place) => [part, b[place] ?? Number.NaN])] : [];
}

function quotients(ratio: readonly number[]): number[] {
  return ratio.slice(0, -1).map((part) => part / (ratio.at(-1) ?? 1));
}

/**
 * A key that equal quantities share: the value in base units with the dimension, of a percentage its share, of a ratio its
 * quotients. `1 hour` and `60 minutes` share a key, `5 m/s` and `5 km/h` do not. A number without a unit has its own key.
 */
export function quantityKey(quantity: Quantity): string {
  const { value, percent, unit, ratio } = quantity;
  if (ratio !== null && unit === null) return `ratio ${quotients(ratio).map(rounded).join(":")}`;
  const base = value * (unit?.factor ?? 1) * (percent ? 0.01 : 1);
  return `${rounded(base)} ${unit?.dimension ?? ""}`.trimEnd();
}

function rounded(value: number): string {
  // 0 is added for the sign of -0.
  return String(Number(value.toPrecision(KEY_DIGITS)) + 0);
}
