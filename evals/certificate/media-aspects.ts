import { isTextFirst } from "../../graphs/answer-prompts.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import type { Wording } from "../../graphs/wording.ts";
import { readsSetting, resolveSettings, type Settings } from "../../src/core/settings.ts";
import type { Benchmark } from "../benchmarks/define-benchmark.ts";
import { type Aspect, type CertificateFacts, compare } from "../benchmarks/protocols/aspect.ts";
import { type FoundProtocol, NUMBERED } from "../benchmarks/protocols/find-protocol.ts";
import type { Stated } from "../benchmarks/protocols/protocol.ts";

const LABELS = { off: "none", numbers: NUMBERED } as const;

const INDICES: Record<string, string> = {
  ends: "linspace(0, total - 1, N) cut to whole numbers",
  midpoints: "the frame in the middle of each of N equal intervals",
  fps: "the frame on screen every 1 / fps seconds",
  "fps-else-N":
    "the frame on screen every 1 / fps seconds; linspace(0, total - 1, N) if that is more than N frames",
};

/** Compares which media the model receives, and in which order. */
export function mediaAspects(
  { tasks, wording }: Pick<Benchmark, "tasks" | "wording">,
  { settings }: CertificateFacts,
  found: FoundProtocol,
): Aspect[] {
  const { strategy, recognition } = settings;
  const { wants } = found;
  const { shows } = strategies.get(strategy);
  if (shows === "nothing") return [];
  if (shows === "one-frame")
    return [
      {
        aspect: "frames",
        wanted: null,
        got: 1,
        verdict: "not certifiable",
        source: found.protocol.source,
        note: "which frame was the key frame is not stated",
      },
    ];
  const media = readsSetting(strategy, "recognition.media") ? recognition.media : "frames";
  const video = media === "video";
  const got = samplingOf(settings, video);
  const sampled = (aspect: string, wanted: Stated<unknown>, value: unknown) =>
    video && value === null ? decidedByServer(aspect, wanted) : compare(aspect, wanted, value);
  const counts = got.frames !== null || wants.frames.value !== null;
  const rated = got.fps !== null || wants.fps.value !== null;
  const sampling = [
    sampled("sampler", wants.sampler, got.sampler),
    ...(counts ? [sampled("frames", wants.frames, got.frames)] : []),
    ...(rated ? [sampled("fps", wants.fps, got.fps)] : []),
  ];
  // A whole file without a stated sampler: only the file itself can be compared.
  const unsampled = video && wants.sampler.value === null && wants.frames.value === null;
  const differs = sampling.some(({ verdict }) => verdict === "different");
  return [
    compare("media", wants.media, media),
    ...(unsampled ? [] : sampling),
    ...(unsampled ? [] : [indicesAspect(wants.indices, video, differs, recognition.sampler)]),
    sampled("pixel cap", wants.pixel_cap, pixelCap(settings, wants.pixel_cap.value, video)),
    encodingAspect(wants.encoding, video, recognition.quality),
    compare(
      "input",
      { value: "whole-video", source: found.protocol.source },
      resolveSettings(settings, tasks[0]).recognition.input,
    ),
    compare("order", wants.order, orderOf(settings, wording)),
    compare("frame labels", wants.labels, video ? "none" : LABELS[recognition.frame_labels]),
  ];
}

interface Sampling {
  sampler: string | null;
  frames: number | null;
  fps: number | null;
}

/** How the frames are chosen: by this program, or for a video by the server. Null if not requested. */
function samplingOf({ recognition }: Settings, video: boolean): Sampling {
  const { sampler, frames, fps, video_fps, video_frames } = recognition;
  if (video) {
    const rated = video_frames === null ? "fps" : "fps-else-N";
    return {
      sampler: video_fps === null ? null : rated,
      frames: video_frames,
      fps: video_fps,
    };
  }
  return {
    sampler,
    frames: sampler === "fps" ? null : frames,
    fps: sampler === "fps" || sampler === "fps-else-N" ? fps : null,
  };
}

function decidedByServer(aspect: string, { value, source }: Stated<unknown>): Aspect {
  return {
    aspect,
    wanted: value,
    got: null,
    verdict: "not certifiable",
    source,
    note: "the server that decodes the video decides",
  };
}

function indicesAspect(
  wanted: Stated<string>,
  video: boolean,
  differs: boolean,
  sampler: string,
): Aspect {
  const base = {
    aspect: "frame indices",
    wanted: wanted.value,
    got: video ? null : (INDICES[sampler] ?? sampler),
    source: wanted.source,
  };
  if (differs)
    return {
      ...base,
      verdict: "different",
      note: "sampler, number of frames or frame rate differ",
    };
  if (video)
    return {
      ...base,
      verdict: "not certifiable",
      note: "the server that decodes the video chooses the frames",
    };
  if (wanted.value === null || wanted.note !== undefined)
    return {
      ...base,
      verdict: "not certifiable",
      note: wanted.note ?? `not stated in ${wanted.source}`,
    };
  return { ...base, verdict: "equal", note: null };
}

/** Null if the server decides. */
function pixelCap(
  { recognition }: Settings,
  wanted: number | string | null,
  video: boolean,
): number | string | null {
  const { max_side, max_area, video_max_pixels } = recognition;
  if (video) return video_max_pixels ?? (wanted === "as found" ? "as found" : null);
  if (max_side !== null) return `longest side ${max_side} px`;
  return max_area ?? "as found";
}

function encodingAspect(wanted: Stated<number | string>, video: boolean, quality: number): Aspect {
  const got = video ? "the file itself" : `JPEG, quality ${quality}`;
  const base = {
    aspect: "encoding",
    wanted: typeof wanted.value === "number" ? `JPEG, quality ${wanted.value}` : wanted.value,
    got,
    source: wanted.source,
    note: wanted.note ?? null,
  };
  if (wanted.value === null)
    return { ...base, verdict: "not certifiable", note: `not stated in ${wanted.source}` };
  if (typeof wanted.value === "number")
    return { ...base, verdict: !video && quality === wanted.value ? "equal" : "different" };
  return video
    ? { ...base, verdict: "equal" }
    : {
        ...base,
        verdict: "not certifiable",
        note: "the paper sent uncompressed frames",
      };
}

function orderOf(settings: Settings, wording: Wording): string {
  const described = strategies.get(settings.strategy).approach === "decomposed";
  const text = !described && isTextFirst(settings, wording);
  return text ? "text first" : "media first";
}
