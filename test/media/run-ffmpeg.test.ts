import { once } from "node:events";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { execa } from "execa";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Failure } from "../../src/core/errors.ts";
import { probe } from "../../src/media/probe.ts";
import { inputArgs, runFfmpeg, runFfprobe } from "../../src/media/run-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { scanVideo } from "../../tools/video/scan.ts";
import { openVideo } from "../../tools/video/video.ts";
import { makeClip } from "../support/clips.ts";
import { slowFfmpeg } from "../support/slow-ffmpeg.ts";
import { tempFolder } from "../support/temp.ts";

const ENDLESS = ["-re", "-f", "lavfi", "-i", "testsrc2=s=640x360", "-f", "rawvideo", "-"];

test("a process that runs too long, takes too much or writes too much is ended and says which; a year is no limit", async () => {
  await expect(runFfmpeg(ENDLESS, { timeout_s: 0.5 })).rejects.toMatchObject({
    kind: "media-limit",
    message: expect.stringContaining("0.5 s"),
  });
  await expect(runFfmpeg(ENDLESS, { maxOutput: 1000 })).rejects.toMatchObject({
    kind: "media-limit",
    message: expect.stringContaining("1000 bytes"),
  });
  const short = ["-f", "lavfi", "-i", "color=s=64x64:r=5:d=1", "-f", "rawvideo", "-"];
  await runFfmpeg(short, { timeout_s: 1e9 });
});

test.each(["png", "bmp", "webp", "tiff", "gif", "jpg"])(
  "a picture whose path looks like the pattern of a series is read: %s",
  async (ending) => {
    const folder = await tempFolder();
    const plain = join(folder, `plain.${ending}`);
    const colour = ["-f", "lavfi", "-i", "color=s=34x18:d=1:r=1"];
    await runFfmpeg([...colour, "-frames:v", "1", plain]);
    await mkdir(join(folder, "my%20pictures"));
    for (const name of ["x%03d", "50%d off", "my%20pictures/a dog"]) {
      const path = join(folder, `${name}.${ending === "jpg" ? "JPG" : ending}`);
      await copyFile(plain, path);
      expect((await probe(path)).video, name).toMatchObject({ width: 34, height: 18, frames: 1 });
    }
  },
);

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

test("a reader that never goes on does not keep the process from being ended", async () => {
  const onStdout = () => new Promise(() => {});
  await expect(runFfmpeg(ENDLESS, { timeout_s: 0.3, onStdout })).rejects.toMatchObject({
    kind: "media-limit",
  });
  const signal = AbortSignal.timeout(200);
  await expect(runFfmpeg(ENDLESS, { signal, onStdout })).rejects.toMatchObject({
    kind: "cancelled",
  });
});

const RAW_INPUT = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "320x180", "-i", "pipe:0"];

test("input is streamed: its source waits for the process, and ends when the process has enough", async () => {
  let made = 0;
  let closed = false;
  async function* frames() {
    try {
      for (; made < 5000; made++) yield new Uint8Array(320 * 180).fill(made);
    } finally {
      closed = true;
    }
  }
  const { stdout } = await runFfmpeg(
    [...RAW_INPUT, "-frames:v", "3", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
    { stdin: Readable.from(frames(), { highWaterMark: 2 }) },
  );
  expect(stdout.length).toBe(320 * 180 * 3);
  expect(closed).toBe(true);
  expect(made).toBeLessThan(500);
  const whole = await runFfmpeg([...RAW_INPUT, "-f", "rawvideo", "-"], {
    stdin: new Uint8Array(320 * 180 * 2).fill(7),
  });
  expect(whole.stdout).toEqual(Buffer.alloc(320 * 180 * 2, 7));
});

test("a source that fails ends the process with its own failure", async () => {
  async function* frames() {
    yield new Uint8Array(320 * 180);
    throw new Failure("wrong-usage", "No more pictures.");
  }
  await expect(
    runFfmpeg([...RAW_INPUT, "-f", "rawvideo", "-"], { stdin: Readable.from(frames()) }),
  ).rejects.toMatchObject({ kind: "wrong-usage", message: "No more pictures." });
});

describe.skipIf(process.platform === "win32")("a stand-in for ffmpeg", async () => {
  const folder = await tempFolder();
  const started = join(folder, "pid");
  await writeFile(
    join(folder, "ffmpeg"),
    `#!/bin/sh
case "$*" in
  *-version*) echo "ffmpeg version 7.1" ;;
  *crash*) kill -SEGV $$ ;;
  *denied*) echo "Error opening output files: Operation not permitted" >&2; exit 255 ;;
  *opening*) echo "[in#0 @ 0x5] Error opening input: Immediate exit requested" >&2 ;;
  *) trap '' TERM INT HUP; echo $$ >"${started}"; while :; do sleep 0.05; done ;;
esac
`,
    { mode: 0o755 },
  );
  const pid = () =>
    vi.waitFor(async () => {
      const text = await readFile(started, "utf8");
      expect(text).toMatch(/^\d+\n$/);
      await rm(started);
      return Number(text);
    }, 10_000);
  const isGone = (pid: number) =>
    vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 5000);
  afterEach(() => vi.unstubAllEnvs());

  test("is named when it crashes, with the signal", async () => {
    vi.stubEnv("FFMPEG_PATH", folder);
    await expect(runFfmpeg(inputArgs("crash.mp4"))).rejects.toMatchObject({
      kind: "damaged",
      message: expect.stringMatching(/^ffmpeg crashed while reading crash.mp4 \(SIGSEGV\)/),
    });
  });

  test("is not taken for interrupted because its error has the same exit code", async () => {
    vi.stubEnv("FFMPEG_PATH", folder);
    await expect(runFfmpeg(inputArgs("denied.mp4"))).rejects.toMatchObject({
      kind: "damaged",
      message: expect.stringContaining("Operation not permitted"),
    });
    expect(await runFfmpeg(inputArgs("denied.mp4"), { anyExit: true })).toMatchObject({
      code: 255,
    });
  });

  test("is interrupted if it says so, although it exits with 0", async () => {
    vi.stubEnv("FFMPEG_PATH", folder);
    for (const anyExit of [true, false])
      await expect(runFfmpeg(inputArgs("opening.mp4"), { anyExit })).rejects.toMatchObject({
        kind: "cancelled",
      });
  });

  test("that ignores SIGTERM is ended by an abort, and by the death of its parent", async () => {
    vi.stubEnv("FFMPEG_PATH", folder);
    const controller = new AbortController();
    const running = runFfmpeg(["wait"], { signal: controller.signal });
    const first = await pid();
    controller.abort();
    await expect(running).rejects.toMatchObject({ kind: "cancelled" });
    await isGone(first);

    // The parent announces the process after it has recorded it.
    const script = `
      const { existsSync } = await import("node:fs");
      const { runFfmpeg } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/media/run-ffmpeg.ts"))});
      process.stdin.once("data", () => process.exit(3));
      runFfmpeg(["wait"]);
      const poll = setInterval(() => {
        if (!existsSync(${JSON.stringify(started)})) return;
        clearInterval(poll);
        console.log("started");
      }, 20);
    `;
    for (const exits of [true, false]) {
      const parent = execa(process.execPath, ["--input-type=module", "-e", script], {
        reject: false,
      });
      await once(parent.stdout, "data");
      const child = await pid();
      if (exits) parent.stdin.write("go");
      else parent.kill("SIGTERM");
      expect(await parent).toMatchObject(exits ? { exitCode: 3 } : { signal: "SIGTERM" });
      await isGone(child);
    }
  });
});

