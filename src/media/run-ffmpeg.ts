import { basename, resolve } from "node:path";
import { Readable } from "node:stream";
import { Failure, toFailure } from "../core/errors.ts";
import { cancelled, exitFailure } from "./exit-failure.ts";
import { findFfmpeg, findPrograms } from "./find-ffmpeg.ts";
import { watchMemory } from "./memory-watch.ts";
import { runInQueue } from "./process-queue.ts";

/*
 * Only this file starts ffmpeg and ffprobe: with argument arrays, without a shell, and with limits on time, memory and
 * output.
 */

/** Demuxers for video, sound, picture and subtitle files; none of them opens other files. */
const DEMUXERS = [
  ...["mov", "matroska", "avi", "asf", "mpegts", "mpeg", "mpegvideo", "flv", "ogg", "gif", "rm"],
  "apng",
  ...["h264", "hevc", "m4v", "ivf", "mxf", "dv", "mjpeg"],
  ...["wav", "w64", "mp3", "flac", "aac", "ac3", "amr", "aiff", "caf"],
  ...["png_pipe", "jpeg_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe"],
  ...["srt", "webvtt", "ass"],
];

const STDERR_KEPT = 64 * 1024;
const TIMEOUT_S = 3600;
/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const PIPE = "pipe" as const;
/** Most output that is collected. */
const MAX_COLLECTED_BYTES = 2 ** 28;
/** Enough for 8K frames in 10 bits, with the most references that a decoder may keep. */
const MEMORY_MB = 4096;
/** Largest allocation: ffmpeg refuses a picture that claims to be larger. */
const MAX_ALLOC_BYTES = 2 ** 30;

export interface RunOptions {
  signal?: AbortSignal;
  /** Most seconds of the process. Default: an hour. */
  timeout_s?: number;
  stdin?: Uint8Array | Readable;
  /**
   * Receives standard output in chunks; without it the output is collected and returned.
   * The process waits for a promise that it returns.
   */
  onStdout?: (chunk: Buffer) => unknown;
  /**
   * Receive the output to `pipe:3`, `pipe:4` and so on, as `onStdout` does; a number is the descriptor of an open file that
   * the process writes itself.
   */
  onPipes?: (((chunk: Buffer) => unknown) | number)[];
  /** Most bytes of standard output. Default: 256 MiB if it is collected, else no limit. */
  maxOutput?: number;
  /** Most resident memory of the process in MiB, checked if the system has `/proc`. Default: 4096. */
  memory_mb?: number;
  /** Accept any exit code, for callers that use the partial output of a damaged file. */
  anyExit?: boolean;
}

export interface RunResult {
  /** Empty if `onStdout` took it. */
  stdout: Buffer;
  /** The first 64 KiB of standard error. */
  stderr: string;
  code: number;
}

/**
 * Arguments that open an untrusted file: only demuxers that read that one file, and only from disk.
 * `-protocol_whitelist` by itself does not keep a playlist named `.mp4` from opening other files.
 */
export function inputArgs(path: string): string[] {
  return [
    ...pictureArgs(resolve(path)),
    ...["-format_whitelist", DEMUXERS.join(",")],
    ...["-protocol_whitelist", "file,pipe"],
    ...["-i", `file:${resolve(path)}`],
  ];
}

/** Demuxers of single pictures by the ending of their names. */
const PICTURES: Readonly<Record<string, string>> = {
  png: "png_pipe",
  bmp: "bmp_pipe",
  webp: "webp_pipe",
  tif: "tiff_pipe",
  tiff: "tiff_pipe",
  gif: "gif",
};

/**
 * Names the demuxer of a picture that ffmpeg takes by its name for a numbered series of files, which is not allowed: any
 * JPEG, and others with a pattern such as `%03d` or `%20d` in the path.
 */
function pictureArgs(path: string): string[] {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  if (/^jpe?g$/.test(ending)) return ["-f", "jpeg_pipe"];
  const demuxer = /%\d*d/.test(path) ? PICTURES[ending] : undefined;
  return demuxer === undefined ? [] : ["-f", demuxer];
}

/** Runs ffmpeg. Throws `Failure`: `damaged` (it failed), `disk-full`, `media-limit`, `cancelled`, `ffmpeg-missing`. */
export async function runFfmpeg(args: string[], opts: RunOptions = {}): Promise<RunResult> {
  const { ffmpeg } = findPrograms();
  return run(ffmpeg, ["-nostdin", "-hide_banner", "-v", "error"], args, opts);
}

/** Runs ffprobe; failures as for `runFfmpeg`. */
export async function runFfprobe(args: string[], opts: RunOptions = {}): Promise<RunResult> {
  const { ffprobe } = findPrograms();
  return run(ffprobe, ["-hide_banner", "-v", "error"], args, opts);
}

/** The option that passes on every frame, without duplicates and drops; ffmpeg 5.1 renamed it. */
export async function everyFrameArgs(): Promise<string[]> {
  const { fpsMode } = await findFfmpeg();
  return [fpsMode, "passthrough"];
}

