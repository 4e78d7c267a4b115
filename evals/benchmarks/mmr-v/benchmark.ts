import { z } from "zod";
import { sha256 } from "../../../src/core/hash.ts";
import type { Row } from "../data-files.ts";
import { defineBenchmark } from "../define-benchmark.ts";
import { EvidenceSpans } from "../evidence-spans.ts";
import { type LoadContext, loadRows, unreadable, videoOf } from "../load-rows.ts";
import { readOptions } from "../options.ts";
import { pythonRound } from "../python-text.ts";
import { afterStripping } from "../reasoning-tags.ts";
import type { BenchmarkData, Sample } from "../sample.ts";
import type { Extractor, ScoredReply } from "../scored-reply.ts";
import { namesForeignLetter, soundLetter } from "../sound-letter.ts";
import { MMR_V_PROTOCOL } from "./protocol.ts";
import published from "./published.json" with { type: "json" };
import { officialLetter } from "./read-letter.ts";
import { MMR_V_RELEASED } from "./released-prompts.ts";
import { MMR_V_RULES } from "./released-rules.ts";
import { MMR_V_RESPONSES, toLeaderboard } from "./response-file.ts";
import { MMR_V_PROMPTS, MMR_V_WORDING } from "./wording.ts";

/* MMR-V (arXiv 2506.04141): multiple choice over frames that are far apart. */

const MmrRow = z.object({
  video: z.string().min(1),
  question: z.string().min(1),
  options: z.array(z.string()).min(2),
  correctAnswer: z.string(),
  videoType: z.string().nullish(),
  abilityType_L2: z.string().nullish(),
  abilityType_L3: z.string().nullish(),
  question_idx: z.number().nullish(),
  evidence_s: EvidenceSpans.optional(),
});

type MmrRow = z.infer<typeof MmrRow>;

const isText = (value: unknown) => typeof value === "string";
const isNamed = (value: unknown) => isText(value) && value !== "";
const isTextOrNone = (value: unknown) => value == null || isText(value);

/** Whether zod would accept a row as it is; false if only zod can say, which copies each of many thousands. */
function isUsualRow(row: Row): row is Row & MmrRow {
  const { video, question, options, correctAnswer, question_idx: index } = row;
  return (
    isNamed(video) &&
    isNamed(question) &&
    Array.isArray(options) &&
    options.length > 1 &&
    options.every(isText) &&
    isText(correctAnswer) &&
    isTextOrNone(row.videoType) &&
    isTextOrNone(row.abilityType_L2) &&
    isTextOrNone(row.abilityType_L3) &&
    (index == null || Number.isFinite(index)) &&
    row.evidence_s === undefined
  );
}

/** Abilities of level 2 by the name in the paper, with their two kinds. */
const ABILITIES: Record<string, "Implicit" | "Explicit"> = {
  "Metaphor Understanding": "Implicit",
  "Theme Understanding": "Implicit",
  "Emotion Recognition": "Implicit",
  "Comment Matching": "Implicit",
  "Implicit Symbol": "Implicit",
  "Causal Reasoning": "Explicit",
  "Sequential Structure Reasoning": "Explicit",
  "Counterintuitive Reasoning": "Explicit",
  "Cross-modal Transfer Reasoning": "Explicit",
  "Video Type and Intent": "Explicit",
};
const VIDEO_TYPES = ["Animation", "Art", "Film", "Life", "Philosophy", "TV"];
/** Names in the released rows that the paper spells differently. */
const PAPER_SPELLING: Record<string, string> = {
  movie: "Film",
  "cross-modal creative transfer": "Cross-modal Transfer Reasoning",
};

/** The paper's names by their lower-case form. */
const CANONICAL_NAMES = new Map([
  ...Object.entries(PAPER_SPELLING),
  ...[...VIDEO_TYPES, ...Object.keys(ABILITIES)].map((name) => [name.toLowerCase(), name] as const),
]);

const TITLE = "MMR-V";

export const mmrV = defineBenchmark({
  name: "mmr-v",
  title: TITLE,
  tasks: ["choice"],
  load,
  groups,
  extractors: {
    official: readBy("official"),
    "official-brackets": readBy("official-brackets"),
    "official-standalone": readBy("official-standalone"),
    "official-last": readBy("official-last"),
    "official-last-standalone": readBy("official-last-standalone"),
    "lmms-eval-0.7": afterStripping((reply) => officialLetter(reply)),
    sound: soundLetter,
  },
  answers: {
    written: "brackets",
    readBy: { brackets: "sound", "answer-line": "sound" },
    unreadable: {},
  },
  scorer: "letter",
  official: officialScores,
  measures,
  namesForeignAnswer: namesForeignLetter,
  wording: MMR_V_WORDING,
  prompts: MMR_V_PROMPTS,
  released: MMR_V_RELEASED,
  protocol: MMR_V_PROTOCOL,
  published,
  // The tables of its official scores contain counts; the paper prints the accuracy.
  publishedScores: ({ official, accuracy }) => ({ ...official, accuracy: 100 * (accuracy ?? 0) }),
  responses: MMR_V_RESPONSES,
  leaderboard: toLeaderboard,
});

function readBy(name: keyof typeof MMR_V_RULES): Extractor {
  return (reply) => officialLetter(reply, MMR_V_RULES[name].rule);
}

