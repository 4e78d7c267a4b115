import { readdir, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { writeAtomically } from "../../../src/core/atomic-file.ts";
import { Failure, isFailure } from "../../../src/core/errors.ts";
import { hashOf } from "../../../src/core/hash.ts";
import { jsonOrUndefined } from "../../../src/core/json-or-undefined.ts";
import { readTextIfPresent } from "../../../src/core/read-text.ts";
import { version } from "../../../src/core/version.ts";
import { type Composition, compose } from "../../../src/media/compose.ts";
import { lockFolder } from "../../../src/storage/folder-lock.ts";
import { makeFolder } from "../../../src/storage/make-folder.ts";
import type { Note } from "../../benchmarks/sample.ts";
import { createTally } from "../../benchmarks/tally.ts";
import type { AnnotatedVideo } from "./annotated-video.ts";
import { type ClipPlan, groundTruth } from "./arrangement.ts";
import { jobsOf } from "./jobs.ts";
import {
  type BuildOptions,
  type Job,
  openSource,
  type Source,
  specOf,
  withoutSource,
} from "./video-spec.ts";

/** What `buildVcrbench` wrote. */
export interface BuildResult {
  folder: string;
  /** Names in `videos`: made by this call, and already present. */
  made: string[];
  kept: string[];
  failed: { video: string; message: string }[];
  /** Number of the videos above whose steps may partly swap. */
  partial_orders: number;
  notes: Note[];
}

const Provenance = z.looseObject({
  /** Hash of everything that the video was made from. */
  key: z.string(),
  made_by: z.string(),
});
const BuiltRow = z.looseObject({
  qid: z.string(),
  video_file: z.string(),
  provenance: Provenance,
});
type BuiltRow = z.infer<typeof BuiltRow>;

const DATA = "data.json";
/**
 * Makes a set in the format of VCRBench in a folder: `videos/video_N.mp4`, and `data.json` with ground truth, step names by
 * clip number, and the source of each clip. A further call makes only what is missing or has changed.
 * A source that cannot be read is listed in `failed`; the others continue.
 * Throws `Failure`: `wrong-usage` (a folder of something else, wrong options), `disk-full`, `cancelled`,
 * `store-busy` (another process builds in the same folder).
 */
export async function buildVcrbench(
  videos: readonly AnnotatedVideo[],
  folder: string,
  options: BuildOptions = {},
): Promise<BuildResult> {
  check(options);
  const out = resolve(folder);
  // Read first, so that a folder with other contents stays unchanged.
  await rowsBefore(out);
  const tally = createTally();
  const jobs = jobsOf(videos, options, tally);
  await makeFolder(join(out, "videos"));
  const lock = lockFolder(out);
  try {
    await removePartialFiles(join(out, "videos"));
    return { ...(await makeVideos(jobs, out, options)), notes: tally.notes() };
  } finally {
    await lock.release();
  }
}

/** The file that a killed build was writing. */
async function removePartialFiles(videos: string): Promise<void> {
  for (const name of await readdir(videos))
    if (name.startsWith(".compose-")) await rm(join(videos, name), { recursive: true });
}

async function makeVideos(
  jobs: readonly Job[],
  out: string,
  options: BuildOptions,
): Promise<Omit<BuildResult, "notes">> {
  const before = await rowsBefore(out);
  const total = jobs.reduce((sum, job) => sum + secondsOf(job, options), 0);
  const built: Omit<BuildResult, "notes"> = {
    folder: out,
    made: [],
    kept: [],
    failed: [],
    partial_orders: 0,
  };
  const rows: BuiltRow[] = [];
  const sources = new Map<string, Promise<Source>>();
  let done = 0;
  for (const job of jobs) {
    const seconds = secondsOf(job, options);
    const { file } = job.video;
    const opened = sources.get(file) ?? openSource(file, options.signal);
    sources.set(file, opened);
    try {
      const name = `video_${job.qid}.mp4`;
      const spec = specOf(job, await opened, options);
      const key = hashOf({
        source: (await opened).hash,
        spec: { ...spec, segments: withoutSource(spec) },
      });
      const kept = before.find((row) => row.qid === job.qid && row.provenance.key === key);
      if (kept !== undefined && (await exists(join(out, "videos", name)))) {
        const { partial_order: _earlier, ...row } = kept;
        rows.push({ ...row, ...partialOrderOf(job) });
        built.kept.push(name);
      } else {
        const from = done;
        const composed = await compose(spec, join(out, "videos", name), {
          signal: options.signal,
          progress: (frames) => options.progress?.(from + frames / spec.fps, total, "s of video"),
        });
        rows.push(rowOf(job, name, key, await opened, composed, options));
        built.made.push(name);
        await writeRows(out, rows, before);
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isFailure(error) || FATAL_KINDS.includes(error.kind)) throw error;
      built.failed.push({ video: job.video.name, message: error.message });
    }
    done += seconds;
    options.progress?.(done, total, "s of video");
  }
  await writeRows(out, rows, []);
  return { ...built, partial_orders: rows.filter((row) => "partial_order" in row).length };
}

const FATAL_KINDS: readonly string[] = ["cancelled", "disk-full", "ffmpeg-missing"];

function check({ shuffles = 1, card_s = 1 }: BuildOptions): void {
  const wrong = (what: string, given: number, expected: string) =>
    new Failure("wrong-usage", `Invalid ${what} ${given}: use ${expected}.`, { came: given });
  if (!Number.isInteger(shuffles) || shuffles < 1 || shuffles > 1000)
    throw wrong("number of shuffles", shuffles, "a whole number from 1 to 1000");
  if (!(card_s >= 0.4 && card_s <= 60))
    throw wrong("length of title cards", card_s, "0.4 to 60 seconds, so that they can be detected");
}

function secondsOf({ clips }: Job, { card_s = 1 }: BuildOptions): number {
  const parts = clips.flatMap((clip) => clip.parts);
  return clips.length * card_s + parts.reduce((sum, part) => sum + part.to_s - part.from_s, 0);
}

function rowOf(
  job: Job,
  video_file: string,
  key: string,
  { hash }: Source,
  { segments, duration_s }: Composition,
  { seed = 0, sound = "keep" }: BuildOptions,
): BuiltRow {
  let at = 0;
  const clips = job.shown.map((place, index) => {
    const { name, parts } = job.clips[place] as ClipPlan;
    const [card, ...shown] = segments.slice(at, at + 1 + parts.length);
    at += 1 + parts.length;
    return {
      clip: index + 1,
      step: place + 1,
      name,
      card: { start_s: card?.start_s, end_s: card?.end_s },
      start_s: shown[0]?.start_s,
      end_s: shown.at(-1)?.end_s,
      from: parts,
    };
  });
  return {
    qid: job.qid,
    goal: job.video.goal,
    video_file,
    ground_truth: groundTruth(job.shown),
    ...partialOrderOf(job),
    steps: clips.map((clip) => clip.name),
    provenance: {
      key,
      made_by: `video-rrd ${version()}`,
      source: basename(job.video.file),
      source_sha256: hash,
      shuffle: job.shuffle,
      seed,
      sound,
      duration_s,
      clips,
    },
  };
}

/** Pairs of 0-based clip indices, as the ground truth has them; nothing if no steps may swap. */
function partialOrderOf({ pairs, shown }: Job): { partial_order?: [number, number][] } {
  if (pairs === null) return {};
  return { partial_order: pairs.map(([a, b]) => [shown.indexOf(a), shown.indexOf(b)]) };
}

/** Rows of an earlier build; throws `Failure` `wrong-usage` if the folder contains a set that was not made by this command. */
async function rowsBefore(folder: string): Promise<BuiltRow[]> {
  const path = join(folder, DATA);
  const text = await readTextIfPresent(path);
  if (text === null) return [];
  const read = z.array(BuiltRow).safeParse(jsonOrUndefined(text));
  if (read.success) return read.data;
  throw new Failure(
    "wrong-usage",
    `Cannot build in ${folder}: its ${DATA} was not made by this command. Use another folder.`,
    { folder },
  );
}

/** Writes the rows made so far, and the earlier rows that are not yet updated; atomic. */
async function writeRows(folder: string, rows: readonly BuiltRow[], before: readonly BuiltRow[]) {
  const waiting = before.filter((row) => rows.every((made) => Number(made.qid) < Number(row.qid)));
  const text = JSON.stringify([...rows, ...waiting], null, 1);
  await writeAtomically(join(folder, DATA), `${text}\n`);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    // A file that cannot be read is made again.
    () => false,
  );
}
