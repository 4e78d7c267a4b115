import { readdir, realpath, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure, toFailure } from "../../core/errors.ts";
import { isBelow, pathWithoutLinks } from "../../core/folder-bounds.ts";

/** Files and folders that a listing opens at most, and how deep it goes. */
const MOST_ENTRIES = 20_000;
const MOST_FILES = 500;
const DEEPEST = 6;
const ENDINGS =
  /\.(?:mp4|m4v|mov|mkv|webm|avi|mpe?g|ts|mts|m2ts|flv|wmv|ogv|3gp|mp3|m4a|wav|flac|ogg|opus)$/i;

const NO_FOLDER =
  "No folder is allowed, so no file can be opened. Start the server with --allow-folder, for example `video-rrd mcp --allow-folder ~/Videos`.";

/** The folders that clients may read: those of the operator, narrowed by the roots of the client. */
export interface AllowedFolders {
  /** Absolute paths without links. Throws `Failure` `wrong-usage` if no folder is allowed. */
  folders(): Promise<string[]>;
  /**
   * The absolute path without links of a file or folder below an allowed folder. A relative path starts from an allowed
   * folder. Throws `Failure` `wrong-usage` for any other path, whether it exists or not, and `file-unreadable`.
   */
  resolve(given: string): Promise<string>;
  /** Whether an absolute path without links may be read. */
  allows(path: string): Promise<boolean>;
  /** Media files, by path. Links are not followed. */
  files(): Promise<{ path: string; size: number }[]>;
}

/**
 * @param given Folders of the operator.
 * @param rootsOf URIs of the client's roots; null: the client has none. They narrow the folders and never widen them.
 */
export async function allowFolders(
  given: readonly string[],
  rootsOf: () => Promise<readonly string[] | null>,
): Promise<AllowedFolders> {
  const named = given.map((folder) => resolve(folder));
  const real = await Promise.all(named.map(realFolder));

  /** The folders of the operator within the roots, and the roots within the folders of the operator. */
  async function folders(): Promise<string[]> {
    if (real.length === 0) throw new Failure("wrong-usage", NO_FOLDER);
    const roots = await rootsOf();
    if (roots === null || roots.length === 0) return real;
    const narrowed: string[] = [];
    for (const root of (await Promise.all(roots.map(pathOfRoot))).filter((one) => one !== null))
      for (const folder of real) {
        if (isBelow(root, folder)) narrowed.push(root);
        else if (isBelow(folder, root)) narrowed.push(folder);
      }
    return [...new Set(narrowed)];
  }

  return {
    folders,
    async resolve(text) {
      const allowed = await folders();
      const path = text.startsWith("file:") ? pathOfUri(text) : text;
      if (path === null || path.includes("\0")) throw notAllowed(text);
      const candidates = [...new Set([...allowed, ...named])].map((folder) =>
        resolve(folder, path),
      );
      // The lexical check comes first, so that the reply does not tell whether a file outside exists.
      const inside = candidates.filter((one) =>
        [...real, ...named].some((folder) => isBelow(one, folder)),
      );
      if (inside.length === 0) throw notAllowed(text);
      const found = await firstReal(inside);
      if (found === null)
        throw new Failure(
          "file-unreadable",
          `Cannot find ${JSON.stringify(text)} in an allowed folder.`,
          {
            path: text,
          },
        );
      if (!allowed.some((folder) => isBelow(found, folder))) throw notAllowed(text);
      return found;
    },
    allows: async (path) => (await folders()).some((folder) => isBelow(path, folder)),
    files: async () => mediaFiles(await folders()),
  };
}

async function firstReal(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const real = await pathWithoutLinks(path);
    if (real !== null) return real;
  }
  return null;
}

async function realFolder(folder: string): Promise<string> {
  try {
    const real = await realpath(folder);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw toFailure(error, "file-unreadable", `opening the folder ${folder}`);
  }
  throw new Failure(
    "wrong-usage",
    `Invalid --allow-folder ${JSON.stringify(folder)}: it is not a folder.`,
    { folder },
  );
}

/** Roots that are not folders of this machine allow nothing. */
async function pathOfRoot(uri: string): Promise<string | null> {
  const path = pathOfUri(uri);
  return path === null ? null : pathWithoutLinks(path);
}

function pathOfUri(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    return null; // not an address of a file: it names nothing that is allowed
  }
}

function notAllowed(given: string): Failure {
  return new Failure(
    "wrong-usage",
    `${JSON.stringify(given.slice(0, 200))} is not in an allowed folder. Call list_videos for the files that can be opened; --allow-folder allows others.`,
    { given: given.slice(0, 200) },
  );
}

async function mediaFiles(folders: readonly string[]): Promise<{ path: string; size: number }[]> {
  const files = new Map<string, number>();
  let level = [...folders];
  let opened = 0;
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (++opened > MOST_ENTRIES || files.size >= MOST_FILES) break;
        const path = join(folder, entry.name);
        if (entry.name.startsWith(".")) continue;
        if (entry.isDirectory() && entry.name !== "node_modules") next.push(path);
        else if (entry.isFile() && ENDINGS.test(entry.name))
          files.set(path, (await stat(path).catch(() => null))?.size ?? 0);
      }
    }
    level = next;
  }
  return [...files].map(([path, size]) => ({ path, size }));
}
