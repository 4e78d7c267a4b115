import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import { Failure, oneLine, systemCode, toFailure } from "../core/errors.ts";
import { findFfmpeg } from "./binaries.ts";

/*
 * The one place that starts ffmpeg and ffprobe: argument arrays, never a shell; bounded in time, memory and output.
 */

/** Demuxers for what people call a video, a sound, a picture or a subtitle file; none that opens other files. */
const DEMUXERS = [
  ...["mov", "matroska", "avi", "asf", "mpegts", "mpeg", "mpegvideo", "flv", "ogg", "gif", "rm"],
  ...["h264", "hevc", "m4v", "ivf", "mxf", "dv", "mjpeg"],
  ...["wav", "w64", "mp3", "flac", "aac", "ac3", "amr", "aiff", "caf"],
  ...["png_pipe", "jpeg_pipe", "webp_pipe", "bmp_pipe", "tiff_pipe"],
  ...["srt", "webvtt", "ass"],
];

const STDERR_KEPT = 64 * 1024;
const GRACE_MS = 1000;
const MEMORY_POLL_MS = 200;
const PAGE_BYTES = 4096;
/** Frames of 8K in 10 bits, with as many references as a decoder may keep. */
const MEMORY_MB = 4096;
/** One allocation: a picture that claims to be larger is refused before it is made. */
const MAX_ALLOC_BYTES = 2 ** 30;

export interface RunOptions {
  signal?: AbortSignal;
  /** Seconds the process may run. Default: an hour. */
  timeout_s?: number;
  stdin?: Uint8Array | Readable;
  /**
   * Takes standard output as it comes; without it the output is collected and returned.
   * A promise holds the process back until it is kept.
   */
  onStdout?: (chunk: Buffer) => unknown;
  /** Take what the process writes to `pipe:3`, `pipe:4` and so on; a promise holds the process back, as above. */
  onPipes?: ((chunk: Buffer) => unknown)[];
  /** Bytes that standard output may have. Default: 256 MiB where it is collected, else no limit. */
  maxOutput?: number;
  /** Resident memory of the process, watched where the system has `/proc`. Default: 4096. */
  memory_mb?: number;
  /** Return whatever the exit code, for callers that keep what a damaged file still gave. */
  anyExit?: boolean;
}

export interface RunResult {
  /** Empty where `onStdout` took it. */
  stdout: Buffer;
  /** The first 64 KiB of what was said. */
  stderr: string;
  code: number;
}

/**
 * Arguments that open a file of someone else's: only demuxers that read that one file, and only from disk.
 * `-protocol_whitelist` alone does not keep a playlist named `.mp4` from opening its neighbours.
 */
export function inputArgs(path: string): string[] {
  return [
    // By its name alone ffmpeg takes a JPEG for a numbered series of files, which is not allowed.
    ...(/\.jpe?g$/i.test(path) ? ["-f", "jpeg_pipe"] : []),
    ...["-format_whitelist", DEMUXERS.join(",")],
    ...["-protocol_whitelist", "file,pipe"],
    ...["-i", `file:${resolve(path)}`],
  ];
}

/** Runs ffmpeg. Throws `Failure`: `damaged` (it failed), `media-limit`, `cancelled`, `ffmpeg-missing`. */
export async function runFfmpeg(args: string[], opts: RunOptions = {}): Promise<RunResult> {
  const { ffmpeg } = await findFfmpeg();
  return run(ffmpeg, ["-nostdin", "-hide_banner", "-v", "error"], args, opts);
}

/** Runs ffprobe; failures as for `runFfmpeg`. */
export async function runFfprobe(args: string[], opts: RunOptions = {}): Promise<RunResult> {
  const { ffprobe } = await findFfmpeg();
  return run(ffprobe, ["-hide_banner", "-v", "error"], args, opts);
}

