import { readdir } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { Failure, oneLine, systemCode, toFailure } from "../../src/core/errors.ts";
import type { Tally } from "../benchmarks/tally.ts";

const ENDING = ".json";

/**
 * Finds the sidecar of each video in a folder, with its subfolders: `<path of the video>.json` with or without the extension
 * of the video, or `<SHA-256>.json`. Returns video -> path. A file that belongs to no video is counted in `tally`.
 *
 * @param hashOf hashes a video; called only if a file is named by a hash
 * Throws `Failure` `not-found` for a missing folder or one without a sidecar of these videos, `data-malformed` if a video
 * has several sidecars, or a sidecar several videos.
 */
export async function findSidecars(
  folder: string,
  videos: readonly string[],
  hashOf: (video: string) => Promise<string | null>,
  tally: Tally,
): Promise<Map<string, string>> {
  const names = await sidecarsIn(folder);
  const isHashed = [...names.keys()].some((name) => /^[0-9a-f]{64}$/.test(name));
  const found = new Map<string, string>();
  const owner = new Map<string, string>();
  for (const video of videos) {
    const hash = isHashed ? await hashOf(video) : null;
    const files = [...new Set(namesFor(video, hash).flatMap((name) => names.get(name) ?? []))];
    const [file, second] = files;
    if (file === undefined) continue;
    if (second !== undefined)
      throw new Failure(
        "data-malformed",
        `The video ${video} has several sidecars in ${folder}: ${files.join(", ")}. Keep one of them.`,
        { video, files },
      );
    const other = owner.get(file);
    if (other !== undefined)
      throw new Failure(
        "data-malformed",
        `The sidecar ${file} in ${folder} may belong to ${other} or ${video}: name it after the whole path, for example ${video}${ENDING}.`,
        { file, videos: [other, video] },
      );
    owner.set(file, video);
    found.set(video, join(folder, file));
  }
  for (const file of new Set(names.values()))
    if (!owner.has(file)) tally.add("sidecars without a video in the data", file);
  if (found.size > 0) return found;
  throw new Failure(
    "not-found",
    `No file in ${folder} is the sidecar of a video of the data: use names such as ${basename(stem(videos[0] ?? "video.mp4"))}${ENDING}. The folder has ${oneLine([...names.values()].join(", "), 200) || "no .json file"}.`,
    { folder },
  );
}

/** Name without `.json`, with `/` -> file in the folder. */
async function sidecarsIn(folder: string): Promise<Map<string, string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort();
    return new Map(files.map((file) => [file.slice(0, -ENDING.length), file]));
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new Failure(
        "not-found",
        `Cannot open ${folder}: give the folder of the sidecars, one .json file for each video.`,
        { folder },
      );
    throw toFailure(error, "file-unreadable", `reading ${folder}`);
  }
}

function namesFor(video: string, hash: string | null): string[] {
  const path = video.replace(/^(?:\.\.?\/)+/, "");
  return [path, stem(path), basename(path), basename(stem(path)), ...(hash === null ? [] : [hash])];
}

function stem(path: string): string {
  return path.replace(/\.[^./]+$/, "");
}
