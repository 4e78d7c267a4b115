import { readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { toFailure } from "../../../src/core/errors.ts";
import type { AnnotatedVideo } from "./annotated-video.ts";
import { readCrossTask } from "./crosstask.ts";
import { SwapFields, swapRules } from "./grouping.ts";
import { readYamlAs } from "./read-yaml-as.ts";

export interface AnnotationOptions {
  /** Folder of the videos. Default: that of the annotations. */
  videos?: string;
  /** CrossTask's task file, `tasks_primary.txt`; default: the one next to the folder of annotations. */
  tasks?: string;
}

const seconds = z.number().min(0);
const Annotated = z
  .strictObject({
    video: z.string().min(1),
    goal: z.string().trim().min(1),
    steps: z
      .array(
        z
          .strictObject({ start: seconds, end: seconds, name: z.string().trim().min(1) })
          .refine(({ start, end }) => end > start, { error: "a step that ends after it starts" }),
      )
      .min(2),
    ...SwapFields,
  })
  .refine(({ steps, any_order = [] }) => areSteps(any_order, steps), {
    path: ["any_order"],
    error: "groups of names of its steps",
  })
  .refine(({ steps, before = [] }) => areSteps(before, steps), {
    path: ["before"],
    error: "pairs of names of its steps",
  });
const List = z.array(Annotated).min(1);

function areSteps(groups: readonly string[][], steps: readonly { name: string }[]): boolean {
  return groups.flat().every((name) => steps.some((step) => step.name === name));
}

const UnderVideos = z.strictObject({ videos: List }).transform(({ videos }) => videos);

/**
 * Reads a JSON or YAML list of `{ video, goal, steps: [{ start, end, name }] }`, with `any_order` and `before` for steps that
 * may swap, or a folder of CrossTask's CSV files.
 * Throws `Failure` `file-unreadable`, `data-malformed`.
 */
export async function readAnnotations(
  path: string,
  { videos, tasks }: AnnotationOptions = {},
): Promise<AnnotatedVideo[]> {
  const at = resolve(path);
  const found = await stat(at).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  if (found.isDirectory()) {
    const folder = resolve(videos ?? join(dirname(at), "videos"));
    return readCrossTask(at, resolve(tasks ?? join(dirname(at), "tasks_primary.txt")), folder);
  }
  const folder = resolve(videos ?? dirname(at));
  const text = await readFile(at, "utf8").catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
  return Promise.all(
    readList(text, basename(path)).map(async ({ video, goal, steps, ...rules }) => {
      const file = resolve(folder, video);
      const swaps = swapRules(rules);
      return {
        file: (await isFile(file)) ? file : null,
        name: video,
        goal,
        steps: steps.map(({ start, end, name }) => ({ name, start_s: start, end_s: end })),
        ...(swaps === undefined ? {} : { swaps }),
      };
    }),
  );
}

/** A list, or an object with one under `videos`. */
function readList(text: string, name: string): z.infer<typeof List> {
  return readYamlAs((value) => (Array.isArray(value) ? List : UnderVideos), text, {
    name,
    what: "annotations",
    form: "a list of { video, goal, steps: [{ start, end, name }] } with at least two steps per video",
  });
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    // A file that cannot be read counts as missing; the builder reports it for this video.
    () => false,
  );
}
