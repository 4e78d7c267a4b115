import { z } from "zod";
import { valueAt } from "../../../src/core/settings.ts";
import type { Row } from "../data-files.ts";
import { defineBenchmark } from "../define-benchmark.ts";
import { EvidenceSpans } from "../evidence-spans.ts";
import { firstCapital } from "../first-capital.ts";
import { type LoadContext, loadRows, unreadable, videoOf } from "../load-rows.ts";
import { readOptions } from "../options.ts";
import { afterStripping } from "../reasoning-tags.ts";
import type { BenchmarkData, LoadOptions, Sample } from "../sample.ts";
import type { ScoredReply } from "../scored-reply.ts";
import { namesForeignLetter, soundLetter } from "../sound-letter.ts";
import { wholeQuestions } from "../whole-questions.ts";
import { VIDEOMATHQA_PROTOCOL } from "./protocol.ts";
import published from "./published.json" with { type: "json" };
import { VIDEOMATHQA_RELEASED } from "./released-prompts.ts";
import { VIDEOMATHQA_PROMPTS, VIDEOMATHQA_WORDING } from "./wording.ts";

/* VideoMathQA (arXiv 2506.05349): mathematics in instructional videos, as five options (MCQ) or in pairs (MBin). */

const MathRow = z.looseObject({
  question_id: z.union([z.string(), z.number()]).transform(String),
  question: z.string(),
  options: z.array(z.string()).min(2),
  answer: z.string(),
  videoID: z.union([z.string(), z.number()]).transform(String),
  category: z.string().nullish(),
  length: z.string().nullish(),
  steps: z.array(z.string()).nullish(),
  evidence_s: EvidenceSpans.optional(),
});

/** Why the released rule, made for bare letters, cannot read `Answer: X`. */
const FIRST_CAPITAL = "it takes the first capital A to E, which is the A of `Answer`";

/** Deleted in this order. The last two come from a missing comma in the Python source, and match almost nothing. */
const DELETED = [
  "The best answer is",
  "The correct answer is",
  "The answer is",
  "The answer",
  "The best option isThe correct option is",
  "Best answer:Best option:",
];

/** The released extraction (lmms-eval `videomathqa/utils.py`). */
export const officialLetter = firstCapital(DELETED, "E");

const TITLE = "VideoMathQA";

export const videoMathQa = defineBenchmark({
  name: "videomathqa",
  title: TITLE,
  tasks: ["choice"],
  subsets: [
    { name: "mcq", options: 5 },
    { name: "multi_binary", options: 2, suffix: "in pairs" },
  ],
  load,
  groups,
  extractors: {
    official: officialLetter,
    "lmms-eval-0.7": afterStripping(officialLetter),
    sound: soundLetter,
  },
  answers: {
    written: "letter",
    readBy: { letter: "sound", "answer-line": "sound" },
    unreadable: {
      official: { "answer-line": FIRST_CAPITAL },
      "lmms-eval-0.7": { "answer-line": FIRST_CAPITAL },
    },
  },
  scorer: "letter",
  questions,
  official: officialScores,
  measures,
  namesForeignAnswer: namesForeignLetter,
  wording: VIDEOMATHQA_WORDING,
  prompts: VIDEOMATHQA_PROMPTS,
  released: VIDEOMATHQA_RELEASED,
  protocol: VIDEOMATHQA_PROTOCOL,
  published,
  publishedScores({ official, settings }) {
    const subtitles = valueAt(settings, "recognition.subtitles");
    const suffix = subtitles == null || subtitles === "off" ? "" : "+subtitles";
    return Object.fromEntries(
      Object.entries(official).map(([name, value]) => [`${name}${suffix}`, value]),
    );
  },
  responses: {
    clues: { video: "videoID", ids: ["question_id"], numbered: "id", answer: "answer" },
    // Another benchmark has a `videoID` and types of tasks.
    matchesRow: (row) => "videoID" in row && !("task_type" in row),
    subsetOf: ({ options }) =>
      Array.isArray(options) && options.length === 2 ? "multi_binary" : "mcq",
  },
});

async function load(path: string, { config = "mcq" }: LoadOptions = {}): Promise<BenchmarkData> {
  const rows = {
    title: TITLE,
    variant: ` (${config})`,
    columns: ["question_id", "question", "options", "answer", "videoID"],
    accept: ({ options }: Row) =>
      Array.isArray(options) && (options.length === 2) === (config === "multi_binary"),
  };
  const pairs = new Map<string, number>();
  const loaded = await loadRows(path, rows, (row, position, loading) => {
    // A row that cannot be read is a pair of its question too.
    const question = String(row.question_id);
    pairs.set(question, (pairs.get(question) ?? 0) + 1);
    return readRow(row, position, loading, config);
  });
  if (config === "mcq") return loaded;
  const samples = loaded.samples.map((sample) => ({
    ...sample,
    pairs: pairs.get(questionId(sample)) ?? 1,
  }));
  return { ...loaded, samples };
}