/** The option that hands every frame on as it is, neither doubled nor dropped: its name changed with ffmpeg 5.1. */
export async function everyFrameArgs(): Promise<string[]> {
  const { fpsMode } = await findFfmpeg();
  return [fpsMode, "passthrough"];
}

const atOnce = pLimit(availableParallelism());
const alive = new Set<ChildProcess>();
let watchingExit = false;

async function run(
  program: string,
  defaults: string[],
  args: string[],
  opts: RunOptions,
): Promise<RunResult> {
  const about = aboutOf(args);
  const cancelled = () => new Failure("cancelled", `Cancelled while reading ${about}.`, { about });
  const { signal } = opts;
  if (signal?.aborted) throw cancelled();
  const maxAlloc = ["-max_alloc", String(MAX_ALLOC_BYTES)];
  let leaveQueue: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leaveQueue = () => reject(cancelled());
    signal?.addEventListener("abort", leaveQueue, { once: true });
  });
  const begin = async () => {
    if (leaveQueue !== undefined) signal?.removeEventListener("abort", leaveQueue);
    if (signal?.aborted) throw cancelled();
    return start(program, [...defaults, ...maxAlloc, ...args], about, opts);
  };
  // What another process feeds waits for that one, and must not keep it from its place.
  const started = opts.stdin instanceof Readable ? begin() : atOnce(begin);
  return Promise.race([started, aborted]);
}

function start(
  program: string,
  args: string[],
  about: string,
  opts: RunOptions,
): Promise<RunResult> {
  return new Promise((resolvePromise, reject) => {
    const child = spawn(program, args, {
      stdio: [
        opts.stdin === undefined ? "ignore" : "pipe",
        "pipe",
        "pipe",
        ...(opts.onPipes ?? []).map(() => "pipe" as const),
      ],
      env: { ...process.env, AV_LOG_FORCE_NOCOLOR: "1" },
      windowsHide: true,
    });
    keepTrack(child);
    let failure: Failure | undefined;
    let grace: NodeJS.Timeout | undefined;
    const stop = (why: Failure) => {
      failure ??= why;
      child.kill("SIGTERM");
      // A stream that is held back would never be seen to close.
      for (const pipe of child.stdio) if (pipe instanceof Readable) pipe.destroy();
      grace ??= setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    };
    const broken = (error: unknown) => stop(toFailure(error, "damaged", `reading ${about}`));
    const limits = watch(child, about, opts, stop);
    const out: Buffer[] = [];
    let outBytes = 0;
    const maxOutput = opts.maxOutput ?? (opts.onStdout === undefined ? 2 ** 28 : Infinity);
    const taken = child.stdout === null ? Promise.resolve() : takeAll(child.stdout, take);
    const readings = [taken.catch(broken)];
    async function take(chunk: Buffer): Promise<void> {
      outBytes += chunk.length;
      if (outBytes > maxOutput)
        throw new Failure(
          "media-limit",
          `Expected at most ${maxOutput} bytes from ${about}, but more came.`,
          { about, maxOutput },
        );
      if (opts.onStdout === undefined) out.push(chunk);
      else await opts.onStdout(chunk);
    }
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < STDERR_KEPT) stderr += text.slice(0, STDERR_KEPT - stderr.length);
    });
    opts.onPipes?.forEach((onPipe, i) => {
      const pipe = child.stdio.at(3 + i);
      if (pipe instanceof Readable) readings.push(takeAll(pipe, onPipe).catch(broken));
    });
    if (opts.stdin !== undefined && child.stdin !== null)
      feed(opts.stdin, child.stdin).catch((error) =>
        stop(toFailure(error, "damaged", `feeding ${about}`)),
      );

    child.on("error", (error) => {
      const missing = systemCode(error) === "ENOENT" || systemCode(error) === "EACCES";
      failure ??= missing
        ? new Failure("ffmpeg-missing", `Expected to run ${program}, but it is not there.`, {
            program,
          })
        : toFailure(error, "damaged", `reading ${about}`);
      if (child.pid === undefined) finish(-1);
    });
    child.on("close", async (code, killedBy) => {
      if (failure === undefined) await Promise.all(readings);
      if (killedBy !== null)
        failure ??= new Failure(
          "damaged",
          `Expected ${basename(program)} to read ${about}, but it crashed (${killedBy}): another build of ffmpeg may read it, see \`video-rrd doctor\`.`,
          { about, killedBy },
        );
      finish(code ?? -1);
    });

    function finish(code: number): void {
      limits.end();
      clearTimeout(grace);
      alive.delete(child);
      if (failure !== undefined) reject(failure);
      else if (code === 0 || opts.anyExit === true)
        resolvePromise({ stdout: Buffer.concat(out), stderr, code });
      else
        reject(
          new Failure(
            "damaged",
            `Expected ffmpeg to read ${about}, but it said: ${saidBy(stderr) || `exit code ${code}`}`,
            { about, code },
          ),
        );
    }
  });
}

