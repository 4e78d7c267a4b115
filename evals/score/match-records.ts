import { isRow, type Row } from "../benchmarks/data-files.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import type { ResponseFormat } from "../benchmarks/response-format.ts";
import type { Sample } from "../benchmarks/sample.ts";
import { optionSet } from "./record-options.ts";
import { textFinder } from "./text-finder.ts";

/*
 * Finds the question that a record of a response file answers. The question data in the record decide, in any order of the
 * records. The position in a list counts only if there are no such data, because other tools may sort differently.
 */

/** What a record was matched by, most reliable first. */
export const MATCH_KINDS = ["question and video", "question", "video", "id", "index"] as const;
/** By what a record of a result file was matched with its question. */
export type MatchKind = (typeof MATCH_KINDS)[number];

/** The question of a record. */
export interface Match {
  sample: Sample;
  by: MatchKind;
  /**
   * How one of several fitting questions was chosen: by a number that may differ between releases, or by the order of the
   * file, as the first one without a record. Null if text, video, options and id leave a single question.
   */
  chosenBy: "number" | "order" | null;
  /** Whether the id of the record is that of another question, or it differs in more clues than it shares. */
  isDoubtful: boolean;
}

/** What a record or row says about its question. */
interface Clues {
  question?: string;
  videos: string[];
  /** The video's path as it is named, and without its folders one after another; empty for a bare name. */
  paths: string[];
  options?: string;
  /** The texts of the options in any order. */
  optionSet?: string;
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
  if (matched.some((match) => match !== null)) return withoutStrangers(matched);
  return clues.map(({ place }): Match | null => {
    const sample = place === undefined ? undefined : samples[place];
    return sample === undefined ? null : { sample, by: "index", chosenBy: null, isDoubtful: false };
  });
}

/**
 * Of several records for one question only those that agree with it in most clues: data may be a part of what a file
 * answers, and ask the same about other videos.
 */
function withoutStrangers(matched: readonly (Found | null)[]): (Match | null)[] {
  const best = new Map<Sample, number>();
  for (const match of matched)
    if (match !== null)
      best.set(match.sample, Math.max(match.agreement, best.get(match.sample) ?? match.agreement));
  return matched.map((match) =>
    match === null || match.agreement < (best.get(match.sample) ?? 0) ? null : match,
  );
}

interface Found extends Match {
  /** Clues that record and question share, less those in which they differ. */
  agreement: number;
}

interface Index {
  by: ReadonlyMap<string, readonly KnownSample[]>;
  /** The questions that occur in a text, in the order of the data. */
  occurringIn(text: string): KnownSample[];
}

function indexOf(known: readonly KnownSample[]): Index {
  const by = new Map<string, KnownSample[]>();
  const add = (key: string, one: KnownSample) => {
    const there = by.get(key);
    if (there === undefined) by.set(key, [one]);
    else if (there.at(-1) !== one) there.push(one);
  };
  for (const one of known) {
    const { question, videos, paths, ids } = one.clues;
    if (question !== undefined) add(`question ${question}`, one);
    for (const video of videos) add(`video ${video}`, one);
    for (const path of paths.slice(0, 1)) add(`path ${path}`, one);
    for (const id of ids) add(`id ${id}`, one);
  }
  // Most files have better clues than prompts.
  let findTexts: ReturnType<typeof textFinder> | undefined;
  return {
    by,
    occurringIn(text) {
      findTexts ??= textFinder(known.map(({ clues }) => clues.question ?? ""));
      return findTexts(text)
        .flatMap((question) => by.get(`question ${question}`) ?? [])
        .sort((a, b) => (a.clues.place ?? 0) - (b.clues.place ?? 0));
    },
  };
}

function find(clues: Clues, index: Index, taken: Set<Sample>): Found | null {
  for (const { by, candidates } of attempts(clues, index)) {
    const { left, chosenBy } = narrowed(candidates, clues);
    const chosen = left.find(({ sample }) => !taken.has(sample)) ?? left[0];
    if (chosen === undefined) continue;
    taken.add(chosen.sample);
    const named =
      clues.numbered === "id" ? clues.ids.flatMap((id) => index.by.get(`id ${id}`) ?? []) : [];
    const agreement = agreementOf(clues, chosen.clues);
    const isDoubtful = agreement < 0 || (named.length > 0 && !named.includes(chosen));
    return { sample: chosen.sample, by, chosenBy, isDoubtful, agreement };
  }
  return null;
}

function agreementOf(record: Clues, question: Clues): number {
  const ids = (of: Clues) => (of.numbered === "id" ? of.ids : []);
  return [
    compared(record.question ?? [], question.question ?? []),
    compared(
      [...record.paths, ...record.videos],
      [...question.paths.slice(0, 1), ...question.videos],
    ),
    compared(ids(record), ids(question)),
  ].reduce((sum, one) => sum + one, 0);
}

/** 1 for a name that both have, -1 for different ones, 0 without a name on one side. */
function compared(some: string | readonly string[], others: string | readonly string[]): number {
  const [a, b] = [[some].flat(), [others].flat()];
  if (a.length === 0 || b.length === 0) return 0;
  return commonTo(a, b).length > 0 ? 1 : -1;
}

