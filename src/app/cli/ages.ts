import { Failure } from "../../core/errors.ts";

const UNITS_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Milliseconds of an age such as `12h`, `30d` or `8w`. Throws `Failure` `wrong-usage` that names the flag. */
export function readAge(flag: string, given: string): number {
  const [, number, unit] = /^(\d{1,6})([hdw])$/.exec(given) ?? [];
  if (number !== undefined && unit !== undefined)
    return Number(number) * UNITS_MS[unit as keyof typeof UNITS_MS];
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use a number of hours, days or weeks, for example 12h, 30d or 8w.`,
    { flag, given },
  );
}

/** Milliseconds since 1970 of a date (`2026-11-01`, UTC), an RFC 3339 instant, or an age before now (`30d`). */
export function readInstant(flag: string, given: string): number {
  if (/^\d+[hdw]$/.test(given)) return Date.now() - readAge(flag, given);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(given);
  const isInstant =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/.test(given);
  const at = isDate || isInstant ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use a date such as 2026-11-01, an instant such as 2026-11-01T09:30:00Z, or an age such as 30d.`,
    { flag, given },
  );
}