async function takeAll(from: Readable, take: (chunk: Buffer) => unknown): Promise<void> {
  for await (const chunk of from) await take(chunk);
}

/** A process that has read enough closes its input; its exit code tells whether that was an error. */
async function feed(from: Uint8Array | Readable, to: Writable): Promise<void> {
  try {
    await pipeline(from instanceof Readable ? from : Readable.from([from]), to);
  } catch (error) {
    const code = systemCode(error);
    if (code !== "EPIPE" && code !== "ECONNRESET" && code !== "ERR_STREAM_PREMATURE_CLOSE")
      throw error;
  }
}

/** Ends the process when it is told to, runs too long or takes too much memory. */
function watch(
  child: ChildProcess,
  about: string,
  opts: RunOptions,
  stop: (why: Failure) => void,
): { end(): void } {
  const seconds = opts.timeout_s ?? 3600;
  const onAbort = () =>
    stop(new Failure("cancelled", `Cancelled while reading ${about}.`, { about }));
  opts.signal?.addEventListener("abort", onAbort, { once: true });
  const timer = setTimeout(
    () =>
      stop(
        new Failure(
          "media-limit",
          `Expected ${about} to be read within ${seconds} s, but it took longer.`,
          { about, timeout_s: seconds },
        ),
      ),
    seconds * 1000,
  );
  const limit_mb = opts.memory_mb ?? MEMORY_MB;
  const poll = existsSync(`/proc/${child.pid}/statm`)
    ? setInterval(async () => {
        if ((await residentMb(child.pid)) > limit_mb)
          stop(
            new Failure(
              "media-limit",
              `Expected ${about} to be read within ${limit_mb} MB of memory, but it took more.`,
              { about, memory_mb: limit_mb },
            ),
          );
      }, MEMORY_POLL_MS)
    : undefined;
  return {
    end() {
      opts.signal?.removeEventListener("abort", onAbort);
      clearTimeout(timer);
      clearInterval(poll);
    },
  };
}

async function residentMb(pid: number | undefined): Promise<number> {
  // The process may end between two looks.
  const text = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "0 0");
  return (Number(text.split(" ")[1]) * PAGE_BYTES) / 2 ** 20;
}

function keepTrack(child: ChildProcess): void {
  alive.add(child);
  if (watchingExit) return;
  watchingExit = true;
  process.on("exit", () => {
    for (const left of alive) left.kill("SIGKILL");
  });
}

/** The name of the file that a command reads, for messages. */
function aboutOf(args: string[]): string {
  const input = args[args.lastIndexOf("-i") + 1];
  return input?.startsWith("file:") ? basename(input) : "a stream of our own";
}

/** What ffmpeg said, without the addresses and repetitions of its log. */
function saidBy(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.replace(/^\[[^\]]*@ 0x[0-9a-f]+\]\s*/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("Last message repeated"));
  return oneLine([...new Set(lines)].slice(0, 3).join("; "), 240);
}
