import type { Sample } from "../benchmarks/sample.ts";
import { orderOf, shifted, shownLetter } from "../run/option-orders.ts";
import type { Result } from "./export.ts";

/*
 * The questions of a run as JSON lines in the columns of own data, so that the file can be edited and run again. Reading it
 * gives the same samples, apart from `row`.
 */

/** What is added to a question if its reply is written as well. */
interface ReplyColumns {
  epoch: number;
  reply: string | null;
  reply_answer: string | number[] | null;
  score: number | null;
}

/**
 * One line per question; with `replies` one line per result, with options and letters as the model saw them. Ids then repeat
 * if there are several epochs.
 */
export function toDataset(
  results: readonly Result[],
  samples: readonly Sample[],
  groupsOf: (sample: Sample) => Record<string, string>,
  { replies = false }: { replies?: boolean } = {},
): string {
  const rows = replies
    ? results.map((result) => ({
        ...dataRow(shifted(result.sample, orderOf(result)), groupsOf),
        ...replyOf(result),
      }))
    : samples.map((sample) => dataRow(sample, groupsOf));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function dataRow(
  sample: Sample,
  groupsOf: (sample: Sample) => Record<string, string>,
): Record<string, unknown> {
  const { id, video, task, question, goal, options, answer, accepts } = sample;
  const { subtitles, subtitles_from_s, evidence_s, steps, partial_order, pairs } = sample;
  const groups = Object.entries(groupsOf(sample)).map(([kind, group]) => [`group:${kind}`, group]);
  return {
    ...{ id, video, task, question },
    ...(goal === undefined ? {} : { goal }),
    ...(options.length === 0
      ? {}
      : { options: Object.fromEntries(options.map(({ letter, text }) => [letter, text])) }),
    answer: accepts === undefined ? answer : [answer, ...accepts],
    ...(partial_order === undefined ? {} : { partial_order }),
    ...(subtitles === undefined ? {} : { subtitles }),
    ...(subtitles_from_s === undefined ? {} : { subtitles_from_s }),
    ...(evidence_s === undefined ? {} : { evidence_s }),
    ...(steps === undefined ? {} : { steps }),
    ...(pairs === undefined ? {} : { pairs }),
    ...Object.fromEntries(groups),
  };
}

function replyOf(result: Result): ReplyColumns {
  const { sample, epoch, reply, extraction, score } = result;
  const reply_answer = shownLetter(sample, extraction?.answer ?? null, orderOf(result));
  return { epoch, reply, reply_answer, score: score.value };
}
