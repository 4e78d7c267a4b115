import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import { MATCH_KINDS, type Match, type MatchKind } from "./match-records.ts";
import type { RecordOptions } from "./record-options.ts";

/* How far the match of a response file with the questions can be trusted. */

/** How the records of a file were matched with the questions of the data. */
export interface MatchReport {
  /** Number of records per kind of match; only kinds that occur. */
  by: Partial<Record<MatchKind, number>>;
  /**
   * Whether every match is based on the text of a question or its video, without a choice among several questions, and no
   * record contradicts the options, the right answer or the id of its question.
   */
  verified: boolean;
  /** Replies whose record fits several questions; one was chosen by its number or by the order of the file. */
  ambiguous: number;
  /** Replies whose record has the options in another order; their letters were converted to those of the data. */
  reordered: number;
  /** Replies whose record has other options than the data, so that their letters may name other options. */
  other_options: number;
  /** Replies whose record has another right answer than the data. */
  other_answers: number;
  /** Replies whose record names another question, or another id and another video than its question has. */
  other_names: number;
  /** Unverified replies that name a letter or clips that their question does not have. */
  foreign_answers: number;
  /** Unverified records that give a right answer, and those whose right answer equals that of the data. */
  right_answers: { given: number; equal: number };
  /** One or two sentences for a person. */
  told: string;
}

/** A reply with its match. */
export interface MatchedReply {
  match: Match;
  reply: string;
  /** How the options of the record compare with those of the data. */
  options: RecordOptions["kind"];
  /** Whether the right answer of the record equals that of the data; null if it gives none. */
  right: boolean | null;
}

/** Summarises how a file was matched. */
export function reportMatch(
  matched: readonly MatchedReply[],
  { namesForeignAnswer }: Pick<Benchmark, "namesForeignAnswer">,
): MatchReport {
  const by: MatchReport["by"] = {};
  for (const { match } of matched) by[match.by] = (by[match.by] ?? 0) + 1;
  const isForeign = ({ match, reply }: MatchedReply) => namesForeignAnswer(reply, match.sample);
  const isNumbered = ({ match }: MatchedReply) => match.by === "id" || match.by === "index";
  const isAmbiguous = ({ match }: MatchedReply) => match.chosenBy !== null;
  const numbered = matched.filter((one) => isNumbered(one) && !isAmbiguous(one));
  const ambiguous = matched.filter(isAmbiguous);
  const unsure = matched.filter((one) => isNumbered(one) || isAmbiguous(one));
  const kinds = MATCH_KINDS.filter((kind) => by[kind] !== undefined);
  const sentences = [
    `Matched replies to questions: ${kinds.map((kind) => `${by[kind]} by ${kind}`).join(", ")}.`,
  ];
  if (numbered.length > 0)
    sentences.push(
      `The match by id or index cannot be verified, because the file does not contain these questions or videos. ${doubts(numbered, isForeign)}.`,
    );
  if (ambiguous.length > 0)
    sentences.push(
      `The match of ${ambiguous.length} records cannot be verified, because each fits several questions (${choices(ambiguous)}). ${doubts(ambiguous, isForeign)}.`,
    );
  const reordered = matched.filter(({ options }) => options === "reordered").length;
  const other_options = matched.filter(({ options }) => options === "different").length;
  const differing = matched.filter(({ right }) => right === false);
  const untold = differing.filter((one) => !isNumbered(one) && !isAmbiguous(one)).length;
  if (reordered > 0)
    sentences.push(
      `${reordered} records have the options in another order; the letters of their replies were converted by the texts of the options.`,
    );
  if (other_options > 0)
    sentences.push(
      `The match of ${other_options} records cannot be verified, because their options differ from the data's: their letters may name other options.`,
    );
  if (untold > 0)
    sentences.push(
      `The match of ${untold} records cannot be verified, because their right answer differs from the data's.`,
    );
  const other_names = matched.filter(({ match }) => match.isDoubtful).length;
  if (other_names > 0)
    sentences.push(
      `The match of ${other_names} records cannot be verified, because they name the id of another question, or another id and video.`,
    );
  const isDoubted = other_options > 0 || differing.length > 0 || other_names > 0;
  return {
    by,
    verified: unsure.length === 0 && !isDoubted,
    ambiguous: ambiguous.length,
    reordered,
    other_options,
    other_answers: differing.length,
    other_names,
    foreign_answers: unsure.filter(isForeign).length,
    right_answers: rightAnswers(unsure),
    told: sentences.join(" "),
  };
}

/** `30 chosen by number, 10 by the order of the file` */
function choices(ambiguous: readonly MatchedReply[]): string {
  const count = (how: Match["chosenBy"]) =>
    ambiguous.filter(({ match }) => match.chosenBy === how).length;
  const parts = [
    [count("number"), "by number"],
    [count("order"), "by the order of the file"],
  ] as const;
  const shown = parts.filter(([found]) => found > 0).map(([found, how]) => `${found} ${how}`);
  return `chosen: ${shown.join(", ")}`;
}

/** What speaks against the match of unverified replies, as a sentence without its full stop. */
function doubts(
  unsure: readonly MatchedReply[],
  isForeign: (one: MatchedReply) => boolean,
): string {
  const orders = unsure.some(({ match }) => Array.isArray(match.sample.answer));
  const lacking = orders
    ? "Replies with a different number of clips than their question"
    : "Replies with a letter that their question lacks";
  const { given, equal } = rightAnswers(unsure);
  const agreed =
    given === 0 ? "" : `; records with the right answer of the data: ${equal} of ${given}`;
  return `${lacking}: ${unsure.filter(isForeign).length} of ${unsure.length}${agreed}`;
}

function rightAnswers(unsure: readonly MatchedReply[]): MatchReport["right_answers"] {
  const given = unsure.filter(({ right }) => right !== null);
  return { given: given.length, equal: given.filter(({ right }) => right === true).length };
}
