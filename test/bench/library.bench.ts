import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LibraryText } from "../../src/core/library/library-index.ts";
import { searchLibrary } from "../../src/core/library/search-library.ts";
import { seeded } from "../../src/core/random.ts";
import { openStore } from "../../src/storage/open.ts";

const VIDEOS = 5000;
const TEXTS = 150;
const KEYS = 5;
const QUERIES = 300;
const KINDS = ["subtitle", "subtitle", "subtitle", "text", "caption"] as const;

/** Searches 5,000 videos with 150 texts each, of five keys, for one to four words, phrases and beginnings of words. */
export async function bench(): Promise<
  { name: string; value: number; unit: string; bar: string; ok: boolean }[]
> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const store = await openStore(folder);
  try {
    const random = seeded("library bench");
    const words = (count: number) => Array.from({ length: count }, () => someWord(random));
    const texts: string[][] = [];
    const started = performance.now();
    for (let number = 0; number < VIDEOS; number++) {
      await addVideo(number, words);
      if (number % 10 === 0) texts.push(words(12));
    }
    const built = performance.now() - started;
    const times: number[] = [];
    let found = 0;
    for (let query = 0; query < QUERIES; query++) {
      const asked = queryOf(query, words(4), texts[query] ?? []);
      const owner = query % 2 === 0 ? "key 0" : undefined;
      const began = performance.now();
      const { hits } = await searchLibrary(store.library, asked, { owner, limit: 50, after: null });
      times.push(performance.now() - began);
      found += hits.length;
    }
    times.sort((a, b) => a - b);
    const slow = times[Math.floor(QUERIES * 0.95)] ?? 0;
    const name = `${QUERIES} searches in ${VIDEOS * TEXTS} texts of ${VIDEOS} videos (${found} results)`;
    const pauses = monitorEventLoopDelay({ resolution: 1 });
    pauses.enable();
    await store.service.dropUpload("video 77");
    for (const stale of await store.library.stale("newest", 1)) await store.library.put(stale, []);
    const pause = pauses.max / 1e6;
    return [
      { name: `95th percentile of ${name}`, value: slow, unit: "ms", bar: "< 200", ok: slow < 200 },
      {
        name: "slowest of them",
        value: times.at(-1) ?? 0,
        unit: "ms",
        bar: "< 1000",
        ok: (times.at(-1) ?? 0) < 1000,
      },
      {
        name: "time to index a video",
        value: built / VIDEOS,
        unit: "ms",
        bar: "< 50",
        ok: built / VIDEOS < 50,
      },
      {
        name: "longest pause of the process while a video is removed",
        value: pause,
        unit: "ms",
        bar: "< 500",
        ok: pause < 500,
      },
    ];
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }

  async function addVideo(number: number, words: (count: number) => string[]): Promise<void> {
    const id = `video ${number}`;
    const hash = number.toString(16).padStart(64, "0");
    await store.service.putUpload({
      ...{ id, owner: `key ${number % KEYS}`, name: `${words(3).join(" ")}.mp4`, size: 1 },
      created_at: number,
      video: { hash, duration_s: 600, container: "mp4", width: 640, height: 360 },
    });
    const items = Array.from({ length: TEXTS }, (_, index): LibraryText => {
      const kind = KINDS[index % KINDS.length] ?? "subtitle";
      const text = words(kind === "subtitle" ? 10 : 30).join(" ");
      return { kind, start_s: index * 4, end_s: index * 4 + 4, text, evidence: null };
    });
    for (const stale of await store.library.stale("newest", 1))
      await store.library.put(stale, items);
  }
}

/** One word, several words, a phrase, or words of which the last is cut off. */
function queryOf(number: number, words: readonly string[], text: readonly string[]): string {
  const [one = "", two = "", three = ""] = words;
  switch (number % 5) {
    case 0:
      return one;
    case 1:
      return `${one} ${two}`;
    case 2:
      return `"${text.slice(0, 2).join(" ")}"`;
    case 3:
      return `${one} ${two} ${three.slice(0, 3)}`;
    default:
      return one.slice(0, 2);
  }
}

/** Words with Zipf's distribution: the n-th of twenty thousand is about 1/n as frequent as the first. */
function someWord(random: () => number): string {
  const letters = "etaoinshrdlu";
  let word = "";
  for (let rest = Math.floor(20_000 ** random()) + 11; rest > 0; rest = Math.floor(rest / 12))
    word += letters[rest % 12];
  return word;
}
