import { oneLine } from "../core/errors.ts";
import type { CallRecord } from "../core/events.ts";

/** Arguments longer than this are cut. */
const LONGEST = 200;

/** `view_frames from_s 12, to_s 14, count 2`: the calls of a reply, one line each, for display. */
export function toolCallLines({ tools }: Pick<CallRecord, "tools">): string[] {
  return (tools ?? []).map(({ name, arguments: given }) =>
    oneLine(`${name} ${argumentWords(given)}`, LONGEST),
  );
}

/** Evidence names of a search differ from those on the page, which are numbered by time. */
const LEFT_OUT = ["evidence"];

function argumentWords(given: unknown): string {
  if (typeof given !== "object" || given === null) return String(given ?? "");
  return Object.entries(given)
    .filter(([name, value]) => value !== null && !LEFT_OUT.includes(name))
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
