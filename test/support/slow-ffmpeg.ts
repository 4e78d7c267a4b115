import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import { findPrograms } from "../../src/media/find-ffmpeg.ts";
import { tempFolder } from "./temp.ts";

/** The ffmpeg of the tests, which reads its first input no faster than it plays. */
export interface SlowFfmpeg {
  /** For `FFMPEG_PATH`. */
  folder: string;
  /** Waits for the next process, other than one that only tells its version, and returns its id. */
  pid(): Promise<number>;
}

export async function slowFfmpeg(): Promise<SlowFfmpeg> {
  const { ffmpeg } = findPrograms();
  const folder = await tempFolder();
  const file = join(folder, "pid");
  const script = `#!/bin/sh
case "$*" in
  *-version*) ;;
  *) echo $$ >"${file}.new" && mv "${file}.new" "${file}" ;;
esac
exec "${ffmpeg}" -re "$@"
`;
  await writeFile(join(folder, "ffmpeg"), script, { mode: 0o755 });
  return {
    folder,
    async pid() {
      const text = await vi.waitFor(() => readFile(file, "utf8"), 60_000);
      await rm(file);
      return Number(text);
    },
  };
}
