import { existsSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { toFailure } from "../../../src/core/errors.ts";
import { hashOf } from "../../../src/core/hash.ts";
import { readTextIfPresent } from "../../../src/core/read-text.ts";
import { type ComposeSpec, compose } from "../../../src/media/compose.ts";
import { makeFolder } from "../../../src/storage/make-folder.ts";
import { lessons } from "./lessons.ts";
import { parquetOf } from "./parquet.ts";
import { procedures } from "./procedures.ts";
import { mcqRow, mmrRow, pairRows, vcrbenchRow, video } from "./rows.ts";
import { stories } from "./stories.ts";

export interface DemoSets {
  vcrbench: string;
  "mmr-v": string;
  videomathqa: string;
}

export interface MakeOptions {
  signal?: AbortSignal;
  /**
   * Whether a video is made, by its set and its number in it, from 1; all questions are written. Default: every video.
   */
  only?: (set: keyof DemoSets, place: number) => boolean;
  /** Receives the number of finished videos and of all. */
  progress?: (done: number, total: number) => void;
}

interface VideoJob {
  set: keyof DemoSets;
  place: number;
  /** Name in `videos/`. */
  name: string;
  spec: ComposeSpec;
}

/**
 * Makes the three sets of a seed in folders in `folder` and returns their paths. The same seed gives the same bytes of
 * data and the same frames. An existing video is kept if it would be drawn the same, so that a second call is fast and
 * an interrupted one continues. Throws `Failure`: `cancelled`, `file-unreadable`, `disk-full`, those of ffmpeg.
 */
export async function makeDemoSets(
  folder: string,
  seed: number,
  { signal, only = () => true, progress }: MakeOptions = {},
): Promise<DemoSets> {
  const sets: DemoSets = {
    vcrbench: join(folder, "vcrbench"),
    "mmr-v": join(folder, "mmr-v"),
    videomathqa: join(folder, "videomathqa"),
  };
  const made = { procedures: procedures(seed), lessons: lessons(seed), stories: stories(seed) };
  try {
    await writeData(sets, made, seed);
    await composeAll(
      sets,
      videoJobs(made).filter(({ set, place }) => only(set, place)),
      { signal, progress },
    );
  } catch (error) {
    throw toFailure(error, "file-unreadable", `making the demo data in ${folder}`);
  }
  return sets;
}

interface DrawnSets {
  procedures: ReturnType<typeof procedures>;
  lessons: ReturnType<typeof lessons>;
  stories: ReturnType<typeof stories>;
}

async function writeData(sets: DemoSets, made: DrawnSets, seed: number): Promise<void> {
  const json = (rows: unknown[]) => `${JSON.stringify(rows, null, 2)}\n`;
  const shard = "test-00000-of-00001.parquet";
  const files: [folder: string, name: string, content: string | Uint8Array][] = [
    [sets.vcrbench, "data.json", json(made.procedures.map(vcrbenchRow))],
    [sets["mmr-v"], "questions.json", json(made.stories.map(mmrRow))],
    [join(sets.videomathqa, "mcq"), shard, parquetOf(made.lessons.map(mcqRow))],
    [
      join(sets.videomathqa, "multi_binary"),
      shard,
      parquetOf(made.lessons.flatMap((lesson, place) => pairRows(lesson, place, seed))),
    ],
  ];
  for (const [folder, name, content] of files) {
    await makeFolder(folder);
    await writeFile(join(folder, name), content);
  }
}

function videoJobs(made: DrawnSets): VideoJob[] {
  return [
    ...made.lessons.map(
      ({ film }, place): VideoJob => ({
        set: "videomathqa",
        place: place + 1,
        name: `${video.lesson(place)}.mp4`,
        spec: film.spec,
      }),
    ),
    ...made.stories.map(
      ({ film }, place): VideoJob => ({
        set: "mmr-v",
        place: place + 1,
        name: video.story(place),
        spec: film.spec,
      }),
    ),
    ...made.procedures.map(
      ({ spec }, place): VideoJob => ({
        set: "vcrbench",
        place: place + 1,
        name: video.procedure(place),
        spec,
      }),
    ),
  ];
}

async function composeAll(
  sets: DemoSets,
  wanted: readonly VideoJob[],
  { signal, progress }: MakeOptions,
): Promise<void> {
  const limit = pLimit(availableParallelism());
  let done = 0;
  progress?.(done, wanted.length);
  await limit.map([...wanted], async ({ set, name, spec }) => {
    signal?.throwIfAborted();
    await composeOnce(sets[set], name, spec, signal);
    progress?.(++done, wanted.length);
  });
}

/**
 * Folder in which videos are made, so that every file in `videos` is complete. It also stores the hash of each drawing.
 */
const WORK_FOLDER = ".making";

async function composeOnce(
  set: string,
  name: string,
  spec: ComposeSpec,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = join(set, "videos", name);
  const keyFile = join(set, WORK_FOLDER, `${name}.drawn`);
  const key = drawingHash(spec);
  if ((await readTextIfPresent(keyFile)) === key && existsSync(file)) return;
  for (const part of [WORK_FOLDER, "videos", "subtitles"]) await makeFolder(join(set, part));
  await rm(keyFile, { force: true });
  const made = join(set, WORK_FOLDER, name);
  await compose(spec, made, { signal });
  if (spec.subtitles?.where === "sidecar") {
    const srt = name.replace(/mp4$/, "srt");
    await rename(join(set, WORK_FOLDER, srt), join(set, "subtitles", srt));
  }
  await rename(made, file);
  await writeFile(keyFile, key);
}

/** Hash of every frame's drawing and everything else that the video is made from. */
export function drawingHash({ segments, ...rest }: ComposeSpec): string {
  const drawings = segments.map((segment) => {
    if (segment.kind !== "picture" || typeof segment.picture !== "function") return segment;
    const { picture, duration_s } = segment;
    const frames = Math.max(1, Math.round(duration_s * rest.fps));
    return { ...segment, picture: Array.from({ length: frames }, (_, i) => picture(i / rest.fps)) };
  });
  return hashOf([rest, drawings]);
}