describe.skipIf(process.platform === "win32")("signals of others", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ffmpeg that was ended by %s is no success where any exit code is, and its file not damaged",
    async (signal) => {
      const { folder, pid } = await slowFfmpeg();
      vi.stubEnv("FFMPEG_PATH", folder);
      for (const anyExit of [true, false]) {
        const [begins, begun] = [Promise.withResolvers<void>(), pid()];
        const running = runFfmpeg(ENDLESS, { anyExit, onStdout: () => begins.resolve() });
        await begins.promise;
        process.kill(await begun, signal);
        await expect(running).rejects.toMatchObject({
          kind: "cancelled",
          message: expect.stringMatching(/^ffmpeg was interrupted by a signal while reading /),
        });
      }
    },
  );

  test("a scan that was cut by a signal is not stored", async () => {
    const file = await makeClip(await tempFolder(), "film.mp4", { frames: 150 });
    const store = await openStore(await tempFolder());
    const job = { store, run: "scan" };
    const video = await openVideo(file, job);
    const { folder, pid } = await slowFfmpeg();
    vi.stubEnv("FFMPEG_PATH", folder);
    const cut = scanVideo(video, job);
    const begun = await pid();
    setTimeout(() => process.kill(begun, "SIGTERM"), 1000);
    await expect(cut).rejects.toMatchObject({ kind: "cancelled" });
    vi.unstubAllEnvs();
    expect((await scanVideo(video, job)).count).toBe(150);
    await store.close();
  });

  test("ffmpeg ends when its command is killed", async () => {
    const { folder, pid } = await slowFfmpeg();
    const script = `
      const { runFfmpeg } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/media/run-ffmpeg.ts"))});
      await runFfmpeg(${JSON.stringify(ENDLESS)}, { onStdout: () => {} });
    `;
    const parent = execa(process.execPath, ["--input-type=module", "-e", script], {
      env: { FFMPEG_PATH: folder },
      reject: false,
    });
    const begun = await pid();
    parent.kill("SIGKILL");
    await parent;
    await vi.waitFor(() => expect(() => process.kill(begun, 0)).toThrow(), 5000);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "%s to the group of a command, as of Ctrl-C, does not reach its ffmpeg",
    async (signal) => {
      const source = ["-re", "-f", "lavfi", "-i", "color=s=64x64:r=10:d=1.5"];
      const script = `
        const { runFfmpeg } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/media/run-ffmpeg.ts"))});
        process.on(${JSON.stringify(signal)}, () => console.log("heard"));
        let bytes = 0;
        const onStdout = (chunk) => {
          if (bytes === 0) console.log("begun");
          bytes += chunk.length;
        };
        const args = ${JSON.stringify([...source, "-f", "rawvideo", "-pix_fmt", "gray", "-"])};
        await runFfmpeg(args, { onStdout, anyExit: true });
        console.log(bytes);
      `;
      const parent = execa(process.execPath, ["--input-type=module", "-e", script], {
        detached: true,
      });
      await once(parent.stdout, "data");
      process.kill(-Number(parent.pid), signal);
      expect((await parent).stdout.split("\n")).toEqual(["begun", "heard", String(64 * 64 * 15)]);
    },
  );
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
