import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { oneLine } from "../../core/errors.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printJson, run, table } from "./output.ts";

export function configureRepair(command: Command): void {
  withExamples(
    command
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option(
        "--remove",
        "write the damaged rows to a file in the folder of the store, then remove them",
      )
      .option("--json", "print one JSON value")
      .action((options: { dataDir: string; remove?: boolean; json?: boolean }) =>
        run(async () => {
          const store = await openDataFolder(options.dataDir);
          try {
            const rows = await store.damaged("all");
            let copy: string | null = null;
            if (options.remove && rows.length > 0) {
              copy = join(store.folder, `damaged-rows-${Date.now()}.jsonl`);
              await writeFile(copy, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
              await store.removeDamaged(rows);
            }
            if (options.json) printJson({ rows, removed: copy !== null, copy });
            else if (rows.length === 0) print("No damaged rows.");
            else {
              const shown = rows.map(({ table: name, key, problem, text }) => [
                name,
                Object.values(key).join(" "),
                problem,
                oneLine(text, 40),
              ]);
              print(table([["table", "row", "problem", "text"], ...shown]));
              print(
                copy === null
                  ? "Run `video-rrd repair --remove` to remove them. All other data is usable."
                  : `Removed ${rows.length}. A copy is in ${copy}.`,
              );
            }
            return rows.length === 0 || copy !== null ? EXIT.ok : EXIT.failed;
          } finally {
            await store.close();
          }
        }),
      ),
    "repair --data-dir .video-rrd",
    "repair --data-dir .video-rrd --remove",
  );
}
