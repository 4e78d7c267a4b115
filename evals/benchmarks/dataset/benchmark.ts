import { resolve } from "node:path";
import { z } from "zod";
import { defineBenchmark } from "../define-benchmark.ts";
import { TABLE_FILES } from "../table-files.ts";
import { ANSWER_FORMS } from "./answers.ts";
import { ColumnNames } from "./columns.ts";
import type { DataSettings } from "./load.ts";
import { recordOptions } from "./read-rows.ts";

/* Questions of a data file of the user: choices, orders and open questions in one run. */

export const dataset = defineBenchmark({
  name: "dataset",
  title: "Own data",
  tasks: ["choice", "order", "open"],
  opens: TABLE_FILES,
  load: async (path, { settings = {} } = {}) =>
    (await import("./load.ts")).loadDataset(path, settings as DataSettings),
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
  scorer: { choice: "letter", order: "order" },
  responses: {
    clues: { video: "video", ids: ["id"], numbered: "id", answer: "answer" },
    optionsOf: recordOptions,
    matchesRow: () => false,
    // As `export --replies` writes them.
    file: {
      fields: "id and reply",
      matchesRecord: (record) => "id" in record && "reply" in record,
      reader: () => (record) => ({ reply: record.reply }),
    },
  },
});
