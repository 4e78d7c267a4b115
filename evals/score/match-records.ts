import { isRow, type Row } from "../benchmarks/data-files.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { ResponseFormat } from "../benchmarks/response-format.ts";
import type { Sample } from "../benchmarks/sample.ts";

/*
 * Finds the question that a record of a response file answers. The question data in the record decide, in any order of the
 * records. The position in a list counts only if there are no such data, because other tools may sort differently.
 */

/** What a record was matched by, most reliable first. */
export const MATCH_KINDS = ["question and video", "question", "video", "id", "index"] as const;
/** By what a record of a result file was matched with its question. */
export type MatchKind = (typeof MATCH_KINDS)[number];

/** How the records of a file were matched with the questions of the data. */
export interface MatchReport {
  /** Number of records per kind of match; only kinds that occur. */
  by: Partial<Record<MatchKind, number>>;
  /** Whether every match is based on the text of a question or its video. */
  verified: boolean;
  /** Unverified replies that name a letter or clips that their question does not have. */
  foreign_answers: number;
  /** Unverified records that give a right answer, and those whose right answer equals that of the data. */
  right_answers: { given: number; equal: number };
  /** One or two sentences for a person. */
  told: string;
}

export interface Match {
  sample: Sample;
  by: MatchKind;
  /** Whether several questions fit; the first one without a record is used. */
  ambiguous: boolean;
}

/** What a record or row says about its question. */
interface Clues {
  question?: string;
  videos: string[];
  options?: string;
  /** Ids that the benchmark gives its questions, and whether they are only positions. */
  ids: string[];
  numbered: "id" | "index";
  /** Texts that may contain the question: the prompt of lmms-eval. */
  prompts: string[];
  /** Position in the data. */
  place?: number;
}

interface KnownSample {
  sample: Sample;
  clues: Clues;
}

/**
 * Matches all records. Positions are used only if no record of the file can be matched by anything else.
 * Null if the record names no question of the data.
 */
export function matchRecords(
  records: readonly Row[],
  { responses }: Pick<Benchmark, "responses">,
  samples: readonly Sample[],
): (Match | null)[] {
  const known = samples.map(
    (sample, place): KnownSample => ({
      sample,
      clues: { ...cluesOf(sample.row, responses), place },
    }),
  );
  const index = indexOf(known);
  const taken = new Set<Sample>();
  const clues = records.map((record) =>
    cluesOf(isRow(record.doc) ? { ...record, ...record.doc } : record, responses),
  );
  const matched = clues.map((clue) => find(clue, index, taken));
  if (matched.some((match) => match !== null)) return matched;
  return clues.map(({ place }): Match | null => {
    const sample = place === undefined ? undefined : samples[place];
    return sample === undefined ? null : { sample, by: "index", ambiguous: false };
  });
}

interface Index {
  by: Map<string, KnownSample[]>;
  known: readonly KnownSample[];
}

function indexOf(known: readonly KnownSample[]): Index {
  const by = new Map<string, KnownSample[]>();
  const add = (key: string, one: KnownSample) => {
    const there = by.get(key) ?? [];
    if (!there.includes(one)) by.set(key, [...there, one]);
  };
  for (const one of known) {
    const { question, videos, ids } = one.clues;
    if (question !== undefined) add(`question ${question}`, one);
    for (const video of videos) add(`video ${video}`, one);
    for (const id of ids) add(`id ${id}`, one);
  }
  return { by, known };
}

function find(clues: Clues, index: Index, taken: Set<Sample>): Match | null {
  for (const { by, candidates } of attempts(clues, index)) {
    const left = narrowed(candidates, clues);
    const chosen = left.find(({ sample }) => !taken.has(sample)) ?? left[0];
    if (chosen === undefined) continue;
    taken.add(chosen.sample);
    return { sample: chosen.sample, by, ambiguous: left.length > 1 };
  }
  return null;
}

/** Candidates by each clue, most reliable first. The search ends at a clue of the record that fits no question. */
function* attempts(
  clues: Clues,
  { by, known }: Index,
): Generator<{ by: MatchKind; candidates: KnownSample[] }> {
  const at = (kind: string, keys: readonly string[]) =>
    keys.flatMap((key) => by.get(`${kind} ${key}`) ?? []);
  const ofVideo = at("video", clues.videos);
  const asked = clues.question === undefined ? [] : at("question", [clues.question]);
  const both = asked.filter((one) => ofVideo.includes(one));
  if (both.length > 0) yield { by: "question and video", candidates: both };
  // The same text may be asked about several videos: each is a question of its own.
  if (ofVideo.length === 0) yield { by: "question", candidates: asked };
  const named = at("id", clues.ids);
  // A question whose wording has changed is recognised by its id and video.
  const ofBoth = ofVideo.filter((one) => named.includes(one));
  yield { by: "video", candidates: clues.question === undefined ? ofVideo : ofBoth };
  if (clues.question !== undefined || ofVideo.length > 0) return;
  const prompted = inPrompts(clues.prompts, { by, known });
  const agreed = named.filter((one) => prompted.includes(one));
  yield { by: "question", candidates: agreed.length > 0 ? agreed : prompted };
  yield { by: clues.numbered, candidates: named };
}

