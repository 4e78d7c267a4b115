import { stat } from "node:fs/promises";
import { extname, relative, resolve, sep } from "node:path";

/* Finds the videos and subtitles that a data file names, from its folder or from --videos. */

const VIDEO_ENDINGS = [".mp4", ".mkv", ".webm", ".mov", ".avi", ".m4v"];

export interface FileFinder {
  /** Path from the folder, with `/`, and whether the file is there. */
  video(name: string): Promise<{ path: string; there: boolean }>;
  subtitles(name: string): Promise<{ path: string; there: boolean }>;
}

/**
 * Names start from the folder. A path may leave it (`../`) or be absolute: the data file belongs to whoever starts the run.
 * A video may lie in `videos/`, and its name may lack the extension; subtitles may lie in `subtitles/`.
 */
export function findFilesIn(folder: string): FileFinder {
  const known = new Map<string, Promise<boolean>>();
  const isThere = (path: string) => {
    const asked = known.get(path) ?? isFile(path);
    known.set(path, asked);
    return asked;
  };
  const first = async (names: readonly string[]) => {
    // The data file may have the separators of Windows, and another Unicode normalization than the file system.
    const forms = names
      .flatMap((name) => [name, name.replaceAll("\\", "/")])
      .flatMap((name) => [name, name.normalize("NFC"), name.normalize("NFD")]);
    const paths = [...new Set(forms)].map((name) => resolve(folder, name));
    for (const path of paths) if (await isThere(path)) return { path: named(path), there: true };
    return { path: named(paths[0] ?? folder), there: false };
  };
  const named = (path: string) => relative(folder, path).split(sep).join("/");
  return {
    video: (name) => {
      const endings = VIDEO_ENDINGS.includes(extname(name).toLowerCase())
        ? [""]
        : ["", ...VIDEO_ENDINGS, ...VIDEO_ENDINGS.map((ending) => ending.toUpperCase())];
      return first(endings.flatMap((end) => [`${name}${end}`, `videos/${name}${end}`]));
    },
    subtitles: (name) => first([name, `subtitles/${name}`]),
  };
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // Missing or not accessible: reported for each sample.
    return false;
  }
}
