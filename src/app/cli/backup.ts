import type { Command } from "commander";
import { Failure, oneLine } from "../../core/errors.ts";
import { BLOBS_VARIABLE, blobPlace } from "../../storage/blobs/blob-place.ts";
import { STORE_VARIABLE, storeAddress } from "../../storage/store-address.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printJson, run, say } from "./output.ts";
import { progressLine } from "./progress.ts";

interface BackupFlags {
  out: string;
  copy?: boolean;
  verify?: boolean;
  json?: boolean;
}

interface RestoreFlags {
  to: string;
  json?: boolean;
}

export function configureBackup(command: Command): void {
  command
    .argument("<data>", "the data folder")
    .requiredOption("--out <folder>", "folder of the backup: empty, new, or with an earlier backup")
    .option(
      "--copy",
      "copy every file, instead of linking files that never change on the same disk",
    )
    .option("--verify", "read the files of the earlier backup again and replace damaged ones")
    .option("--json", "print one JSON value")
    .action((data: string, flags: BackupFlags) =>
      run(async (signal) => {
        const { backUp } = await import("../../storage/backup/back-up.ts");
        if (storeAddress() !== null)
          throw new Failure(
            "wrong-usage",
            `\`backup\` copies a store in SQLite, and ${STORE_VARIABLE} names PostgreSQL. Back up its schema with \`pg_dump --schema=video_rrd\`, then copy the data folder.`,
          );
        const place = blobPlace();
        if (place !== null)
          throw new Failure(
            "wrong-usage",
            `\`backup\` copies the data folder, and ${BLOBS_VARIABLE} names another place of blobs. Copy ${oneLine(place.address, 200)} with a program for it, then unset the variable and run the command again: the backup then has all except blobs.`,
          );
        const line = progressLine("Backup");
        const result = await backUp(data, flags.out, {
          mode: flags.copy ? "copy" : "link",
          verify: flags.verify ?? false,
          signal,
          progress: line.update,
        }).finally(line.done);
        const { manifest, ...counts } = result;
        const { files, bytes, missing, damaged, created_at } = manifest;
        if (flags.json) printJson({ created_at, files, bytes, ...counts, missing, damaged });
        else
          print(
            `Backed up ${files} files (${bytes} bytes) as of ${created_at}: ${counts.copied} new, ${counts.kept} unchanged, ${counts.removed} removed.`,
          );
        sayMissing("The data folder itself lacks", missing);
        sayMissing(
          "Not backed up, because their bytes do not have the hash in their name:",
          damaged,
        );
        return damaged.length === 0 ? EXIT.ok : EXIT.failed;
      }),
    );
  withExamples(
    command,
    "backup .video-rrd --out /mnt/backup/video-rrd",
    "backup .video-rrd --out backup --verify --json",
  );
}

export function configureRestore(command: Command): void {
  command
    .argument("<backup>", "the folder of the backup")
    .requiredOption("--to <folder>", "the new data folder: empty or missing")
    .option("--json", "print one JSON value")
    .action((backup: string, flags: RestoreFlags) =>
      run(async (signal) => {
        const { restoreBackup } = await import("../../storage/backup/restore.ts");
        const line = progressLine("Restore");
        const options = { signal, progress: line.update };
        const { created_at, files, bytes, missing, damaged } = await restoreBackup(
          backup,
          flags.to,
          options,
        ).finally(line.done);
        if (flags.json) printJson({ created_at, files, bytes, missing, damaged });
        else
          print(`Restored ${files} files (${bytes} bytes) as of ${created_at} into ${flags.to}.`);
        sayMissing("The backup was made without", [...missing, ...damaged]);
        return EXIT.ok;
      }),
    );
  withExamples(command, "restore /mnt/backup/video-rrd --to .video-rrd");
}

function sayMissing(what: string, files: readonly string[]): void {
  if (files.length === 0) return;
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  say(`${what} ${files.slice(0, 3).join(", ")}${more}.`);
}