function load(path: string): Promise<BenchmarkData> {
  const columns = ["video", "question", "options", "correctAnswer"];
  return loadRows(path, { title: TITLE, columns }, readRow);
}

function readRow(row: Row, position: number, loading: LoadContext): Sample | null {
  const read = isUsualRow(row) ? row : MmrRow.safeParse(row).data;
  const answer = read === undefined ? undefined : rightLetter(read.correctAnswer);
  if (read === undefined || answer === undefined) return unreadable(position, loading);
  const { tally, samples } = loading;
  const { video: name, question, correctAnswer, evidence_s } = read;
  const { options, irregularity } = readOptions(read.options);
  const where = `question_idx ${read.question_idx ?? position}`;
  if (correctAnswer !== `(${answer})`)
    tally.add("answer letters that were normalised", `${where}: ${JSON.stringify(correctAnswer)}`);
  if (irregularity !== null) tally.add(irregularity, where);
  if (!options.some((option) => option.letter === answer))
    tally.add("right letters that are not among the options", `${where}: ${answer}`);
  for (const raw of [read.videoType, read.abilityType_L2])
    if (raw != null && canonicalName(raw) !== raw)
      tally.add("group names that were normalised", `${raw} -> ${canonicalName(raw)}`);
  const ownId = mmrId(name, question);
  const id = freeId(ownId, samples);
  if (id !== ownId)
    tally.add(
      "questions repeated for one video, given separate ids",
      `${where}: ${question.slice(0, 60)}`,
    );
  return {
    id,
    ...videoOf([name], name, loading),
    question,
    task: "choice",
    options,
    answer,
    ...(evidence_s === undefined ? {} : { evidence_s }),
    row,
  };
}

/** Question texts repeat across videos, so the id is made from both. */
export function mmrId(video: string, question: string): string {
  return sha256(`${video.normalize("NFC")}\n${question}`).slice(0, 16);
}

function freeId(id: string, taken: ReadonlyMap<string, unknown>): string {
  let copy = 2;
  if (!taken.has(id)) return id;
  while (taken.has(`${id}-${copy}`)) copy++;
  return `${id}-${copy}`;
}

/** `(B) `, `(b)` or `B`. */
function rightLetter(text: string): string | undefined {
  if (/^\([A-Z]\)$/.test(text)) return text[1];
  return (
    /\(([A-Z])\)/.exec(text.toUpperCase())?.[1] ?? /^\s*([A-Z])\s*$/.exec(text.toUpperCase())?.[1]
  );
}

/** The paper's spelling of a video type or ability; an unknown name is only trimmed. */
export function canonicalName(raw: string): string {
  return CANONICAL_NAMES.get(raw.trim().toLowerCase()) ?? raw.trim();
}

function groups(sample: Sample): Record<string, string> {
  const { videoType, abilityType_L2, abilityType_L3 } = isUsualRow(sample.row)
    ? sample.row
    : MmrRow.parse(sample.row);
  const ability = abilityType_L2 == null ? undefined : canonicalName(abilityType_L2);
  const kind = ability === undefined ? undefined : ABILITIES[ability];
  return {
    ...(kind === undefined ? {} : { reasoning: kind }),
    ...(ability === undefined ? {} : { l2: ability }),
    ...(abilityType_L3 == null ? {} : { l3: abilityType_L3.trim() }),
    ...(videoType == null ? {} : { video_type: canonicalName(videoType) }),
  };
}

/** The tables of MMR-V's scorer (`main-results.py`): group names as in the rows, counts and percentages as text. */
function officialScores(scored: readonly ScoredReply[]): Record<string, unknown> {
  const raw = (item: ScoredReply, column: string) =>
    String(item.sample.row[column] ?? "").trim() || "Unknown";
  const table = (groupOf: (item: ScoredReply) => string) =>
    Object.fromEntries(
      [...Map.groupBy(scored, groupOf)].map(([group, items]) => [group, countAndShare(items)]),
    );
  return {
    total: countAndShare(scored),
    reasoning: table((item) => groups(item.sample).reasoning ?? "Other"),
    l2: table((item) => raw(item, "abilityType_L2")),
    l3: table((item) => raw(item, "abilityType_L3")),
    video_type: table((item) => raw(item, "videoType")),
  };
}

function countAndShare(scored: readonly ScoredReply[]): { count: string; accuracy: string } {
  const right = scored.filter(({ score }) => score.value === 1).length;
  const percent = pythonRound((right / scored.length) * 100).toFixed(2);
  return {
    count: `${right}/${scored.length}`,
    accuracy: scored.length === 0 ? "N/A" : `${percent}%`,
  };
}

/** Accuracy and share of answers with both stages of the official extraction, and with stage 1 only. */
function measures(scored: readonly ScoredReply[]): Record<string, number | null> {
  const replied = scored.filter(({ extraction }) => extraction !== null);
  const share = (of: (item: ScoredReply) => boolean) =>
    replied.length === 0 ? null : replied.filter(of).length / replied.length;
  return {
    accuracy: share(({ score }) => score.value === 1),
    accuracy_stage_1: share(
      ({ score, extraction }) => score.value === 1 && extraction?.stage !== 2,
    ),
    answered_stage_1: share(
      ({ extraction }) => extraction?.answer != null && extraction.stage !== 2,
    ),
    answered: share(({ extraction }) => extraction?.answer != null),
  };
}
