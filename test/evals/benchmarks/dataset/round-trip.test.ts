import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify as toCsv } from "csv-stringify/sync";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { stringify as toYaml } from "yaml";
import { dataset } from "../../../../evals/benchmarks/dataset/benchmark.ts";
import { loadDataset } from "../../../../evals/benchmarks/dataset/load.ts";
import type { Sample } from "../../../../evals/benchmarks/sample.ts";
import { toDataset } from "../../../../evals/export/data-rows.ts";
import { dataFolder, parquet } from "../fixtures.ts";

/* Samples exported with `--format dataset` are read back unchanged, in every file format. */

let folder: string;

beforeAll(async () => {
  folder = await dataFolder({ "film.mp4": null, "film.srt": null });
});

type Row = Record<string, unknown>;
const inTextCells = (row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === "string" && !/^[[{]/.test(value) ? value : JSON.stringify(value),
    ]),
  );

/** Parquet columns have one type; values other than text are JSON. */
const FORMATS: Readonly<Record<string, (rows: Row[]) => string | Uint8Array>> = {
  jsonl: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  json: (rows) => JSON.stringify({ rows }),
  yaml: (rows) => toYaml(rows),
  csv: (rows) => csv(rows, ","),
  tsv: (rows) => csv(rows, "\t"),
};

function csv(rows: Row[], delimiter: string): string {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  return toCsv(rows.map(inTextCells), {
    header: true,
    columns,
    delimiter,
    record_delimiter: "\r\n",
  });
}

/** Texts without white space at the ends, because reading trims it. */
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((value) => value.trim())
  .filter((value) => value !== "" && !value.includes("\u0000") && value.isWellFormed());
const plainText = text.filter((value) => !/^[[{]/.test(value));
const second = fc.integer({ min: 0, max: 500 });
const spans = fc.array(
  fc.tuple(second, second).map(([start, length]): [number, number] => [start, start + length]),
  { minLength: 1, maxLength: 3 },
);

const shared = {
  question: plainText,
  video: fc.constantFrom("film.mp4", "gone.mp4", "../elsewhere.mp4"),
  evidence_s: fc.option(spans, { nil: undefined }),
  subtitles: fc.constantFrom(undefined, "film.srt"),
  level: fc.option(plainText, { nil: undefined }),
};

const choice = fc
  .record({ ...shared, options: fc.array(text, { minLength: 2, maxLength: 6 }), right: fc.nat() })
  .map(({ options, right, ...rest }) => ({
    ...rest,
    task: "choice" as const,
    options: options.map((option, place) => ({ letter: "ABCDEF".charAt(place), text: option })),
    answer: "ABCDEF".charAt(right % options.length),
  }));
const order = fc
  .record({
    ...shared,
    goal: plainText,
    answer: fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 }),
    steps: fc.option(fc.array(text, { minLength: 4, maxLength: 4 }), { nil: undefined }),
  })
  .chain((given) =>
    fc
      .subarray(given.answer.slice(1).map((clip, place) => [given.answer[place], clip]))
      .chain((pairs) => fc.constantFrom(undefined, pairs))
      .map((partial_order) => ({
        ...given,
        partial_order,
        task: "order" as const,
        options: [],
      })),
  );
const open = fc
  .record({ ...shared, answer: plainText, accepts: fc.uniqueArray(text, { maxLength: 2 }) })
  .map(({ accepts, ...rest }) => {
    const more = accepts.filter((one) => one !== rest.answer);
    return {
      ...rest,
      task: "open" as const,
      options: [],
      ...(more.length === 0 ? {} : { accepts: more }),
    };
  });

const samples = fc.array(fc.oneof(choice, order, open), { minLength: 1, maxLength: 6 }).map((all) =>
  all.map(
    ({ level, ...given }, place): Sample =>
      JSON.parse(
        JSON.stringify({
          id: `q${place}`,
          hasVideo: given.video === "film.mp4",
          ...given,
          groups: { kind: given.task, ...(level === undefined ? {} : { level }) },
          row: {},
        }),
      ),
  ),
);

const withoutRow = ({ row: _row, ...sample }: Sample) => sample;

test.each(Object.entries(FORMATS))("write, turn into %s, read: equal", async (extension, write) => {
  await fc.assert(
    fc.asyncProperty(samples, async (given) => {
      const lines = toDataset([], given, dataset.groups).trim().split("\n");
      const rows = lines.map((line): Row => JSON.parse(line));
      const file = join(folder, `data.${extension}`);
      await writeFile(file, write(rows));
      const read = await loadDataset(file, {});
      expect(read.samples.map(withoutRow)).toEqual(given.map(withoutRow));
    }),
    { numRuns: 60 },
  );
});

test("lists and objects of Parquet columns are read as well", async () => {
  const rows = [
    { id: "a", video: "film.mp4", question: "?", options: ["x", "y"], answer: "B", "group:n": 4 },
    { id: "b", video: "film.mp4", question: "?", options: ["u", "v"], answer: "A", "group:n": 5 },
  ];
  const file = join(folder, "data.parquet");
  await writeFile(file, parquet(rows));
  const { samples: read } = await loadDataset(file, {});
  expect(read.map(({ options, answer, groups }) => [options.length, answer, groups])).toEqual([
    [2, "B", { n: "4" }],
    [2, "A", { n: "5" }],
  ]);
});
