import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { film, madeOnce } from "./film.ts";
import { watchTree } from "./process-tree.ts";
import { startService } from "./start-service.ts";

const POLL_MS = 500;

/** Most memory in MB of the process tree of `serve` while it answers two first questions on films of 10 minutes at once. */
export async function peakOfService(): Promise<number> {
  const first = await film();
  const second = await madeOnce("cuts-600-copy.mp4", (path) => [
    ...["-i", first, "-c", "copy", "-metadata", "title=copy", path],
  ]);
  const data = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const served = await startService(data);
  const watched = watchTree(served.pid);
  try {
    await Promise.all([first, second].map((path) => answered(served.url, path)));
    return watched.use().peak_mb;
  } finally {
    watched.stop();
    await served.stop();
    await rm(data, { recursive: true, force: true });
  }
}

async function answered(url: string, path: string): Promise<void> {
  const body = await readFile(path);
  const video = await sent(`${url}/api/v1/videos`, {
    body,
    headers: { "X-File-Name": "film.mp4" },
  });
  const asked = await sent(`${url}/api/v1/videos/${video.id}/questions`, {
    body: JSON.stringify({ text: "What is shown?", options: ["a test pattern", "a person"] }),
    headers: { "Content-Type": "application/json" },
  });
  for (;;) {
    const { state } = await json(await fetch(`${url}/api/v1/questions/${asked.id}`));
    if (state === "answered") return;
    if (state !== "running" && state !== "queued") throw new Error(`The question is ${state}.`);
    await pause(POLL_MS);
  }
}

const sent = async (url: string, init: RequestInit) =>
  json(await fetch(url, { method: "POST", ...init }));

async function json(response: Response): Promise<{ id: string; state: string }> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<{ id: string; state: string }>;
}
