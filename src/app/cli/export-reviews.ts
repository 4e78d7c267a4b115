import { copyFile, link, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import type { Store, UploadRow } from "../../core/contracts.ts";
import { countOf } from "../../core/count-of.ts";
import { Failure, toFailure } from "../../core/errors.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { print, printJson, run, say } from "./output.ts";

interface Flags {
  dataDir: string;
  out: string;
  key?: string;
  json?: boolean;
}

export function configureExportReviews(command: Command): void {
  withExamples(
    command
      .option("--data-dir <folder>", "data folder of the service", ".video-rrd")
      .requiredOption("--out <folder>", "folder to write to")
      .option("--key <name>", "only the questions of this key")
      .option("--json", "print one JSON value")
      .action((flags: Flags) =>
        run(async () => {
          const store = await openDataFolder(flags.dataDir);
          try {
            const written = await write(store, flags.out, flags.key ?? null);
            if (written.questions === 0)
              throw new Failure(
                "not-found",
                "No answer has a settled review. Review answers on the page of the service first.",
              );
            if (flags.json) printJson(written);
            else {
              const { questions, videos, sidecars, left_out } = written;
              print(
                `${countOf(questions, "question")} on ${countOf(videos, "video")}, ${countOf(sidecars, "sidecar")}`,
              );
              if (left_out > 0)
                print(
                  `${countOf(left_out, "reviewed order without all clips was", "reviewed orders without all clips were")} left out`,
                );
              say(`Run them with \`video-rrd eval ${join(flags.out, "questions.jsonl")}\`.`);
            }
            return undefined;
          } finally {
            await store.close();
          }
        }),
      ),
    "export-reviews --out reviewed",
    "export-reviews --data-dir .video-rrd --key ann --out reviewed",
  );
}

async function write(store: Store, out: string, owner: string | null) {
  const { createUploadFiles } = await import("../service/upload-files.ts");
  const { dataRow, selectedQuestions, sidecars } = await import("../service/export-set.ts");
  const lines: string[] = [];
  const uploads = new Map<string, { upload: UploadRow; file: string }>();
  let left_out = 0;
  for await (const one of selectedQuestions(store, { owner })) {
    const row = await dataRow(store, one);
    if (row === null) {
      if (one.question.record.review !== null) left_out++;
      continue;
    }
    lines.push(`${JSON.stringify(row)}\n`);
    uploads.set(one.upload.id, { upload: one.upload, file: String(row.video) });
  }
  if (lines.length === 0) return { questions: 0, videos: 0, sidecars: 0, left_out };
  await makeFolder(join(out, "videos"));
  await makeFolder(join(out, "gold"));
  const written = async (file: string, text: string) => {
    await writeFile(join(out, file), text).catch((error: unknown) => {
      throw toFailure(error, "file-unreadable", `writing ${join(out, file)}`);
    });
  };
  const files = createUploadFiles(store);
  for (const { upload, file } of uploads.values())
    await place(await realpath(await files.path(upload)), join(out, file));
  let count = 0;
  for await (const { file, sidecar } of sidecars(store, { owner })) {
    await written(join("gold", file), `${JSON.stringify(sidecar, null, 2)}\n`);
    count++;
  }
  await written("questions.jsonl", lines.join(""));
  return { questions: lines.length, videos: uploads.size, sidecars: count, left_out };
}

/** Links the file, or copies it to another disk. A file that is there already stays: its name has the hash of the video. */
async function place(from: string, to: string): Promise<void> {
  try {
    await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") await copyFile(from, to);
    });
  } catch (error) {
    throw toFailure(error, "file-unreadable", `copying ${from}`);
  }
}
