import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QuestionView, VideoView } from "../../src/app/service/api.ts";
import { startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel } from "../support/shuffled.ts";
import { startService } from "./start-service.ts";

const CLIENTS = 200;
const QUESTIONS = 50;
const VIDEOS = 5;
const CLIPS = 3;
const DELAY_MS = 300;
const READ_EVERY_MS = 20;
const UPLOADS = 1000;
const UPLOAD_BYTES = 5_000_000;

const serve = (data: string, model: string) =>
  startService(
    data,
    [
      ...["--model", "openai:scripted", "--base-url", model, "--max-connections", "64"],
      ...["--frames", "12", "--max-side", "64", "--reasoning", "merge-sort"],
      ...["--open-streams", String(CLIENTS)],
    ],
    "inherit",
  );

async function json<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

function upload(url: string, bytes: Uint8Array): Promise<VideoView> {
  const headers = { "x-file-name": "a.mp4", "content-type": "application/octet-stream" };
  return json(`${url}/api/v1/videos`, {
    method: "POST",
    headers,
    body: bytes as Uint8Array<ArrayBuffer>,
  });
}

function ask(url: string, video: string, goal: string): Promise<QuestionView> {
  return json(`${url}/api/v1/videos/${video}/questions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: "In which order?", goal }),
  });
}

/** The numbers of all events of a stream. */
async function follow(url: string, id: string): Promise<number[]> {
  const response = await fetch(`${url}/api/v1/questions/${id}/events`);
  if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  return [...text.matchAll(/^id: (\d+)$/gm)].map((found) => Number(found[1]));
}

async function resident(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^video_rrd_resident_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
}

/** The same video with another `free` box at its end, which gives it other bytes and the wanted size. */
function padded(video: Uint8Array, number: number): Uint8Array {
  const bytes = Buffer.alloc(UPLOAD_BYTES);
  bytes.set(video);
  bytes.writeUInt32BE(UPLOAD_BYTES - video.length, video.length);
  bytes.write("free", video.length + 4);
  bytes.writeUInt32BE(number, video.length + 8);
  return bytes;
}

/** Videos whose title cards, frames and captions are stored, so that recognition costs nothing. */
async function indexed(url: string, video: Uint8Array): Promise<VideoView[]> {
  const videos: VideoView[] = [];
  for (let i = 0; i < VIDEOS; i++) videos.push(await upload(url, padded(video, i)));
  const asked = await Promise.all(videos.map(({ id }, i) => ask(url, id, `Make it ready ${i}`)));
  await Promise.all(asked.map(({ id }) => follow(url, id)));
  return videos;
}

async function underLoad(url: string, videos: readonly VideoView[]) {
  const times: number[] = [];
  let memory = 0;
  let over = false;
  const asked = await Promise.all(
    Array.from({ length: QUESTIONS }, (_, i) =>
      ask(url, videos[i % VIDEOS]?.id ?? "", `Goal ${i}`),
    ),
  );
  const reading = (async () => {
    for (let i = 0; !over; i++) {
      const { id, video: of } = asked[i % QUESTIONS] as QuestionView;
      const path = [`questions/${id}`, `videos/${of}/questions`, "videos", `videos/${of}`][i % 4];
      const began = performance.now();
      await json(`${url}/api/${path}`);
      times.push(performance.now() - began);
      if (i % 20 === 0) memory = Math.max(memory, await resident(url));
      await new Promise((done) => setTimeout(done, READ_EVERY_MS));
    }
  })();
  const streams = await Promise.all(
    Array.from({ length: CLIENTS }, (_, i) => follow(url, asked[i % QUESTIONS]?.id ?? "")),
  );
  over = true;
  await reading;
  const ended = await Promise.all(
    asked.map(({ id }) => json<QuestionView>(`${url}/api/v1/questions/${id}`)),
  );
  const whole = await Promise.all(asked.map(({ id }) => follow(url, id)));
  const lost = streams.filter(
    (seen, i) => JSON.stringify(seen) !== JSON.stringify(whole[i % QUESTIONS]),
  ).length;
  const gaps = whole.filter((seen) => seen.some((seq, i) => seq !== i + 1) || seen.length < 10);
  const answered = ended.filter(({ state }) => state === "answered").length;
  for (const { id } of videos) await json(`${url}/api/v1/videos/${id}`, { method: "DELETE" });
  const p95 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  return { p95, memory, lost: lost + gaps.length, answered, reads: times.length };
}

async function manyUploads(url: string, data: string, video: Uint8Array): Promise<number> {
  for (let i = 0; i < UPLOADS; i++) {
    const { id } = await upload(url, padded(video, 1000 + i));
    await json(`${url}/api/v1/videos/${id}`, { method: "DELETE" });
  }
  const left = await readdir(data, { recursive: true, withFileTypes: true });
  const own = /^(?:store\.db(?:-wal|-shm)?|lock(?:-journal)?)$/;
  return left.filter((entry) => entry.isFile() && !own.test(entry.name)).length;
}

export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const places = [2, 3, 1].slice(0, CLIPS);
  const model = await startModelServer(
    async (request) => ({
      text: String(await procedureModel(places)(request)),
      delay_ms: DELAY_MS,
    }),
    { keep: "light" },
  );
  const data = join(folder, "data");
  const file = join(folder, "tea.mp4");
  await makeShuffled(file, CLIPS);
  const video = new Uint8Array(await readFile(file));
  let served = await serve(data, model.url);
  try {
    const videos = await indexed(served.url, video);
    await served.stop();
    served = await serve(data, model.url);
    const load = await underLoad(served.url, videos);
    const left = await manyUploads(served.url, data, video);
    const memory = Math.max(load.memory, await resident(served.url));
    const { lost, answered, p95 } = load;
    return [
      {
        name: `questions answered, ${CLIENTS} clients on their events`,
        value: answered,
        unit: "questions",
        bar: `all ${QUESTIONS}`,
        ok: answered === QUESTIONS,
      },
      {
        name: "event streams with a gap, a duplicate or a loss",
        value: lost,
        unit: "streams",
        bar: "none",
        ok: lost === 0,
      },
      {
        name: `p95 of an API read (${load.reads} reads)`,
        value: p95,
        unit: "ms",
        bar: "under 50",
        ok: p95 < 50,
      },
      {
        name: "memory of the service, its videos indexed by an earlier process",
        value: memory,
        unit: "MB",
        bar: "under 500",
        ok: memory < 500,
      },
      {
        name: `files left after deleting ${UPLOADS} uploads of 5 MB`,
        value: left,
        unit: "files",
        bar: "none",
        ok: left === 0,
      },
    ];
  } finally {
    await served.stop();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}