/** Questions whose text is in a prompt: on lines of their own, else anywhere. The longest wins. */
function inPrompts(prompts: readonly string[], { by, known }: Index): KnownSample[] {
  for (const prompt of prompts) {
    const lines = prompt.split("\n").map(folded);
    const onLines = lines.flatMap((line) => by.get(`question ${line}`) ?? []);
    const text = folded(prompt);
    const found =
      onLines.length > 0
        ? onLines
        : known.filter(
            ({ clues: { question = "" } }) => question !== "" && text.includes(question),
          );
    const longest = Math.max(0, ...found.map(({ clues }) => clues.question?.length ?? 0));
    const whole = found.filter(({ clues }) => clues.question?.length === longest);
    const withOptions = whole.filter(({ clues: { options = "" } }) => text.includes(options));
    if (whole.length > 0) return withOptions.length > 0 ? withOptions : whole;
  }
  return [];
}

/** Distinguishes questions with the same text and video by their options, then by id and position. */
function narrowed(
  candidates: readonly KnownSample[],
  { options, ids, place }: Clues,
): readonly KnownSample[] {
  let left = [...new Set(candidates)];
  const keep = (of: (one: KnownSample) => boolean) => {
    const fitting = left.filter(of);
    if (left.length > 1 && fitting.length > 0) left = fitting;
  };
  if (options !== undefined) keep(({ clues }) => clues.options === options);
  keep(({ clues }) => ids.some((id) => clues.ids.includes(id)));
  if (place !== undefined) keep(({ clues }) => clues.place === place);
  return left;
}

function cluesOf(row: Row, { clues }: ResponseFormat): Clues {
  const { video, ids, numbered, idsNameVideos = false } = clues;
  // lmms-eval stores the scored values under the name of each metric, not the row itself.
  const metrics = Object.values(row).filter(isRow);
  const named = (field: string) =>
    [row, ...metrics]
      .map((one) => one[field])
      .filter((value) => isName(value))
      .map(folded);
  const numbers = ids.flatMap(named);
  const question = isName(row.question) ? folded(row.question) : undefined;
  return {
    ...(question === undefined ? {} : { question }),
    videos: [...named(video), ...(idsNameVideos ? numbers : [])].flatMap(videoNames),
    ...(Array.isArray(row.options) ? { options: folded(row.options.join("\n")) } : {}),
    ids: numbers,
    numbered,
    prompts: textsIn(row.input ?? row.prompt ?? row.arguments),
    ...(typeof row.doc_id === "number" ? { place: row.doc_id } : {}),
  };
}

/** The name of a video without folder and extension; empty for a number, which is an id. */
function videoNames(name: string): string[] {
  const file = name.split("/").at(-1) ?? name;
  const stem = file.replace(/\.(?:mp4|mkv|webm|mov|avi)$/i, "");
  return /^\d+$/.test(stem) ? [] : [stem];
}

function isName(value: unknown): value is string | number {
  return typeof value === "number" || (typeof value === "string" && value.trim() !== "");
}

function folded(text: unknown): string {
  return String(text).normalize("NFC").replace(/\s+/g, " ").trim();
}

/** All texts in a prompt, which may be a text or a list of messages. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRow(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Summarises how a file was matched. `right`: whether the right answer of a record equals that of the data; null if it gives none. */
export function reportMatch(
  matched: readonly { match: Match; reply: string; right: boolean | null }[],
  { namesForeignAnswer }: Pick<Benchmark, "namesForeignAnswer">,
): MatchReport {
  const by: MatchReport["by"] = {};
  for (const { match } of matched) by[match.by] = (by[match.by] ?? 0) + 1;
  const unsure = matched.filter(({ match }) => match.by === "id" || match.by === "index");
  const foreign = unsure.filter(({ match, reply }) => namesForeignAnswer(reply, match.sample));
  const given = unsure.filter(({ right }) => right !== null);
  const right_answers = {
    given: given.length,
    equal: given.filter(({ right }) => right === true).length,
  };
  const kinds = MATCH_KINDS.filter((kind) => by[kind] !== undefined);
  const sentences = [
    `Matched replies to questions: ${kinds.map((kind) => `${by[kind]} by ${kind}`).join(", ")}.`,
  ];
  if (unsure.length > 0) {
    const orders = unsure.some(({ match }) => Array.isArray(match.sample.answer));
    const lacking = orders ? "order a different number of clips" : "name a letter that";
    const agreed =
      given.length === 0
        ? ""
        : `, and ${right_answers.equal} of ${given.length} records have the same right answer as the data`;
    sentences.push(
      `The match by id or index cannot be verified, because the file does not contain these questions or videos: ${foreign.length} of ${unsure.length} replies ${lacking}${orders ? " than their question has" : " their question lacks"}${agreed}.`,
    );
  }
  return {
    by,
    verified: unsure.length === 0,
    foreign_answers: foreign.length,
    right_answers,
    told: sentences.join(" "),
  };
}
