import { unusablePairs } from "../../benchmarks/partial-order.ts";
import type { createTally } from "../../benchmarks/tally.ts";
import type { AnnotatedVideo } from "./annotated-video.ts";
import { arrangements, type ClipPlan, clipsOf } from "./arrangement.ts";
import { stepOrder } from "./swaps.ts";
import type { BuildOptions, Job } from "./video-spec.ts";

/** Every video to make, in order; what cannot be used is tallied. */
export function jobsOf(
  videos: readonly AnnotatedVideo[],
  { shuffles = 1, seed = 0 }: BuildOptions,
  tally: ReturnType<typeof createTally>,
): Job[] {
  const jobs: Job[] = [];
  for (const video of videos) {
    const { file, name } = video;
    const read = clipsOf(video);
    if (file === null) tally.add("videos missing", name);
    else if ("unusable" in read) tally.add(`videos left out: ${read.unusable}`, name);
    else {
      const { clips, cut } = read;
      if (cut > 0) tally.add("steps cut where the next one begins", name);
      const order = orderOf(video, clips, tally);
      if (order === null) continue;
      const { pairs } = order;
      const shown = arrangements(clips.length, shuffles, pairs, seed, name);
      if (shown.length < shuffles) tally.add("videos with fewer arrangements than wanted", name);
      for (const [index, one] of shown.entries())
        jobs.push({
          qid: String(jobs.length + 1),
          video: { ...video, file },
          clips,
          shown: one,
          shuffle: index + 1,
          pairs,
        });
    }
  }
  return jobs;
}

/** Which steps of a video may swap; null if the video cannot be used with its rules, which is tallied. */
function orderOf(
  { name, swaps }: AnnotatedVideo,
  clips: readonly ClipPlan[],
  tally: ReturnType<typeof createTally>,
): { pairs: [number, number][] | null } | null {
  if (swaps === undefined) return { pairs: null };
  const leaveOut = (why: string, detail = "") => {
    tally.add(`videos left out: ${why}`, `${name}${detail}`);
    return null;
  };
  const names = clips.map((clip) => clip.name);
  const order = stepOrder(names, swaps);
  if ("contradicted" in order)
    return leaveOut(
      "the video shows steps in the other order than `before` says",
      `: ${order.contradicted.join(", ")}`,
    );
  for (const pair of order.blocked)
    tally.add(
      "pairs of a group that cannot swap, because another step is between them",
      `${name}: ${pair.join(", ")}`,
    );
  const { pairs } = order;
  if (pairs?.length === 0) return leaveOut("every order of its steps is right");
  const unusable = pairs === null ? null : unusablePairs(pairs, [...names.keys()]);
  return unusable === null ? { pairs } : leaveOut(unusable);
}
