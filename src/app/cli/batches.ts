import { resolve } from "node:path";
import type { Command } from "commander";
import { Failure } from "../../core/errors.ts";
import { readSettings } from "../../core/settings.ts";
import { withExamples } from "./example.ts";
import { EXIT, print, printable, printJson, run, table } from "./output.ts";
import { addSettingFlags, givenSettings } from "./setting-flags.ts";

interface Flags {
  dataDir: string;
  cancel?: boolean;
  json?: boolean;
}

export function configureBatches(command: Command): void {
  command
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .option("--cancel", "cancel those that are processed; what was processed by then is billed")
    .option("--json", "print one JSON value")
    .action((flags: Flags) => run((signal) => batches(command, flags, signal)));
  addSettingFlags(command, (path) => path === "runtime.headers");
  withExamples(
    command,
    "batches",
    "batches --cancel --data-dir .video-rrd",
    "batches --header 'X-Gateway-Key=$GATEWAY_KEY'",
  );
}

async function batches(command: Command, flags: Flags, signal: AbortSignal): Promise<number> {
  const { cancelBatch, readOpenBatches } = await import("../../models/batch/open-batches.ts");
  const data = resolve(flags.dataDir);
  const { headers } = readSettings({ runtime: givenSettings(command).runtime ?? {} }).runtime;
  const open = await readOpenBatches(data, { headers }, signal);
  if (flags.cancel)
    for (const one of open)
      if (one.state === "running") {
        await cancelBatch(data, one, signal);
        one.state = "cancelled";
      }
  const shown = open.map(({ record, state, done, why }) => ({
    model: record.model,
    batch: record.batch,
    run: record.run,
    requests: record.keys.length,
    done,
    state,
    why,
    created_at: record.created_at,
  }));
  if (flags.json) printJson({ batches: shown });
  else if (shown.length === 0) print("No batches of interrupted runs.");
  else
    print(
      table([
        ["model", "batch", "requests", "done", "state", "created"],
        ...shown.map(({ model, batch, requests, done, state, why, created_at }) =>
          [
            ...[model, batch ?? "", String(requests), String(done)],
            ...[why === null ? state : `${state}: ${why}`, created_at],
          ].map(printable),
        ),
      ]),
    );
  if (shown.some(({ state }) => state === "not reached"))
    throw new Failure("model-unreachable", "The state of some batches could not be read.");
  return EXIT.ok;
}
