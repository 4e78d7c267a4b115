import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { describeExpected } from "../../src/core/describe-issue.ts";
import { Failure, oneLine, toFailure } from "../../src/core/errors.ts";
import { Hash } from "../../src/core/shapes.ts";
import { readSubtitleFile } from "../../tools/speech/subtitles/read-source.ts";
import { EvidenceSpans } from "../benchmarks/evidence-spans.ts";
import type { Tally } from "../benchmarks/tally.ts";
import { GoldItem } from "../run/gold-file.ts";

/*
 * A sidecar: the gold of one video in a JSON file of its own, by stage. A stage that is missing has no gold; an empty list
 * says that there is nothing to recognise. Items may be in any order.
 */

const Plain = GoldItem.omit({ clip: true });
const SidecarJson = z.strictObject({
  /** SHA-256 of the video. */
  video: Hash.optional(),
  captions: z.array(GoldItem).optional(),
  text: z.array(Plain).optional(),
  /** Cues, or the path of a subtitle file from the sidecar. */
  speech: z
    .union([z.array(Plain), z.string().min(1)], {
      error: "a list of cues, or the name of a subtitle file",
    })
    .optional(),
  /** Spans or moments by question id. */
  evidence_s: z.record(z.string(), EvidenceSpans).optional(),
});

/** The gold of one video. */
export interface Sidecar {
  path: string;
  captions?: GoldItem[];
  text?: GoldItem[];
  speech?: GoldItem[];
  evidence_s?: Record<string, [number, number][]>;
}

/** What the content of a sidecar has to fit. */
export interface SidecarVideo {
  /** Path of the video as the data name it. */
  video: string;
  hash: string;
  /** Null if it is not known. */
  duration_s: number | null;
  /** Ids of all questions of the data on the video. */
  questions: readonly string[];
}

/** Gold of people ends at whole seconds, which may be just after the end of the video. */
const TOLERANCE_S = 1;

/**
 * Reads the sidecar of a video. Throws `Failure` `data-malformed` that names the file and the field: not JSON, an unknown
 * field, an end before its start, a time after the end of the video, an unknown question, another video; and
 * `file-unreadable`, `no-subtitles` for its subtitle file. Overlaps are counted in `tally`.
 */
export async function readSidecar(path: string, of: SidecarVideo, tally: Tally): Promise<Sidecar> {
  const refuse = (field: string, why: string) =>
    new Failure("data-malformed", `Invalid ${path}: ${field === "" ? "it" : field} ${why}.`, {
      path,
      field,
    });
  const read = SidecarJson.safeParse(await readJson(path, refuse));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refuse(fieldOf(issue?.path ?? []), `must be ${describeExpected(issue)}`);
  }
  const { video, speech, evidence_s, ...items } = read.data;
  if (video !== undefined && video !== of.hash)
    throw refuse("video", `is the SHA-256 of another file than ${of.video} (${of.hash})`);
  const cues =
    typeof speech === "string"
      ? (await readSubtitleFile(resolve(dirname(path), speech))).cues.map(
          ({ start_s, end_s, text }) => ({ start_s, end_s, text }),
        )
      : speech;
  const lists = { ...items, ...(cues === undefined ? {} : { speech: cues }) };
  const checkTimes = (field: string, start_s: number, end_s: number) => {
    if (end_s < start_s)
      throw refuse(field, `ends at ${end_s} s, before it starts at ${start_s} s`);
    if (of.duration_s !== null && end_s > of.duration_s + TOLERANCE_S)
      throw refuse(
        field,
        `ends at ${end_s} s, after the end of ${of.video} at ${of.duration_s.toFixed(1)} s`,
      );
  };
  for (const [stage, list] of Object.entries(lists)) {
    for (const [place, { start_s, end_s }] of list.entries())
      checkTimes(`${stage}[${place}]`, start_s, end_s);
    if (stage === "text") continue;
    for (const place of overlapping(list))
      tally.add(`${stage} of sidecars that overlap the one before`, `${path} ${stage}[${place}]`);
  }
  for (const [id, spans] of Object.entries(evidence_s ?? {})) {
    const field = `evidence_s[${JSON.stringify(id)}]`;
    if (!of.questions.includes(id))
      throw refuse(
        field,
        `is no question on ${of.video}; the data have ${oneLine(of.questions.join(", "), 200)}`,
      );
    if (spans.length === 0) throw refuse(field, "must have at least one span");
    for (const [place, [start_s, end_s]] of spans.entries())
      checkTimes(`${field}[${place}]`, start_s, end_s);
  }
  return { path, ...lists, ...(evidence_s === undefined ? {} : { evidence_s }) };
}

async function readJson(
  path: string,
  refuse: (field: string, why: string) => Failure,
): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refuse("", "is not JSON");
  }
}

/** `captions[3].end_s`. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, place) =>
      typeof part === "number" ? `[${part}]` : `${place === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** Places of the items that begin before an earlier one has ended. */
function overlapping(items: readonly GoldItem[]): number[] {
  const rising = items
    .map((item, place) => ({ ...item, place }))
    .sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  let end_s = Number.NEGATIVE_INFINITY;
  return rising.flatMap((item) => {
    const overlaps = item.start_s < end_s;
    end_s = Math.max(end_s, item.end_s);
    return overlaps ? [item.place] : [];
  });
}
