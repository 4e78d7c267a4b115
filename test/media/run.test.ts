import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inputArgs, runFfmpeg, runFfprobe } from "../../src/media/run.ts";
import { tempFolder } from "../support/temp.ts";

const ENDLESS = ["-re", "-f", "lavfi", "-i", "testsrc2=s=640x360", "-f", "rawvideo", "-"];

test("a process that runs too long, takes too much or writes too much is ended and says which", async () => {
  await expect(runFfmpeg(ENDLESS, { timeout_s: 0.5 })).rejects.toMatchObject({
    kind: "media-limit",
    message: expect.stringContaining("0.5 s"),
  });
  await expect(runFfmpeg(ENDLESS, { maxOutput: 1000 })).rejects.toMatchObject({
    kind: "media-limit",
    message: expect.stringContaining("1000 bytes"),
  });
});

test.skipIf(process.platform !== "linux")("memory is watched", async () => {
  const large = ENDLESS.map((arg) => arg.replace("640x360", "3840x2160"));
  await expect(runFfmpeg(large, { memory_mb: 20, timeout_s: 20 })).rejects.toMatchObject({
    kind: "media-limit",
  });
});

test("an abort ends a running process and a waiting one", async () => {
  const controller = new AbortController();
  const all = Array.from({ length: 12 }, () =>
    runFfmpeg(ENDLESS, { signal: controller.signal, onStdout: () => {} }),
  );
  setTimeout(() => controller.abort(), 300);
  for (const one of await Promise.allSettled(all))
    expect(one).toMatchObject({ status: "rejected", reason: { kind: "cancelled" } });
  await expect(runFfmpeg(ENDLESS, { signal: controller.signal })).rejects.toMatchObject({
    kind: "cancelled",
  });
});

test("a reader that fails ends the process with its own failure", async () => {
  const run = runFfmpeg(ENDLESS, {
    onStdout: () => Promise.reject(new Error("no room")),
  });
  await expect(run).rejects.toThrow("no room");
});

test("a slow reader holds the process back and misses nothing", async () => {
  let bytes = 0;
  await runFfmpeg(
    ["-f", "lavfi", "-i", "color=s=320x180:r=10:d=2", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
    {
      onStdout: async (chunk) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        bytes += chunk.length;
      },
    },
  );
  expect(bytes).toBe(320 * 180 * 20);
});

test("names that look like options, protocols or patterns are only ever files", async () => {
  const folder = await tempFolder();
  const made = await runFfmpeg([
    ...["-f", "lavfi", "-i", "color=s=64x64:r=5:d=1", "-c:v", "mpeg4", "-f", "matroska", "-"],
  ]);
  for (const name of ["-y.mkv", "http:__x.mkv", "concat:a|b.mkv", "%03d.mkv", "it's; $(id).mkv"]) {
    const path = join(folder, name);
    await writeFile(path, made.stdout);
    const { stdout } = await runFfprobe([...inputArgs(path), "-show_format", "-of", "json"]);
    expect(JSON.parse(stdout.toString()).format.format_name).toBe("matroska,webm");
  }
});

test("playlists that would open other files are refused", async () => {
  const folder = await tempFolder();
  const secret = join(folder, "secret.mkv");
  const { stdout } = await runFfmpeg([
    ...["-f", "lavfi", "-i", "color=s=64x64:r=5:d=1", "-c:v", "mpeg4", "-f", "matroska", "-"],
  ]);
  await writeFile(secret, stdout);
  const playlists = {
    "concat.mp4": `ffconcat version 1.0\nfile ${secret}\n`,
    "hls.mp4": `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`,
    "dash.mp4": `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"></MPD>`,
  };
  for (const [name, text] of Object.entries(playlists)) {
    await writeFile(join(folder, name), text);
    await expect(
      runFfprobe([...inputArgs(join(folder, name)), "-show_packets"]),
    ).rejects.toMatchObject({ kind: "damaged", message: expect.stringContaining(name) });
  }
});
