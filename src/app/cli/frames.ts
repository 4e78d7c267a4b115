import { copyFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { z } from "zod";
import { describeExpected } from "../../core/describe-issue.ts";
import { Failure } from "../../core/errors.ts";
import { SAMPLERS } from "../../core/settings.ts";
import { makeFolder } from "../../storage/make-folder.ts";
import { withExamples } from "./example.ts";
import { print, printJson, run, say, table } from "./output.ts";
import { withJobContext } from "./with-job-context.ts";

const number = z.coerce.number();
const Flags = z.object({
  sampler: z.enum(SAMPLERS).optional(),
  frames: number.int().min(1).max(2048),
  fps: number.positive().max(60).optional(),
  at: z.array(number.min(0)).optional(),
  from: number.min(0).optional(),
  to: number.min(0).optional(),
  maxSide: z.union([z.literal("none").transform(() => null), number.int().min(16)]),
  maxArea: z.union([z.literal("none").transform(() => null), number.int().min(256)]),
  quality: number.int().min(1).max(100),
  out: z.string().optional(),
  dataDir: z.string(),
  json: z.boolean().optional(),
});

export function configureFrames(command: Command): void {
  withExamples(
    command
      .argument("<video>", "a video file")
      .addOption(
        new Option(
          "--sampler <choice>",
          "how to choose frames; default: times with --at, fps with --fps, else ends",
        ).choices(SAMPLERS),
      )
      .option("--frames <number>", "number of frames", "8")
      .option("--fps <number>", "frames a second, for `fps` and `fps-else-N`; default: 1")
      .option("--at <seconds...>", "times of the frames in seconds, for `times`")
      .option("--from <seconds>", "start of the time range")
      .option("--to <seconds>", "end of the time range")
      .option("--max-side <pixels>", "longest side; none: original size", "768")
      .option("--max-area <pixels>", "largest area; none: no limit", "none")
      .option("--quality <number>", "JPEG quality, 1 to 100", "85")
      .option("--out <folder>", "also write the frames to this folder, named by their times")
      .option("--data-dir <folder>", "folder of the store", ".video-rrd")
      .option("--json", "print one JSON value")
      .action((file: string, options: unknown) =>
        run(async (signal) => {
          const read = Flags.safeParse(options);
          if (!read.success) throw flagFailure(read.error, options);
          const flags = read.data;
          const sampler = samplerOf(flags);
          const { openVideo } = await import("../../../tools/video/video.ts");
          const { sampleFrames } = await import("../../../tools/video/frames.ts");
          return withJobContext(flags.dataDir, signal, "frames", async (job) => {
            const video = await openVideo(file, job);
            const frames = await sampleFrames(
              video,
              {
                sampler,
                n: flags.frames,
                fps: flags.fps ?? 1,
                times_s: flags.at,
                from_s: flags.from,
                to_s: flags.to,
                max_side: flags.maxSide,
                max_area: flags.maxArea,
                quality: flags.quality,
              },
              job,
            );
            const end_s = video.probe.video?.end_s ?? video.probe.duration_s;
            const late = (flags.at ?? []).filter((t_s) => t_s > end_s);
            if (late.length > 0)
              say(
                `note: the video ends at ${end_s.toFixed(3)} s; for ${late.join(", ")} s the last frame is returned.`,
              );
            const rows = await Promise.all(
              frames.map(async (frame) => ({
                ...frame,
                path: await job.store.blobs.path(frame.hash),
              })),
            );
            const timeOf = timeNamer(rows);
            if (flags.out !== undefined) {
              await makeFolder(flags.out);
              for (const row of rows) {
                const [whole = "", fraction] = timeOf(row).split(".");
                const target = resolve(
                  join(flags.out, `${whole.padStart(5, "0")}.${fraction}.jpg`),
                );
                await copyFile(row.path, target);
                row.path = target;
              }
            }
            if (flags.json) printJson(rows);
            else
              print(
                table(
                  rows.map((row) => [`${timeOf(row)} s`, `${row.width}x${row.height}`, row.path]),
                ),
              );
            return undefined;
          });
        }),
      ),
    "frames lecture.mp4 --frames 16 --out frames/",
    "frames lecture.mp4 --at 12 90.5 --json",
  );
}

/** The sampler that the flags name or imply. Refuses flags that it does not read. */
function samplerOf({ sampler, at, fps }: z.output<typeof Flags>): (typeof SAMPLERS)[number] {
  const chosen =
    sampler ?? (at !== undefined ? "times" : fps !== undefined ? "fps" : ("ends" as const));
  if (chosen === "times" && at === undefined)
    throw new Failure(
      "wrong-usage",
      "No times given. Pass them in seconds with --at, for example --at 12 90.5.",
      { flag: "--at" },
    );
  const unread =
    at !== undefined && chosen !== "times"
      ? "--at"
      : fps !== undefined && !chosen.startsWith("fps")
        ? "--fps"
        : null;
  if (unread === null) return chosen;
  throw new Failure(
    "wrong-usage",
    `The sampler ${chosen} does not read ${unread}. Leave out ${unread}, or pass --sampler ${unread === "--at" ? "times" : "fps"}.`,
    { flag: unread, sampler: chosen },
  );
}

/** Writes times in seconds to the millisecond, or to the microsecond if frames would have the same name. */
function timeNamer(frames: readonly { t_s: number }[]): (frame: { t_s: number }) => string {
  const names = new Set(frames.map(({ t_s }) => t_s.toFixed(3)));
  const digits = names.size === frames.length ? 3 : 6;
  return ({ t_s }) => t_s.toFixed(digits);
}

/** The failure of the first invalid flag. */
export function flagFailure(error: z.ZodError, options: unknown): Failure {
  const issue = error.issues[0];
  const name = String(issue?.path[0] ?? "");
  const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const given = (options as Record<string, unknown>)[name];
  return new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use ${describeExpected(issue)}.`,
    { flag, given },
  );
}
