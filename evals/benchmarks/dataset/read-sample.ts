import { unusablePairs } from "../partial-order.ts";
import type { Sample } from "../sample.ts";
import type { createTally } from "../tally.ts";
import { questionOfPair } from "../whole-questions.ts";
import type { AnswerForm, ChoiceRow } from "./answers.ts";
import { numberOf, numbersOf, pairsOf, spansOf, textOf, textsOf } from "./cells.ts";
import type { FileFinder } from "./find-files.ts";
import type { GroupColumn } from "./groups.ts";
import type { RowCells } from "./read-rows.ts";

/** Facts that all rows of a file share. */
export interface Reading {
  files: FileFinder;
  rightOption: (row: ChoiceRow) => string | null;
  answers: AnswerForm | undefined;
  groups: readonly GroupColumn[];
  /** Whether to add the task as a group: for a file with several tasks that does not mark its groups. */
  groupByTask: boolean;
  tally: ReturnType<typeof createTally>;
}

/** The sample of a row without its id, or the reason why the row cannot be read. */
export async function readSample(
  row: RowCells,
  name: string,
  reading: Reading,
): Promise<Omit<Sample, "id" | "row"> | string> {
  const { place, source, cells, options, task } = row;
  const { files, tally } = reading;
  const goal = textOf(cells.goal) ?? undefined;
  const question = textOf(cells.question) ?? orderQuestion(task, goal);
  if (question === null)
    return goal === undefined
      ? "no question"
      : "no question, and the answer is not an order of the clips 1 to n, which its goal would ask for";
  const videoName = textOf(cells.video);
  if (videoName === null) return "no video";
  const right = rightAnswer(row, reading);
  if (typeof right === "string") return right;
  const video = await files.video(videoName);
  if (!video.there) tally.add("videos missing", `${videoName} (${name})`, video.path);
  const subtitles = await subtitlesOf(row, name, reading);
  const evidence_s = cells.evidence_s == null ? null : spansOf(cells.evidence_s);
  if (cells.evidence_s != null && evidence_s === null)
    tally.add("values of evidence_s left out: not a list of [start, end] in seconds", place);
  // [start, end] without its list has the same form.
  if (
    Array.isArray(cells.evidence_s) &&
    cells.evidence_s.length === 2 &&
    evidence_s?.every(([start, end]) => start === end) &&
    !cells.evidence_s.some(Array.isArray)
  )
    tally.add("evidence_s read as two moments: a span is written [[start, end]]", place);
  const steps = textsOf(cells.steps);
  const pairs = pairsOfQuestion(row, name);
  if (cells.pairs != null && pairs === null)
    tally.add(
      "values of pairs left out: not the number of pairs of a question, whose pairs have two options and the ids QUESTION/1, QUESTION/2",
      place,
    );
  const groups = Object.fromEntries(
    reading.groups.flatMap(({ column, kind }) => {
      const group = textOf(source[column]);
      return group === null ? [] : [[kind, group]];
    }),
  );
  return {
    video: video.path,
    hasVideo: video.there,
    question,
    task,
    ...(goal === undefined ? {} : { goal }),
    options: task === "choice" ? (options?.options ?? []) : [],
    ...right,
    ...subtitles,
    ...(steps === null ? {} : { steps }),
    ...(evidence_s === null ? {} : { evidence_s }),
    ...(pairs === null ? {} : { pairs }),
    groups: reading.groupByTask && groups.task === undefined ? { task, ...groups } : groups,
  };
}

function orderQuestion(task: Sample["task"], goal: string | undefined): string | null {
  return task === "order" && goal !== undefined
    ? `Put the clips in the order that completes this task: ${goal}`
    : null;
}

/** The right answer of a row, or the reason why it cannot be read. */
function rightAnswer(
  { place, cells: { answer, partial_order }, options, task }: RowCells,
  { rightOption, answers }: Reading,
): Pick<Sample, "answer" | "accepts" | "partial_order"> | string {
  if (answer === null || answer === undefined) return "no answer";
  if (task === "choice" && options !== null) {
    const only = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
    const said = textOf(only);
    if (said === null) return "several right options, or an answer that is not a text";
    const letter = rightOption({ place, options, answer: said });
    return letter === null ? "the answer is not one of the options" : { answer: letter };
  }
  if (task === "order") {
    const from0 = answers === "index0";
    const clips = numbersOf(answer)?.map((clip) => (from0 ? clip + 1 : clip));
    if (clips?.includes(0)) return "the order counts from 0 (declare --answers index0)";
    const isOrder =
      clips !== undefined &&
      clips.length >= 2 &&
      new Set(clips).size === clips.length &&
      clips.every((clip) => clip >= 1 && clip <= clips.length);
    if (!isOrder) return "the answer is not an order of the clips 1 to n";
    if (partial_order == null) return { answer: clips };
    const pairs = pairsOf(partial_order)?.map((pair) =>
      from0 ? pair.map((clip) => clip + 1) : pair,
    ) as [number, number][] | undefined;
    if (pairs === undefined) return "the partial order is not a list of [earlier, later] clips";
    const unusable = unusablePairs(pairs, clips);
    return unusable === null
      ? { answer: clips, partial_order: pairs }
      : `the partial order cannot be used: ${unusable}`;
  }
  const [first, ...more] = textsOf(answer) ?? [textOf(answer)];
  if (first === null || first === undefined) return "the answer is not a text";
  const accepts = [...new Set(more.filter((text) => text !== null && text !== first))] as string[];
  return { answer: first, ...(accepts.length === 0 ? {} : { accepts }) };
}

/** How many pairs the question of a row has; null if the row is not one of several pairs. */
function pairsOfQuestion({ cells, options, task }: RowCells, id: string): number | null {
  const pairs = numberOf(cells.pairs);
  const isPair = task === "choice" && options?.options.length === 2 && questionOfPair(id) !== id;
  return isPair && pairs !== null && Number.isInteger(pairs) && pairs >= 1 ? pairs : null;
}

async function subtitlesOf(
  { place, cells }: RowCells,
  name: string,
  { files, tally }: Reading,
): Promise<Pick<Sample, "subtitles" | "subtitles_from_s">> {
  const given = textOf(cells.subtitles);
  if (given === null) return {};
  const { path, there } = await files.subtitles(given);
  if (!there) tally.add("subtitle files missing", `${given} (${name})`);
  const from_s = numberOf(cells.subtitles_from_s);
  if (cells.subtitles_from_s != null && from_s === null)
    tally.add("values of subtitles_from_s left out: not a number of seconds", place);
  if (!there) return {};
  return { subtitles: path, ...(from_s ? { subtitles_from_s: from_s } : {}) };
}
