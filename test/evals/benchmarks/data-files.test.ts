import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { parseJson, readRows } from "../../../evals/benchmarks/data-files.ts";
import { dataFolder, parquet } from "./fixtures.ts";

/** 2^53 + 1, which a number cannot hold. */
const LARGE = "9007199254740993";

test("integers outside the safe range are texts, in every format", async () => {
  const json = `{"id": ${LARGE}, "answer": [-${LARGE}, 3], "of": {"n":12345678901234567}}`;
  const ids = [0n, 1n, 2n].map((more) => ({ id: 9007199254740990n + more, n: 7n }));
  const folder = await dataFolder({
    "list.json": `[${json}]`,
    "lines.jsonl": `${json}\n{"id": 4}\n`,
    "ids.parquet": parquet(ids),
  });
  const row = { id: LARGE, answer: [`-${LARGE}`, 3], of: { n: "12345678901234567" } };
  expect((await readRows(join(folder, "list.json"))).rows).toEqual([row]);
  expect((await readRows(join(folder, "lines.jsonl"))).rows).toEqual([row, { id: 4 }]);
  expect((await readRows(join(folder, "ids.parquet"))).rows).toEqual([
    { id: 9007199254740990, n: 7 },
    { id: 9007199254740991, n: 7 },
    { id: "9007199254740992", n: 7 },
  ]);
});

test.each([
  ['{"n": 9007199254740991}', { n: 9007199254740991 }],
  ['{"n": 1234567890123456.5}', { n: 1234567890123456.5 }],
  ['{"n": 0.12345678901234567890}', { n: 0.12345678901234568 }],
  ['{"n": 12345678901234567e3}', { n: 12345678901234567e3 }],
  ['{"text": " 12345678901234567"}', { text: " 12345678901234567" }],
])("%s keeps its value", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test("members of a Parquet struct are as in JSON", async () => {
  const member = (name: string, type: "INT64" | "INT32") =>
    ({ name, type, repetition_type: "REQUIRED" }) as const;
  const file = parquetWriteBuffer({
    schema: [
      { name: "root", num_children: 3 },
      { name: "options", repetition_type: "REQUIRED", num_children: 2 },
      member("A", "INT64"),
      member("B", "INT64"),
      { name: "meta", repetition_type: "REQUIRED", num_children: 1 },
      member("frame", "INT64"),
      { ...member("day", "INT32"), converted_type: "DATE" },
    ],
    columnData: [
      { name: "options", data: [{ A: 1n, B: BigInt(LARGE) }] },
      { name: "meta", data: [{ frame: 5n }] },
      { name: "day", data: [new Date("2024-01-01")] },
    ],
  });
  const folder = await dataFolder({ "rows.parquet": new Uint8Array(file) });
  const { rows } = await readRows(join(folder, "rows.parquet"));
  expect(rows).toEqual([
    { options: { A: 1, B: LARGE }, meta: { frame: 5 }, day: new Date("2024-01-01") },
  ]);
  expect(JSON.stringify(rows)).toContain('"frame":5');
});
