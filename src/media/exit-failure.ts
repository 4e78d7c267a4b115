import { basename } from "node:path";
import type { Result } from "execa";
import { Failure, isFailure, oneLine, systemCode, toFailure } from "../core/errors.ts";

/** The end of a line of ffmpeg's log, or what precedes the outputs that go on, in the words of the system. */
const FULL_DISK = /: (?:No space left on device|Disk quota exceeded)(?:,|$)/m;

/** Signals that ask a program to end. ffprobe is ended by them; ffmpeg ends by itself, with one of `INTERRUPTED_CODES`. */
const ENDING_SIGNALS: ReadonlySet<string> = new Set(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]);
/** After one signal, and after several. */
const INTERRUPTED_CODES: ReadonlySet<number> = new Set([255, 123]);
/** ffmpeg 6.1 and later also end with 255 after these errors, which have the number -1 or end in it. */
const OTHER_CAUSE = /Operation not permitted|Input changed/;
/** What ffmpeg says, whatever its exit code, if the signal came while it opened a file. */
const INTERRUPTED_OPENING =
  /^(?:.*Error opening input(?: files?)?|file:.*): Immediate exit requested$/m;

/** The task of a process, for messages. */
export interface ProcessTask {
  program: string;
  /** Name of the file that it reads. */
  about: string;
  timeout_s: number;
  /** Whether every exit code counts as success. */
  anyExit: boolean;
}

/**
 * The failure of an ended process, or undefined: `damaged` (it exited with an error or crashed), `disk-full`, `media-limit`
 * (time), `cancelled` (also if a signal of somebody else ended it: its output lacks the end), `ffmpeg-missing`; a `Failure`
 * that ended the process is returned unchanged.
 */
export function exitFailure(
  result: Result,
  stderr: string,
  { program, about, timeout_s, anyExit }: ProcessTask,
): Failure | undefined {
  const { cause, exitCode, signal } = result;
  if (isFailure(cause)) return cause;
  if (result.isCanceled) return cancelled(about);
  if (result.timedOut)
    return new Failure(
      "media-limit",
      `Stopped reading ${about}: it took longer than ${timeout_s} s.`,
      { about, timeout_s },
    );
  if (wasInterrupted(exitCode, signal, stderr))
    return new Failure(
      "cancelled",
      `${basename(program)} was interrupted by a signal while reading ${about}. Try again.`,
      { about },
    );
  if (signal !== undefined)
    return new Failure(
      "damaged",
      `${basename(program)} crashed while reading ${about} (${signal}). Another build of ffmpeg may read it: see \`video-rrd doctor\`.`,
      { about, killedBy: signal },
    );
  if (exitCode === undefined) {
    const code = systemCode(cause);
    return code === "ENOENT" || code === "EACCES"
      ? new Failure(
          "ffmpeg-missing",
          `Cannot start ${program}: the file is missing or cannot be run. Install ffmpeg, or set FFMPEG_PATH.`,
          { program },
        )
      : toFailure(cause, "damaged", `reading ${about}`);
  }
  if (anyExit) return undefined;
  // ffmpeg 5.1 ends with 0 if only the end of a file could not be written.
  const full = fullDisk(stderr, program, about);
  if (full !== undefined || exitCode === 0) return full;
  return new Failure(
    "damaged",
    `Cannot read ${about}: ${basename(program)} reported: ${reportOf(stderr) || `exit code ${exitCode}`}`,
    { about, code: exitCode },
  );
}

function wasInterrupted(
  exitCode: number | undefined,
  signal: string | undefined,
  stderr: string,
): boolean {
  if (signal !== undefined) return ENDING_SIGNALS.has(signal);
  if (exitCode === undefined) return false;
  if (INTERRUPTED_OPENING.test(stderr)) return true;
  return INTERRUPTED_CODES.has(exitCode) && !OTHER_CAUSE.test(stderr);
}

/** The failure `disk-full` if a process said so, for callers that accept every exit code. */
export function fullDisk(stderr: string, program: string, about: string): Failure | undefined {
  if (!FULL_DISK.test(stderr)) return undefined;
  return new Failure(
    "disk-full",
    `The disk is full: ${basename(program)} could not write what it made of ${about}. Free some space and run the same command again.`,
    { about },
  );
}

export function cancelled(about: string): Failure {
  return new Failure("cancelled", `Cancelled while reading ${about}.`, { about });
}

/** ffmpeg's log in one line, without addresses and repetitions. */
function reportOf(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.replace(/^\[[^\]]*@ 0x[0-9a-f]+\]\s*/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("Last message repeated"));
  return oneLine([...new Set(lines)].slice(0, 3).join("; "), 240);
}
