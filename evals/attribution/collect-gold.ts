import { basename, join } from "node:path";
import { Failure, isFailure } from "../../src/core/errors.ts";
import type { JobContext } from "../../src/core/job-context.ts";
import { readNamedSubtitles } from "../../tools/speech/subtitles.ts";
import { openVideo, type Video } from "../../tools/video/video.ts";
import type { Sample } from "../benchmarks/sample.ts";
import type { Tally } from "../benchmarks/tally.ts";
import type { SampleGold } from "../run/gold-file.ts";
import type { PreparedRun } from "../run/prepare-run.ts";
import { hasStepNames } from "../run/step-names.ts";
import { findSidecars } from "./find-sidecars.ts";
import { readSidecar, type Sidecar } from "./sidecar.ts";

/* The gold of a sample: from the sidecar of its video, and from the data. */

export async function readSidecars(
  folder: string,
  { loaded, samples }: Pick<PreparedRun, "loaded" | "samples">,
  job: JobContext,
  tally: Tally,
): Promise<Map<string, Sidecar>> {
  const present = loaded.samples.filter(({ hasVideo }) => hasVideo);
  const opened = new Map<string, Promise<Video>>();
  const open = (video: string) => {
    const known = opened.get(video) ?? openVideo(join(loaded.folder, video), job);
    opened.set(video, known);
    return known;
  };
  const hashOf = async (video: string) => {
    try {
      return (await open(video)).hash;
    } catch (error) {
      // Its samples fail in the run, with the reason.
      if (isFailure(error) && error.kind !== "cancelled") return null;
      throw error;
    }
  };
  const videos = [...new Set(present.map(({ video }) => video))];
  const found = await findSidecars(folder, videos, hashOf, tally);
  const questions = Map.groupBy(loaded.samples, ({ video }) => video);
  const read = new Map<string, Sidecar>();
  for (const video of new Set(samples.map((sample) => sample.video))) {
    const path = found.get(video);
    if (path === undefined) continue;
    const { hash, probe } = await open(video);
    const ids = (questions.get(video) ?? []).map(({ id }) => id);
    const of = { video, hash, duration_s: probe.duration_s, questions: ids };
    read.set(video, await readSidecar(path, of, tally));
  }
  return read;
}

export function goldOfSidecar(sidecar: Sidecar | undefined, sample: Sample): SampleGold {
  if (sidecar === undefined) return {};
  const { path, captions, text, speech, evidence_s } = sidecar;
  if (captions !== undefined && sample.task === "order") checkClips(path, captions, sample);
  const by = basename(path);
  const spans = evidence_s?.[sample.id];
  return {
    ...(captions === undefined ? {} : { captions: { by, items: captions } }),
    ...(text === undefined ? {} : { text: { by, items: text } }),
    ...(speech === undefined ? {} : { speech: { by, items: speech } }),
    ...(spans === undefined ? {} : { search: { by, spans } }),
  };
}

/** An order needs exactly one caption for each clip. */
function checkClips(
  path: string,
  captions: readonly { clip?: number }[],
  { id, answer }: Sample,
): void {
  const clips = captions.map(({ clip }) => clip ?? 0).sort((a, b) => a - b);
  if (clips.length === answer.length && clips.every((clip, place) => clip === place + 1)) return;
  throw new Failure(
    "data-malformed",
    `Invalid ${path}: captions need \`clip\` numbers from 1 to ${answer.length}, each once, for the order question ${id}; they are ${clips.map((clip) => clip || "missing").join(", ")}.`,
    { path, sample: id },
  );
}

export async function goldOfData(
  sample: Sample,
  folder: string,
  cues: Map<string, Promise<SampleGold["speech"]>>,
  tally: Tally,
): Promise<SampleGold> {
  const { evidence_s: spans = [], subtitles, subtitles_from_s: from_s } = sample;
  const speech =
    subtitles === undefined
      ? undefined
      : await cached(cues, `${from_s} ${subtitles}`, () =>
          cuesOf(subtitles, { folder, from_s }, tally),
        );
  return {
    ...(hasStepNames(sample) ? { captions: "step names" as const } : {}),
    ...(speech === undefined ? {} : { speech }),
    ...(spans.length === 0 ? {} : { search: { by: "the data", spans } }),
  };
}

function cached<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>) {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

async function cuesOf(
  subtitles: string,
  { folder, from_s }: { folder: string; from_s?: number },
  tally: Tally,
): Promise<SampleGold["speech"]> {
  try {
    const { cues } = await readNamedSubtitles({ path: join(folder, subtitles), from_s });
    const items = cues.map(({ start_s, end_s, text }) => ({ start_s, end_s, text }));
    return { by: subtitles, items };
  } catch (error) {
    if (!isFailure(error) || error.kind === "cancelled") throw error;
    tally.add("subtitle files that cannot be read, which are no gold", error.message);
    return undefined;
  }
}
