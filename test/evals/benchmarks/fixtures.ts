import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import type { Sample } from "../../../evals/benchmarks/sample.ts";
import { tempFolder } from "../../support/temp.ts";

/** A data folder with the files given; an object or list is written as JSON, `null` as an empty file. */
export async function dataFolder(files: Record<string, unknown>): Promise<string> {
  const folder = await tempFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    const bytes =
      content instanceof Uint8Array || typeof content === "string"
        ? content
        : content === null
          ? ""
          : JSON.stringify(content);
    await writeFile(join(folder, path), bytes);
  }
  return folder;
}

/** Rows as a Parquet file; lists of text become columns of lists, as the Hugging Face hub writes them. */
export function parquet(rows: Record<string, unknown>[]): Uint8Array {
  const names = Object.keys(rows[0] ?? {});
  const columnData: ColumnSource[] = names.map((name) => ({
    name,
    data: rows.map((row) => row[name]) as ColumnSource["data"],
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/** A choice sample with the letters given. */
export function choice(letters: string, answer = letters[0] ?? "A"): Sample {
  return {
    id: "q",
    video: "videos/v.mp4",
    hasVideo: true,
    question: "Which?",
    task: "choice",
    options: [...letters].map((letter) => ({ letter, text: `text ${letter}` })),
    answer,
    row: {},
  };
}
