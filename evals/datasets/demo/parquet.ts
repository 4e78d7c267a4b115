import { parquetWriteBuffer } from "hyparquet-writer";
import type { mcqRow } from "./rows.ts";

type Row = ReturnType<typeof mcqRow>;
type Columns = NonNullable<Parameters<typeof parquetWriteBuffer>[0]["schema"]>;

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type: "OPTIONAL" } as const;
const text = (name: string): Columns => [{ ...TEXT, name }];
/** A list as the Hugging Face hub writes it. */
const list = (name: string, [element, ...below]: Columns): Columns =>
  element === undefined
    ? []
    : [
        { name, repetition_type: "OPTIONAL", converted_type: "LIST", num_children: 1 },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        { ...element, name: "element" },
        ...below,
      ];
const seconds: Columns = [{ name: "element", type: "DOUBLE", repetition_type: "OPTIONAL" }];

const COLUMNS: { [Name in keyof Row]: Columns } = {
  question_id: text("question_id"),
  question: text("question"),
  options: list("options", text("element")),
  answer: text("answer"),
  category: text("category"),
  length: text("length"),
  videoID: text("videoID"),
  steps: list("steps", text("element")),
  evidence_s: list("evidence_s", list("element", seconds)),
};

/** VideoMathQA rows as a Parquet file. */
export function parquetOf(rows: readonly Row[]): Uint8Array {
  const names = Object.keys(COLUMNS) as (keyof Row)[];
  return new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: "schema", num_children: names.length },
        ...names.flatMap((name) => COLUMNS[name]),
      ],
      columnData: names.map((name) => ({ name, data: rows.map((row) => row[name]) })),
    }),
  );
}
