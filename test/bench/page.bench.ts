import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newQuestionRecord, toQuestionRow } from "../../src/app/service/question-record.ts";
import { seeded } from "../../src/core/random.ts";
import { openStore } from "../../src/storage/open.ts";
import { uploadPath } from "../../src/storage/paths.ts";
import { chromiumPath, openBrowser } from "../support/browser.ts";
import { makeClip } from "../support/clips.ts";
import { below, type Measured, timed } from "./measured.ts";
import { startService } from "./start-service.ts";

const VIDEOS = 5000;
const QUESTIONS_PER_VIDEO = 10;
const TEXTS = 20;
const LOADS = 7;
const WORDS = "alpha bridge canal dune engine forest glass harbour island jungle"
  .split(" ")
  .flatMap((word) => Array.from({ length: 20 }, (_, number) => `${word}${number}`));

/** The page and the API of a service with 5,000 videos and 50,000 questions: first and later lists, searches, cold loads. */
export async function bench(): Promise<Measured[]> {
  const data = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    await seed(data);
    const { url, stop } = await startService(data);
    try {
      const load = `load of the machine ${loadavg()[0]?.toFixed(1)}`;
      const get = (path: string) => async () => (await fetch(`${url}/api/v1${path}`)).text();
      const first = 1000 * (await timed(get("/videos")));
      const about = 1000 * (await timed(get("/service")));
      const later = await percentile(get("/videos?limit=50"), 40, 0.95);
      const questions = await percentile(get("/questions"), 40, 0.95);
      const words = seeded("page bench");
      const search = await percentile(
        () => get(`/search?q=${WORDS[Math.floor(words() * WORDS.length)]}`)(),
        100,
        0.95,
      );
      return [
        below(`first list of videos after the start (${load})`, first, "ms", 300),
        below("first answer about the service after it", about, "ms", 300),
        below("95th percentile of later lists of videos", later, "ms", 300),
        below("95th percentile of lists of questions", questions, "ms", 300),
        below("95th percentile of searches", search, "ms", 200),
        ...(await coldPages(url)),
      ];
    } finally {
      await stop();
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Opens the page in new windows without a cache, and measures until the list of videos is drawn. */
async function coldPages(url: string): Promise<Measured[]> {
  if (chromiumPath === null) return [];
  const browser = await openBrowser();
  const times: number[] = [];
  let requests = 0;
  try {
    for (let load = 0; load < LOADS; load++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      await page.addInitScript(`new MutationObserver((_all, observer) => {
        if (document.querySelector(".video") === null) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => { window.shown = performance.now(); }));
      }).observe(document, { childList: true, subtree: true })`);
      await page.goto(url, { waitUntil: "commit" });
      await page.locator(".video").first().waitFor();
      while (!(await page.evaluate("window.shown !== undefined"))) await page.waitForTimeout(20);
      times.push(Number(await page.evaluate("window.shown")));
      requests = Number(await page.evaluate("performance.getEntriesByType('resource').length"));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  const sorted = times.toSorted((a, b) => a - b);
  const [middle = 0, slowest = 0] = [sorted[Math.floor(LOADS / 2)], sorted.at(-1)];
  const name = `cold page until the list is drawn, ${requests} requests, load ${loadavg()[0]?.toFixed(1)}`;
  return [
    below(`median of ${LOADS}: ${name}`, middle, "ms", 1000),
    below("slowest of them", slowest, "ms", 2000),
  ];
}

async function percentile(work: () => Promise<unknown>, times: number, part: number) {
  const all: number[] = [];
  for (let turn = 0; turn < times; turn++) all.push(1000 * (await timed(work)));
  return all.sort((a, b) => a - b)[Math.floor(times * part)] ?? 0;
}

async function seed(data: string): Promise<void> {
  const random = seeded("library");
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? "";
  const store = await openStore(data);
  // One transaction would hold a lock against the writes of the store itself.
  const fast = new DatabaseSync(join(data, "store.db"));
  fast.exec("PRAGMA synchronous = OFF");
  fast.close();
  const clip = await readFile(await makeClip(data, "clip.mp4", { frames: 50 }));
  const clipHash = createHash("sha256").update(clip).digest("hex");
  for (let number = 0; number < VIDEOS; number++) {
    // Those of the first page have a real file, so that their pictures are made once.
    const isReal = number >= VIDEOS - 50;
    const id = `video-${String(number).padStart(12, "0")}`;
    const hash = isReal ? clipHash : number.toString(16).padStart(64, "0");
    const video = { hash, duration_s: 2, container: "mp4", width: 640, height: 360 };
    const name = `${word()} ${word()} ${number}.mp4`;
    await store.service.putUpload({ id, owner: "", name, size: 1, created_at: number, video });
    const path = uploadPath(data, id);
    await mkdir(resolve(path, ".."), { recursive: true });
    await writeFile(path, isReal ? clip : "");
    for (let question = 0; question < QUESTIONS_PER_VIDEO; question++) {
      const text = `Which ${word()} is shown before the ${word()}?`;
      const asked = { id: "q", video: hash, text, task: "open" } as const;
      const record = newQuestionRecord({ asked, strategy: "x", model: null, given: {} });
      await store.service.putQuestion(
        toQuestionRow({
          id: `question-${number}-${String(question).padStart(10, "0")}`,
          ...{ upload: id, owner: "", created_at: number + question / 100 },
          record: { ...record, state: "cancelled", ended_at: number },
        }),
      );
    }
    const texts = Array.from({ length: TEXTS }, (_, index) => ({
      ...{ kind: "subtitle" as const, start_s: index * 4, end_s: index * 4 + 4, evidence: null },
      text: Array.from({ length: 10 }, word).join(" "),
    }));
    for (const stale of await store.library.stale("newest", 1))
      await store.library.put(stale, texts);
  }
  await store.close();
}
