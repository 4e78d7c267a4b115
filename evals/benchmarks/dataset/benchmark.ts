import { resolve } from "node:path";
import { z } from "zod";
import { withoutCitations } from "../../../graphs/replies/parse-citations.ts";
import { defineBenchmark } from "../define-benchmark.ts";
import { finalPart, namesForeignLetter, soundLetter } from "../final-answer.ts";
import { TABLE_FILES } from "../read-table.ts";
import type { Sample } from "../sample.ts";
import type { Extraction, ScoredReply } from "../scored-reply.ts";
import { isOrder, soundOrder } from "../sound-order.ts";
import { ANSWER_FORMS } from "./answers.ts";
import { ColumnNames } from "./columns.ts";
import { type DataSettings, loadDataset } from "./load.ts";

/* Questions of a data file of the user: choices, orders and open questions in one run. */

export const dataset = defineBenchmark({
  name: "dataset",
  title: "Own data",
  tasks: ["choice", "order", "open"],
  opens: TABLE_FILES,
  load: (path, { settings = {} } = {}) => loadDataset(path, settings as DataSettings),
  loadSettings: {
    columns: {
      schema: ColumnNames,
      placeholder: "<names>",
      summary: "own data: names of its columns, such as question=q,answer=label",
      expected: "pairs such as question=q,answer=label",
    },
    answers: {
      schema: z.enum(ANSWER_FORMS),
      placeholder: "<form>",
      summary:
        "own data: form of its right options: letter, text, index0 (numbers from 0) or index1 (numbers from 1) (default: the form that fits every row)",
      expected: `one of ${ANSWER_FORMS.join(", ")}`,
    },
    group: {
      schema: z
        .union([z.string(), z.array(z.string())])
        .transform((given) => [given].flat().flatMap((one) => one.split(",")))
        .pipe(z.array(z.string().trim().min(1))),
      placeholder: "<column...>",
      summary: "own data: columns to group the scores by (default: those with at most 20 values)",
      expected: "names of columns",
    },
    videos: {
      schema: z
        .string()
        .min(1)
        .transform((path) => resolve(path)),
      placeholder: "<folder>",
      summary: "own data: folder that video paths start from (default: the folder of the file)",
      expected: "a folder",
    },
  },
  extractors: { official: read, sound: read },
  answers: {
    written: "letter",
    readBy: { letter: "sound", "answer-line": "sound", "order-line": "sound", words: "sound" },
    unreadable: {},
  },
  scorer: { choice: "letter", order: "order" },
  positions,
  namesForeignAnswer: (reply, sample) =>
    sample.task === "choice" && namesForeignLetter(reply, sample),
  // A file is its own format: what it holds is known only by its name.
  responses: { clues: { video: "video", ids: ["id"], numbered: "id" }, holdsRow: () => false },
});

function read(reply: string, sample: Sample): Extraction {
  switch (sample.task) {
    case "choice":
      return soundLetter(reply, sample);
    case "order":
      return soundOrder(reply, sample.answer.length);
    case "open":
      return openAnswer(reply);
  }
}

/** The text after the last `Answer:` outside reasoning, or the whole reply. A refusal in the words of the prompts is no answer. */
function openAnswer(reply: string): Extraction {
  const final = withoutCitations(finalPart(reply)).trim();
  if (final === "") return { answer: null, how: "an empty reply" };
  if (/^\W*not answered\W*$/i.test(final))
    return { answer: null, how: "the reply is not an answer" };
  const labels = [...final.matchAll(/(?:^|\n)[#>*_\s]*(?:final )?answer[*_\s]*[:：][*_\s]*/gi)];
  const last = labels.at(-1);
  if (last === undefined) return { answer: final, how: "the whole reply" };
  const said = final
    .slice(last.index + last[0].length)
    .replace(/[*_\s]+$/, "")
    .trim();
  return said === ""
    ? { answer: null, how: "nothing after `Answer:`" }
    : { answer: said, how: "after `Answer:`" };
}

/** Which places of an order are right; empty for other questions. */
function positions({ sample, extraction }: ScoredReply): boolean[] {
  if (!Array.isArray(sample.answer)) return [];
  const order = extraction?.answer;
  const comparable = Array.isArray(order) && isOrder(order, sample.answer.length);
  return sample.answer.map((clip, place) => comparable && order[place] === clip);
}
