import { countOf } from "../../src/core/count-of.ts";
import type { Evidence } from "../../src/core/shapes.ts";
import { secondsAndClock } from "../../src/core/time.ts";
import type { Part } from "../../src/models/chat.ts";
import type { ToolResult } from "../../tools/agent/tool-context.ts";
import type { Sheet } from "../../tools/video/contact-sheet.ts";
import { lineOf, pictureOf } from "../stages/named-evidence.ts";
import type { SearchSession } from "./search-session.ts";

/** A result as shown to the model: parts of a message, and the names of the evidence in them. */
export interface ShownResult {
  parts: Part[];
  names: string[];
  /** Whether nothing could be shown, because no frames are left. */
  spent?: true;
  /** Why the call was refused, if it was. */
  refused?: string;
}

type Session = Pick<SearchSession, "context" | "shownEvidence">;

export function text(words: string): Part {
  return { type: "text", text: words };
}

/** The texts among parts, and the labels of pictures. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.type === "text" ? part.text : (part.label ?? [])))
    .join("\n");
}

/** Turns the result of a tool into text and pictures for the model. */
export function presentResult(result: ToolResult, tool: string, session: Session): ShownResult {
  const { shownEvidence } = session;
  switch (result.type) {
    case "items":
      return listed(result.items, session, result.more_from_s);
    case "frames": {
      const part = result.box === undefined ? undefined : { box: result.box, tool };
      const shown = pictured(shownEvidence.frames(result.frames, part), session);
      return { ...shown, parts: [...shown.parts, ...(result.media ?? [])] };
    }
    case "sheets":
      return result.sheets.length === 0 ? listed([], session) : onSheets(result.sheets, session);
    case "clip":
      return clipped(shownEvidence.frames(result.moments), result.media, session);
    case "quoted":
      return quoted(result, tool, session);
  }
}

/** Text from outside the video, and as many of its pictures as the budget has frames for. */
function quoted(
  { text: result, pictures = [] }: ToolResult & { type: "quoted" },
  tool: string,
  { context, shownEvidence }: Session,
): ShownResult {
  const shown = pictures.slice(0, shownEvidence.allow(pictures.length));
  shownEvidence.count(shown.length);
  const left = pictures.length - shown.length;
  const words = [
    result,
    left === 0 ? "" : `[${countOf(left, "picture")} not shown: no frames are left]`,
  ];
  const variables = { tool, result: words.filter((part) => part !== "").join("\n") || "nothing" };
  const images = shown.map((frame, place): Part => {
    const label = `Picture ${place + 1} of ${tool}, which is not part of the video:`;
    return { type: "image", frame, label };
  });
  const { text: told } = context.prompts.render("agent/server-result", variables);
  return { parts: [text(told), ...images], names: [] };
}

/** Items as lines, quoted as data. */
function listed(
  items: readonly Evidence[],
  { context, shownEvidence }: Session,
  more_from_s?: number,
): ShownResult {
  const { prompts } = context;
  if (items.length === 0)
    return { parts: [text(prompts.render("agent/nothing-found", {}).text)], names: [] };
  const names = items.map((item) => shownEvidence.name(item));
  const lines = items.map((item, index) => lineOf(names[index] ?? "", item));
  const variables = { count: countOf(items.length, "item"), evidence: lines.join("\n") };
  const more =
    more_from_s === undefined
      ? ""
      : `\n[More follow: ask again from ${secondsAndClock(more_from_s)} on]`;
  return { parts: [text(`${prompts.render("agent/found", variables).text}${more}`)], names };
}

/** Pictures one by one, each after a label with its name. */
export function pictured(items: readonly Evidence[], session: Session): ShownResult {
  const names = items.map((item) => session.shownEvidence.name(item));
  const pictures = items.flatMap((item, index) => pictureOf(names[index] ?? "", item));
  return { parts: [heading(countOf(items.length, "picture"), session), ...pictures], names };
}

/** A clip, with the names and times of moments in it: a citation names a moment. */
function clipped(
  moments: readonly Evidence[],
  media: readonly Part[],
  { context, shownEvidence }: Session,
): ShownResult {
  const names = moments.map((item) => shownEvidence.name(item));
  const variables = { moments: namesAndTimes(moments, names), left: shownEvidence.left() };
  return { parts: [text(context.prompts.render("agent/clip", variables).text), ...media], names };
}

/** Sheets, each after a label with the names and times of its tiles. */
function onSheets(sheets: readonly Sheet[], session: Session): ShownResult {
  const all: string[] = [];
  const pictures = sheets.map(({ sheet, tiles }): Part => {
    const items = session.shownEvidence.frames(tiles);
    const names = items.map((item) => session.shownEvidence.name(item));
    all.push(...names);
    const label = `Sheet of ${countOf(tiles.length, "frame")}, row by row: ${namesAndTimes(items, names)}:`;
    return { type: "image", frame: sheet, label };
  });
  return { parts: [heading(countOf(all.length, "frame"), session), ...pictures], names: all };
}

/** `[E7] 70.5 s (01:10), [E8] 71 s (01:11)` */
function namesAndTimes(items: readonly Evidence[], names: readonly string[]): string {
  return items
    .map((item, index) => `[${names[index]}] ${secondsAndClock(item.start_s)}`)
    .join(", ");
}

function heading(count: string, { context, shownEvidence }: Session): Part {
  return text(context.prompts.render("agent/pictures", { count, left: shownEvidence.left() }).text);
}

export function noFramesLeft({ context, shownEvidence }: Session): ShownResult {
  const { text: words } = context.prompts.render("agent/no-frames-left", {
    left: shownEvidence.left(),
  });
  return { parts: [text(words)], names: [], spent: true };
}