async function run(
  program: string,
  defaults: string[],
  args: string[],
  opts: RunOptions,
): Promise<RunResult> {
  const about = aboutOf(args);
  const { signal } = opts;
  if (signal?.aborted) throw cancelled(about);
  const maxAlloc = ["-max_alloc", String(MAX_ALLOC_BYTES)];
  let leaveQueue: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leaveQueue = () => reject(cancelled(about));
    signal?.addEventListener("abort", leaveQueue, { once: true });
  });
  const begin = async () => {
    if (leaveQueue !== undefined) signal?.removeEventListener("abort", leaveQueue);
    if (signal?.aborted) throw cancelled(about);
    return execute(program, [...defaults, ...maxAlloc, ...args], about, opts);
  };
  // A process fed by another one waits for it, and must not take its place in the queue.
  const started = opts.stdin instanceof Readable ? begin() : runInQueue(begin);
  return Promise.race([started, aborted]);
}

/** Starts the process, reads all its output, and returns when it has ended. */
async function execute(
  program: string,
  args: string[],
  about: string,
  opts: RunOptions,
): Promise<RunResult> {
  const { stdin, onStdout, onPipes = [], timeout_s = TIMEOUT_S, anyExit = false } = opts;
  const { memory_mb = MEMORY_MB, maxOutput = onStdout ? Infinity : MAX_COLLECTED_BYTES } = opts;
  // Not at the start: most questions about an indexed video start no process.
  const { execa } = await import("execa");
  const subprocess = execa(program, args, {
    stdio: [
      stdin === undefined ? "ignore" : PIPE,
      PIPE,
      PIPE,
      // The types of execa lack descriptors after the third.
      ...onPipes.map((taker) => (typeof taker === "number" ? (taker as unknown as "pipe") : PIPE)),
    ],
    input: stdin,
    buffer: false,
    reject: false,
    env: { AV_LOG_FORCE_NOCOLOR: "1" },
    cancelSignal: opts.signal,
    timeout: Math.min(Math.max(1, Math.round(timeout_s * 1000)), LONGEST_TIMER_MS),
    // The output of a stopped process is not used, and a decoder that hangs ignores other signals.
    killSignal: "SIGKILL",
    // Puts it in a process group of its own: Ctrl-C, which goes to the group of a terminal's command, is for this process,
    // which then decides what to finish.
    killDescendants: true,
  });
  const { nodeChildProcess: child } = subprocess;
  if (stdin instanceof Readable)
    stdin.once("error", (error) =>
      subprocess.kill(toFailure(error, "damaged", `feeding ${about}`)),
    );
  const endWatch = watchMemory(subprocess.pid, memory_mb, () =>
    subprocess.kill(tooMuch(about, `took more than ${memory_mb} MB of memory`, { memory_mb })),
  );

  const stdout: Buffer[] = [];
  let bytes = 0;
  const takeStdout = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxOutput) throw tooMuch(about, `gave more than ${maxOutput} bytes`, { maxOutput });
    return onStdout === undefined ? stdout.push(chunk) : onStdout(chunk);
  };
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (stderr.length < STDERR_KEPT) stderr += text.slice(0, STDERR_KEPT - stderr.length);
  });
  const takers = [takeStdout, ...onPipes];
  const outputs = [child.stdout, ...child.stdio.slice(3)].flatMap((pipe, i) => {
    const take = takers[i];
    return pipe instanceof Readable && typeof take === "function" ? [{ pipe, take }] : [];
  });
  const reading = Promise.all(outputs.map(({ pipe, take }) => readAll(pipe, take))).catch(
    (error) => {
      throw toFailure(error, "damaged", `reading ${about}`);
    },
  );
  // Killing the process breaks the reading; that error is not the cause.
  reading.catch((error) => child.signalCode === null && subprocess.kill(error));
  child.once("exit", (_code, killedBy) => {
    // A reader may block a pipe forever, which would then never close.
    if (killedBy !== null) for (const { pipe } of outputs) pipe.destroy();
  });

  const result = await subprocess;
  endWatch();
  const failure = exitFailure(result, stderr, { program, about, timeout_s, anyExit });
  if (failure !== undefined) throw failure;
  await reading;
  return { stdout: Buffer.concat(stdout), stderr, code: result.exitCode ?? -1 };
}

async function readAll(pipe: Readable, take: (chunk: Buffer) => unknown): Promise<void> {
  for await (const chunk of pipe) await take(chunk);
}

function tooMuch(about: string, what: string, facts: Record<string, unknown>): Failure {
  return new Failure("media-limit", `Stopped reading ${about}: it ${what}.`, { about, ...facts });
}

/** The name of the file that a command reads, for messages. */
function aboutOf(args: string[]): string {
  const input = args[args.lastIndexOf("-i") + 1];
  return input?.startsWith("file:") ? basename(input) : "generated input";
}
