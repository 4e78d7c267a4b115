import { crc32 } from "node:zlib";
import type { RunSample } from "../core/contracts.ts";
import { jsonOrUndefined } from "../core/json-or-undefined.ts";

/*
 * A line of a run whose first members can be used without parsing the others, which are much longer: its end has a
 * checksum of the line, and where the first members end. A line that was cut off, changed or written by another program
 * has none that fits, and is parsed as a whole.
 *
 * {"sample":"q7","epoch":1,"attempt":0,"reply":"(A)", ..., "check":"9ae0daaf00000024"}
 */

const DIGITS = 8;
const BEFORE = ',"check":"';
const AFTER = '"}';
const BEFORE_BYTES = Buffer.from(BEFORE);
const AFTER_BYTES = Buffer.from(AFTER);
const END = BEFORE.length + 2 * DIGITS + AFTER.length;

/** Members of every first part, in addition to the chosen ones: `error` decides whether a result may be replaced. */
const ALWAYS = ["sample", "epoch", "error"];

/** The JSON of a result with these members first. */
export function summedLine(sample: RunSample, members: readonly string[]): string {
  // Without a prototype, a member `__proto__` is one like any other.
  const first: Record<string, unknown> = Object.create(null);
  const others: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(sample))
    (ALWAYS.includes(name) || members.includes(name) ? first : others)[name] = value;
  const head = JSON.stringify(first).slice(0, -1);
  const rest = JSON.stringify(others);
  const body = rest === "{}" ? head : `${head},${rest.slice(1, -1)}`;
  return `${body}${endOf(body, Buffer.byteLength(head), sumOfNames(members))}`;
}

/**
 * Returns a function for the first members of a line; it returns undefined if the checksum of the line does not fit, or
 * if other members were chosen for it.
 */
export function summaryReader(members: readonly string[]): (line: Buffer) => unknown {
  const names = sumOfNames(members);
  return (line) => {
    const at = line.length - END;
    const isMarked =
      at >= 0 && has(line, BEFORE_BYTES, at) && has(line, AFTER_BYTES, line.length - AFTER.length);
    if (!isMarked) return undefined;
    const sum = hexAt(line, at + BEFORE.length);
    const length = hexAt(line, at + BEFORE.length + DIGITS);
    if (sum < 0 || length < 0 || sum !== sumOf(line.subarray(0, at), length, names))
      return undefined;
    return jsonOrUndefined(`${line.toString("utf8", 0, length)}}`);
  };
}

function has(line: Buffer, bytes: Buffer, at: number): boolean {
  return line.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
}

/** A number of eight lower-case hexadecimal digits; -1 if there is none. */
function hexAt(line: Buffer, at: number): number {
  let value = 0;
  for (let place = at; place < at + DIGITS; place++) {
    const code = line[place] as number;
    const digit = code >= 0x61 ? code - 0x57 : code - 0x30;
    if (digit < 0 || digit > 15 || (code > 0x39 && code < 0x61)) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** A line of this form, read as a whole, without its checksum. */
export function withoutSum({ check: _, ...sample }: RunSample): RunSample {
  return sample;
}

/** Part of the sum of every line, so that a line with other first members is not taken for one with these. */
function sumOfNames(members: readonly string[]): number {
  return crc32(members.join());
}

function endOf(body: Buffer | string, length: number, names: number): string {
  return `${BEFORE}${hex(sumOf(body, length, names))}${hex(length)}${AFTER}`;
}

function sumOf(body: Buffer | string, length: number, names: number): number {
  return (crc32(body, names) ^ length) >>> 0;
}

function hex(number: number): string {
  return number.toString(16).padStart(DIGITS, "0");
}
