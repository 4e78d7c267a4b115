import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { Failure } from "../core/errors.ts";

/** The files of the programs in use. */
export interface FfmpegPrograms {
  ffmpeg: string;
  ffprobe: string;
  source: "FFMPEG_PATH" | "system" | "package";
}

/** The ffmpeg in use. `major` is null for builds whose version is a revision name. */
export interface Ffmpeg extends FfmpegPrograms {
  version: string;
  major: number | null;
  /** The option that maps frame times to output times: ffmpeg 5.1 renamed `-vsync` and will remove it. */
  fpsMode: "-fps_mode" | "-vsync";
}

/** Builds by the value of `FFMPEG_PATH`. */
const builds = new Map<string, Promise<Ffmpeg>>();

/**
 * Finds ffmpeg as `findPrograms` does, and reads its version, once per process and value of `FFMPEG_PATH`. Throws
 * `Failure` `ffmpeg-missing`.
 */
export function findFfmpeg(): Promise<Ffmpeg> {
  const given = process.env.FFMPEG_PATH ?? "";
  const known = builds.get(given);
  if (known !== undefined) return known;
  const looking = describe().catch((error: unknown) => {
    builds.delete(given);
    throw error;
  });
  builds.set(given, looking);
  return looking;
}

/**
 * Finds the programs: those of `FFMPEG_PATH` (a file or a folder), else the system's, else those of packages. Starts
 * nothing. Throws `Failure` `ffmpeg-missing`.
 */
export function findPrograms(): FfmpegPrograms {
  const given = process.env.FFMPEG_PATH;
  if (given !== undefined && given !== "") {
    const ffmpeg = executable(join(given, "ffmpeg")) ?? executable(given);
    if (ffmpeg === undefined)
      throw new Failure(
        "ffmpeg-missing",
        `Invalid FFMPEG_PATH ${JSON.stringify(given)}: there is no ffmpeg program. Set it to the program or its folder.`,
        { given },
      );
    const neighbour = executable(join(dirname(ffmpeg), "ffprobe"));
    return both(ffmpeg, neighbour ?? onPath("ffprobe") ?? packaged("ffprobe"), "FFMPEG_PATH");
  }
  const ffmpeg = onPath("ffmpeg");
  const ffprobe = onPath("ffprobe");
  if (ffmpeg !== undefined && ffprobe !== undefined) return both(ffmpeg, ffprobe, "system");
  return both(packaged("ffmpeg"), packaged("ffprobe"), "package");
}

function both(
  ffmpeg: string | undefined,
  ffprobe: string | undefined,
  source: FfmpegPrograms["source"],
): FfmpegPrograms {
  if (ffmpeg !== undefined && ffprobe !== undefined) return { ffmpeg, ffprobe, source };
  throw new Failure(
    "ffmpeg-missing",
    "Cannot find ffmpeg and ffprobe on the system or in the packages. Install ffmpeg, or set FFMPEG_PATH.",
    { ffmpeg, ffprobe },
  );
}

async function describe(): Promise<Ffmpeg> {
  const programs = findPrograms();
  const { ffmpeg } = programs;
  const { execa } = await import("execa");
  const { stdout } = await execa(ffmpeg, ["-version"], { timeout: 20_000 }).catch(
    (error: unknown) => {
      throw new Failure(
        "ffmpeg-missing",
        `Cannot run ${ffmpeg} to read its version. Install ffmpeg, or set FFMPEG_PATH to another build.`,
        { ffmpeg },
        { cause: error },
      );
    },
  );
  const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? "unknown";
  const major = /^n?(\d+)\.\d/.exec(version)?.[1];
  const copyright = Number(/Copyright \(c\) \d+-(\d{4})/.exec(stdout)?.[1] ?? 0);
  const renamed = major === undefined ? copyright >= 2023 : Number(major) >= 6;
  return {
    ...programs,
    version,
    major: major === undefined ? null : Number(major),
    fpsMode: renamed ? "-fps_mode" : "-vsync",
  };
}

function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = folder === "" ? undefined : executable(join(folder, name));
    if (file !== undefined) return file;
  }
  return undefined;
}

function packaged(name: "ffmpeg" | "ffprobe"): string | undefined {
  try {
    const { path } = createRequire(import.meta.url)(`@${name}-installer/${name}`) as {
      path: string;
    };
    return executable(path);
  } catch {
    // The package has no build for this platform; the caller reports what to install.
    return undefined;
  }
}

function executable(path: string): string | undefined {
  for (const file of process.platform === "win32" ? [path, `${path}.exe`] : [path]) {
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Missing or not executable: try the next path.
    }
  }
  return undefined;
}
