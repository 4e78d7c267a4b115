import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { runCli } from "../support/command-line.ts";
import { tempFolder } from "../support/temp.ts";

process.env.OPENAI_API_KEY = "none";

const FRAMES = 10;
const MEGABYTE = 2 ** 20;

/** A video of noise in 4096 x 2304 pixels, whose frames are large however they are encoded. */
async function makeNoise(folder: string): Promise<string> {
  const file = join(folder, "noise.avi");
  const noise = `color=c=gray:s=4096x2304:r=1:d=${FRAMES},noise=alls=50:allf=t`;
  await runFfmpeg(["-f", "lavfi", "-i", noise, "-c:v", "mjpeg", "-q:v", "6", file]);
  return file;
}

/** A model server that reads a few megabytes at a time. */
async function slowServer() {
  let bytes = 0;
  const server = createServer(async (request, response) => {
    let unread = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      unread += chunk.length;
      if (unread < 4 * MEGABYTE) continue;
      unread = 0;
      await sleep(10);
    }
    const message = { role: "assistant", content: "Answer: B" };
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ choices: [{ finish_reason: "stop", message }] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bytes: () => bytes,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The most memory that a question takes, in megabytes, and the answer. */
async function askWith(folder: string, url: string, file: string, frames: number, side: number) {
  let peak_mb = 0;
  const watch = async (pid: number) => {
    for (let status = "VmHWM"; status.includes("VmHWM"); await sleep(20)) {
      status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      peak_mb = Math.max(peak_mb, Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
    }
  };
  let watching: Promise<void> | undefined;
  const { out } = await runCli(
    folder,
    [
      ...["ask", file, "Which?", "--options", "One", "Two", "--json"],
      ...["--strategy", "direct", "--model", "openai:scripted", "--base-url", url],
      ...["--frames", String(frames), "--max-side", String(side), "--quality", "100"],
    ],
    (pid) => {
      watching = watch(pid);
    },
  );
  await watching;
  return { peak_mb, answer: JSON.parse(out).answer };
}

test.skipIf(process.platform !== "linux")(
  "a question with large frames has few of them in memory, while decoding and sending",
  async () => {
    const folder = await tempFolder();
    const file = await makeNoise(folder);
    const server = await slowServer();
    try {
      const small = await askWith(folder, server.url, file, 1, 64);
      expect(server.bytes()).toBeLessThan(MEGABYTE);
      const large = await askWith(folder, server.url, file, FRAMES, 8192);
      expect(large.answer).toMatchObject({ status: "answered", answer: "B" });
      // All frames in base64.
      const sent_mb = server.bytes() / MEGABYTE;
      expect(sent_mb).toBeGreaterThan(90);
      expect(large.peak_mb - small.peak_mb).toBeLessThan(sent_mb);
    } finally {
      server.close();
    }
  },
);
