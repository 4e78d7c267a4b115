import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ask } from "../../graphs/ask.ts";
import { findFfmpeg } from "../../src/media/find-ffmpeg.ts";
import { tempFolder } from "../support/temp.ts";

/** Ten seconds of moving pictures in a file whose duration stands at its beginning. */
async function film(folder: string, name: string, ...how: string[]): Promise<string> {
  const { ffmpeg } = await findFfmpeg();
  const path = join(folder, name);
  const source = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=10"];
  await promisify(execFile)(ffmpeg, ["-v", "error", ...source, "-g", "25", ...how, path]);
  return path;
}

const cutAt = async (path: string, share: number) => {
  const bytes = await readFile(path);
  const cut = path.replace(/(\.\w+)$/, "-cut$1");
  await writeFile(cut, bytes.subarray(0, Math.round(bytes.length * share)));
  return cut;
};

test.each([
  ["index-first.mp4", ["-movflags", "+faststart"]],
  ["from-an-hour.mkv", ["-output_ts_offset", "3600"]],
])("an answer from a file that was cut off says so: %s", async (name, how) => {
  const folder = await tempFolder();
  const whole = await film(folder, name, ...how);
  const asked = { text: "What is seen?", options: ["A pattern", "A dog"] };
  const settings = { strategy: "extractive", runtime: { data: join(folder, "store") } };
  const { answer } = await ask(await cutAt(whole, 0.5), asked, { settings });
  expect(answer.diagnostics?.cut_off).toMatch(
    /^The header claims 10\.0 s, but picture and sound end at [3-7]\.\d s\. If the file was cut off, what came later is missing from this answer\.$/,
  );
  const complete = await ask(whole, asked, { settings });
  expect(complete.answer.diagnostics?.cut_off).toBeUndefined();
});