function readRow(row: Row, position: number, loading: LoadContext, config: string): Sample | null {
  const read = MathRow.safeParse(row);
  const answer = read.success ? /^\s*\(?([A-Z])\)?\.?\s*$/.exec(read.data.answer)?.[1] : undefined;
  if (!read.success || answer === undefined) return unreadable(position, loading);
  const { data, tally, samples } = loading;
  const { question_id, question, videoID, steps, evidence_s } = read.data;
  const { options, irregularity } = readOptions(read.data.options);
  if (irregularity !== null) tally.add(irregularity, question_id);
  if (read.data.answer !== answer)
    tally.add(
      "answer letters that were normalised",
      `${question_id}: ${JSON.stringify(read.data.answer)}`,
    );
  if (!options.some((option) => option.letter === answer))
    tally.add("right letters that are not among the options", `${question_id}: ${answer}`);
  const id = config === "mcq" ? question_id : pairId(question_id, samples);
  if (samples.has(id)) tally.add("repeated question_id, the last counts", id);
  const subtitles = data.find("subtitles", [`${videoID}.srt`]);
  return {
    id,
    ...videoOf([`${videoID}.mp4`, `${videoID}.MP4`, `${videoID}.mkv`], videoID, loading),
    question,
    task: "choice",
    options,
    answer,
    ...(subtitles === undefined ? {} : { subtitles }),
    ...(steps == null ? {} : { steps }),
    ...(evidence_s === undefined ? {} : { evidence_s }),
    row,
  };
}

/** The pairs of a question share its `question_id`; they are numbered in their order, from 1. */
function pairId(questionId: string, taken: ReadonlyMap<string, unknown>): string {
  let pair = 1;
  while (taken.has(`${questionId}/${pair}`)) pair++;
  return `${questionId}/${pair}`;
}

/** Columns that only some releases have, by their lower-case name without `_` and spaces. */
const FURTHER: Record<string, string> = {
  difficulty: "difficulty",
  difficultylevel: "difficulty",
  reasoningtype: "reasoning_type",
  reasoning: "reasoning_type",
};

function groups(sample: Sample): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [column, value] of Object.entries(sample.row)) {
    const name = column.toLowerCase().replace(/[_\s-]/g, "");
    const kind = name === "category" || name === "length" ? name : FURTHER[name];
    if (kind !== undefined && (typeof value === "string" || typeof value === "number"))
      found[kind] = String(value).trim();
  }
  return found;
}

function questionId(sample: Sample): string {
  return String(sample.row.question_id ?? sample.id);
}

/** Whether the samples are pairs, so that a question counts only when all of its pairs are right. */
function inPairs(scored: readonly ScoredReply[]): boolean {
  return scored.length > 0 && scored.every(({ sample }) => sample.options.length === 2);
}

function questions(scored: readonly ScoredReply[]) {
  const questionOf = inPairs(scored) ? questionId : ({ id }: Sample) => id;
  return wholeQuestions(scored, questionOf, { cluster: ({ video }) => video, groups });
}

/**
 * lmms-eval's `videomathqa_perception_score` in percent (MCQ, or MBin for pairs), with its break-downs by length and
 * category; null if no question has all of its pairs.
 */
function officialScores(scored: readonly ScoredReply[]): Record<string, unknown> {
  const all = questions(scored);
  const percent = (items: typeof all) =>
    items.length === 0
      ? null
      : (100 * items.filter((item) => item.value === 1).length) / items.length;
  const by = (kind: string) =>
    Object.fromEntries(
      [...Map.groupBy(all, (item) => item.groups[kind] ?? "unknown")].map(([group, items]) => [
        group,
        percent(items),
      ]),
    );
  return {
    videomathqa_perception_score: percent(all),
    [inPairs(scored) ? "MBin" : "MCQ"]: percent(all),
    length: by("length"),
    category: by("category"),
  };
}

/** In addition to the official score: the share of replies with a letter, and for pairs how many of the pairs are right. */
function measures(scored: readonly ScoredReply[]): Record<string, number | null> {
  const replied = scored.filter(({ extraction }) => extraction !== null);
  const share = (of: (item: ScoredReply) => boolean) =>
    replied.length === 0 ? null : replied.filter(of).length / replied.length;
  const right = share(({ score }) => score.value === 1);
  return {
    ...(inPairs(scored) ? { pair_accuracy: right } : { accuracy: right }),
    answered: share(({ extraction }) => extraction?.answer != null),
  };
}
