import { Failure, isFailure, toFailure } from "../../core/errors.ts";
import { meaningOf } from "../../core/failure-kinds.ts";

/** Exit codes of every command. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Prints one JSON value to standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints a line to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a line to standard error: progress, notes, errors. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints the message of a failure to standard error. It may hold names of files, and text from files and models. */
export function sayFailure({ message }: Failure): void {
  say(printable(message));
}

export function exitCodeOf({ kind }: Failure): number {
  return EXIT[meaningOf(kind).exit];
}

/** Runs a command. A failure becomes one sentence on standard error and an exit code. */
export async function run(
  body: (signal: AbortSignal) => Promise<number | undefined>,
): Promise<void> {
  const controller = new AbortController();
  let interrupted = false;
  const interrupt = () => {
    if (interrupted) process.exit(EXIT.interrupted);
    interrupted = true;
    say("Stopping. All paid results are stored. Press Ctrl-C again to exit at once.");
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    process.exitCode = (await body(controller.signal)) ?? EXIT.ok;
  } catch (error) {
    const failure = interrupted
      ? interruption(error)
      : toFailure(error, "not-found", "running the command");
    sayFailure(failure);
    process.exitCode = exitCodeOf(failure);
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

/** The failure of an interrupted command. It says how to continue; results so far are in the store. */
function interruption(error: unknown): Failure {
  if (isFailure(error, "cancelled") && typeof error.facts.resume === "string") return error;
  return new Failure("cancelled", "Interrupted. Run the same command again to continue.");
}

/** A plain-text table: columns padded to their widest cell. No cell can begin another line, or control a terminal. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => printable(cell).replace(LINE_BREAKS, " ")));
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}

const LINE_BREAKS = /\s*[\n\t\u2028\u2029]\s*/g;

/** Removes control characters, with which text from videos, files and models could control a terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "");
}
