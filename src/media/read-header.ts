import { open } from "node:fs/promises";
import { basename } from "node:path";
import { Failure, oneLine } from "../core/errors.ts";
import { Header } from "./container-header.ts";
import { inputArgs, type RunOptions, runFfprobe } from "./run-ffmpeg.ts";

/** Reads the header of a file. Throws `Failure`: `not-media`, `damaged`, `media-limit`, `cancelled`. */
export async function readHeader(path: string, opts: Pick<RunOptions, "signal">): Promise<Header> {
  const { stdout, stderr, code } = await runFfprobe(
    ["-show_format", "-show_streams", "-of", "json", ...inputArgs(path)],
    { ...opts, timeout_s: 120, maxOutput: 2 ** 24, anyExit: true },
  );
  const name = basename(path);
  if (code !== 0) {
    const said = stderr.split("\n").filter((line) => /^\[\S+ @ 0x/.test(line));
    const known = said.filter((line) => !/whitelist|^\[(file|NULL|AVIOContext) /.test(line));
    if (known.length === 0 || !(await beginsLikeItsName(path, known)))
      throw new Failure(
        "not-media",
        PLAYLIST.test(name)
          ? `${name} is a playlist, which is not opened because it can name any other file. If you trust it, convert what it plays to an MP4 file.`
          : `${name} is not a video, sound or subtitle file that ffmpeg can read.`,
        { path },
      );
    throw new Failure(
      "damaged",
      `Cannot open ${name}: ffmpeg reported: ${oneLine(known.map((line) => line.replace(/^\[[^\]]*\]\s*/, "")).join("; "), 200)}${known.some(lacksIndex) ? `. ${UNFINISHED}` : ""}`,
      { path },
    );
  }
  const read = Header.safeParse(JSON.parse(stdout.toString("utf8")));
  if (!read.success || read.data.streams.length === 0)
    throw new Failure("not-media", `${name} has no video, sound or subtitle stream.`, { path });
  return read.data;
}

const lacksIndex = (line: string) => line.includes("moov atom not found");
const UNFINISHED =
  "A recording or a copy that was not finished has no index: record or copy the file again.";

/** Names of files that tell what to play. */
const PLAYLIST = /\.(m3u8?|mpd|ffconcat|sdp|pls|asx)$/i;

/** First boxes of files of the mp4 family. */
const BOXES = new Set("ftyp moov mdat free skip wide pnot styp sidx uuid".split(" "));

/** False for a file that ffmpeg took for an mp4 only by its name, in which case it misses the `moov` box. */
async function beginsLikeItsName(path: string, said: string[]): Promise<boolean> {
  if (!said.some(lacksIndex)) return true;
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return BOXES.has(buffer.toString("latin1", 4));
  } finally {
    await file.close();
  }
}