/** Candidates by each clue, most reliable first. The search ends at a clue of the record that fits no question. */
function* attempts(
  clues: Clues,
  index: Index,
): Generator<{ by: MatchKind; candidates: readonly KnownSample[] }> {
  const at = (kind: string, keys: readonly string[]) =>
    keys.flatMap((key) => index.by.get(`${kind} ${key}`) ?? []);
  const ofPath = clues.paths.map((path) => at("path", [path])).find((some) => some.length > 0);
  const ofVideo = ofPath ?? at("video", clues.videos);
  const asked = clues.question === undefined ? [] : at("question", [clues.question]);
  const both = commonTo(asked, ofVideo);
  if (both.length > 0) yield { by: "question and video", candidates: both };
  // The same text may be asked about several videos: each is a question of its own.
  if (ofVideo.length === 0) yield { by: "question", candidates: asked };
  const named = at("id", clues.ids);
  // A question whose wording has changed is recognised by its id and video.
  if (clues.question !== undefined) yield { by: "video", candidates: commonTo(ofVideo, named) };
  if (clues.question !== undefined) return;
  const prompted = inPrompts(clues.prompts, index);
  yield { by: "question and video", candidates: commonTo(prompted, ofVideo) };
  yield { by: "video", candidates: ofVideo };
  if (ofVideo.length > 0) return;
  const agreed = commonTo(named, prompted);
  const isAgreed = clues.numbered === "id" && agreed.length > 0;
  yield { by: "question", candidates: isAgreed ? agreed : prompted };
  yield { by: clues.numbered, candidates: named };
}

/** Those of `some` that are also in `others`. */
function commonTo<T>(some: readonly T[], others: readonly T[]): T[] {
  const found = new Set(others);
  return some.filter((one) => found.has(one));
}

/** Questions whose text is in a prompt: on lines of their own, else anywhere. The longest wins. */
function inPrompts(prompts: readonly string[], { by, occurringIn }: Index): KnownSample[] {
  for (const prompt of prompts) {
    const lines = prompt.split("\n").map(folded);
    const onLines = lines.flatMap((line) => by.get(`question ${line}`) ?? []);
    const text = folded(prompt);
    const found = onLines.length > 0 ? onLines : occurringIn(text);
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
  { options, optionSet: set, ids, numbered, place }: Clues,
): { left: readonly KnownSample[]; chosenBy: Match["chosenBy"] } {
  let left = [...new Set(candidates)];
  const keep = (of: (one: KnownSample) => boolean) => {
    const fitting = left.filter(of);
    if (left.length > 1 && fitting.length > 0) left = fitting;
  };
  const byId = () => keep(({ clues }) => ids.some((id) => clues.ids.includes(id)));
  if (options !== undefined) keep(({ clues }) => clues.options === options);
  if (set !== undefined) keep(({ clues }) => clues.optionSet === set);
  if (numbered === "id") byId();
  const isOpen = left.length > 1 && !areEqual(left, set !== undefined);
  if (numbered === "index") byId();
  if (place !== undefined) keep(({ clues }) => clues.place === place);
  if (!isOpen) return { left, chosenBy: null };
  return { left, chosenBy: left.length > 1 ? "order" : "number" };
}

/**
 * Whether the questions are the same, so that it does not matter which one a record is matched with. `byText`: replies are
 * converted by the texts of the options, so that their order does not matter either.
 */
function areEqual(questions: readonly KnownSample[], byText: boolean): boolean {
  const keys = questions.map(({ sample: { answer, options: shown }, clues }) => {
    const { question, videos, options, optionSet: set } = clues;
    const text = shown.find(({ letter }) => letter === answer)?.text;
    return JSON.stringify(
      byText ? [question, videos, set, text ?? answer] : [question, videos, options, answer],
    );
  });
  return new Set(keys).size === 1;
}

function cluesOf(row: Row, responses: ResponseFormat): Clues {
  const { clues } = responses;
  const { video, ids, numbered, idsNameVideos = false } = clues;
  // lmms-eval stores the scored values under the name of each metric, not the row itself.
  const metrics = Object.values(row).filter(isRow);
  const named = (field: string) =>
    [row, ...metrics]
      .map((one) => one[field])
      .filter((value) => isName(value))
      .map(folded);
  const numbers = ids.flatMap(named);
  const set = optionSet(row, responses);
  const question = isName(row.question) ? folded(row.question) : undefined;
  const videos = [...named(video), ...(idsNameVideos ? numbers : [])];
  return {
    ...(question === undefined ? {} : { question }),
    videos: videos.flatMap(videoNames),
    paths: videos.flatMap(pathsOf),
    ...(Array.isArray(row.options) ? { options: folded(row.options.join("\n")) } : {}),
    ...(set === null ? {} : { optionSet: set }),
    ids: numbers,
    numbered,
    prompts: textsIn(row.input ?? row.prompt ?? row.arguments),
    ...(typeof row.doc_id === "number" ? { place: row.doc_id } : {}),
  };
}

const EXTENSION = /\.(?:mp4|mkv|webm|mov|avi)$/i;

/** The name of a video without folder and extension; empty for a number, which is an id. */
function videoNames(name: string): string[] {
  const file = name.split("/").at(-1) ?? name;
  const stem = file.replace(EXTENSION, "");
  return /^\d+$/.test(stem) ? [] : [stem];
}

/** `a/b/3.mp4`, `b/3.mp4`, `3.mp4`; empty for a name without folder and extension, which may be an id. */
function pathsOf(name: string): string[] {
  const parts = name.split("/");
  if (parts.length === 1 && !EXTENSION.test(name)) return [];
  return parts.map((_, place) => parts.slice(place).join("/"));
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
