import type { Evidence } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { Part } from "../../src/models/chat.ts";
import type { Sheet } from "../../tools/video/contact-sheet.ts";
import type { GraphContext } from "../context.ts";
import { lineOf, pictureOf } from "../stages/named-evidence.ts";
import type { Showing } from "./shown-evidence.ts";

/** What a tool is given to work with. */
export interface Desk {
  context: GraphContext;
  /** All that is known of the video so far. */
  evidence: readonly Evidence[];
  showing: Showing;
  /** Stage of events and progress. */
  stage: string;
}

/** What a tool hands back: parts for the model, and the names of what is in them. */
export interface Result {
  parts: Part[];
  names: string[];
  /** Nothing could be shown, since no frames are left. */
  spent?: true;
}

export function text(words: string): Part {
  return { type: "text", text: words };
}

/** Items as lines, quoted as data. */
export function listed(items: readonly Evidence[], { context, showing }: Desk): Result {
  const { prompts } = context;
  if (items.length === 0)
    return { parts: [text(prompts.render("agent/nothing-found", {}).text)], names: [] };
  const names = items.map((item) => showing.name(item));
  const lines = items.map((item, index) => lineOf(names[index] ?? "", item));
  const variables = { count: counted(items.length, "item"), evidence: lines.join("\n") };
  return { parts: [text(prompts.render("agent/found", variables).text)], names };
}

/** Pictures one by one, each behind its name. */
export function pictured(items: readonly Evidence[], desk: Desk): Result {
  const names = items.map((item) => desk.showing.name(item));
  const pictures = items.flatMap((item, index) => pictureOf(names[index] ?? "", item));
  return { parts: [heading(counted(items.length, "picture"), desk), ...pictures], names };
}

/** A clip, with the names and times of moments in it: a citation names a moment. */
export function clipped(
  moments: readonly Evidence[],
  media: readonly Part[],
  { context, showing }: Desk,
): Result {
  const names = moments.map((item) => showing.name(item));
  const places = moments.map((item, index) => `[${names[index]}] ${secondsAndClock(item.start_s)}`);
  const variables = { moments: places.join(", "), left: showing.left() };
  return { parts: [text(context.prompts.render("agent/clip", variables).text), ...media], names };
}

/** Sheets, each behind the names and times of its tiles. */
export function onSheets(sheets: readonly Sheet[], desk: Desk): Result {
  const all: string[] = [];
  const pictures = sheets.map(({ sheet, tiles }): Part => {
    const items = desk.showing.frames(tiles);
    const names = items.map((item) => desk.showing.name(item));
    all.push(...names);
    const places = items.map((item, index) => `[${names[index]}] ${secondsAndClock(item.start_s)}`);
    const label = `Sheet of ${counted(tiles.length, "frame")}, row by row: ${places.join(", ")}:`;
    return { type: "image", frame: sheet, label };
  });
  return { parts: [heading(counted(all.length, "frame"), desk), ...pictures], names: all };
}

function heading(count: string, { context, showing }: Desk): Part {
  return text(context.prompts.render("agent/pictures", { count, left: showing.left() }).text);
}

export function noFramesLeft({ context, showing }: Desk): Result {
  const { text: words } = context.prompts.render("agent/no-frames-left", { left: showing.left() });
  return { parts: [text(words)], names: [], spent: true };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
