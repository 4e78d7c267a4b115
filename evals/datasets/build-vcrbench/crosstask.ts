import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { parse as parseCsv } from "csv-parse/sync";
import { z } from "zod";
import { Failure, oneLine, toFailure } from "../../../src/core/errors.ts";
import type { AnnotatedStep, AnnotatedVideo } from "./annotated-video.ts";

/*
 * CrossTask as published (Zhukov et al. 2019): `annotations/<task>_<video>.csv` with rows `step,start,end`, steps
 * counted from 1, and `tasks_primary.txt` with blocks of task id, name, URL, number of steps and their names.
 */

interface Task {
  name: string;
  steps: string[];
}

/** Throws `Failure` `file-unreadable`, `data-malformed` (naming file and line). */
export async function readCrossTask(
  annotations: string,
  tasksFile: string,
  videos: string,
): Promise<AnnotatedVideo[]> {
  const tasks = readTasks(await text(tasksFile), basename(tasksFile));
  const files = await videoFiles(videos);
  const names = (await readdir(annotations)).filter((name) => name.endsWith(".csv")).sort();
  if (names.length === 0)
    throw new Failure(
      "data-malformed",
      `No CrossTask annotations found in ${annotations}: their names are like 113766_-5KXgoOtd_0.csv.`,
      { annotations },
    );
  return Promise.all(
    names.map(async (name): Promise<AnnotatedVideo> => {
      const [, task = "", video = ""] = /^(\d+)_(.+)\.csv$/.exec(name) ?? [];
      const known = tasks.get(task);
      if (known === undefined)
        throw new Failure(
          "data-malformed",
          `Unknown task ${JSON.stringify(task)} of ${name}: use a name <task>_<video>.csv with a task of ${basename(tasksFile)}.`,
          { name },
        );
      return {
        file: files.get(video) ?? files.get(`${task}_${video}`) ?? null,
        name: video,
        goal: known.name,
        steps: readSteps(await text(join(annotations, name)), known, name),
      };
    }),
  );
}

export function readTasks(content: string, name: string): Map<string, Task> {
  const blocks = content
    .replace(/^\uFEFF/, "")
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((block) => block.split(/\r?\n/).map((line) => line.trim()))
    .map((lines) => lines.filter((line) => line !== ""))
    .filter((lines) => lines.length > 0);
  return new Map(
    blocks.map(([id = "", title = "", _url, count, names = ""]) => {
      const steps = names.split(",").map((step) => step.trim());
      if (!/^\d+$/.test(id) || title === "" || steps.length !== Number(count))
        throw new Failure(
          "data-malformed",
          `Invalid task ${JSON.stringify(id)} in ${name}: it names ${steps.length} steps, but its number of steps is ${JSON.stringify(count ?? "")}. Use blocks of five lines: task id, name, URL, number of steps, names of the steps with commas.`,
          { name, id },
        );
      return [id, { name: title, steps }];
    }),
  );
}

const Row = z.tuple([
  z.coerce.number().int().positive(),
  z.coerce.number().min(0),
  z.coerce.number().min(0),
]);

function readSteps(content: string, task: Task, name: string): AnnotatedStep[] {
  const rows = csvRows(content, name);
  return rows.map((row, index) => {
    const read = Row.safeParse(row);
    const step = read.success ? task.steps[read.data[0] - 1] : undefined;
    if (!read.success || step === undefined || read.data[2] <= read.data[1])
      throw new Failure(
        "data-malformed",
        `Invalid row ${index + 1} of ${name} ${JSON.stringify(oneLine(row.join(","), 80))}: use step,start,end with a step from 1 to ${task.steps.length}.`,
        { name, row: index + 1 },
      );
    return { name: step, start_s: read.data[1], end_s: read.data[2] };
  });
}

function csvRows(content: string, name: string): string[][] {
  try {
    return parseCsv(content, { bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    throw toFailure(error, "data-malformed", `reading ${name}`);
  }
}

/** Files by name without extension. */
async function videoFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      throw toFailure(error, "file-unreadable", `looking for videos in ${folder}`);
    },
  );
  return new Map(
    entries
      .filter((entry) => entry.isFile() && !/\.(csv|json|txt|srt|vtt|part)$/i.test(entry.name))
      .map((entry) => [
        basename(entry.name, extname(entry.name)),
        join(entry.parentPath, entry.name),
      ]),
  );
}

async function text(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  });
}
