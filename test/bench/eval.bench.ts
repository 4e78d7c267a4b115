import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunSample } from "../../src/core/run-results.ts";
import { makeData, startSlowModel, VIDEOS, worker } from "./eval-data.ts";
import { besideRounds } from "./machine.ts";
import { below, median, told } from "./measured.ts";

const QUESTIONS = 1000;
const LONG_RUN = 10_000;
const CONNECTIONS = 64;
const CALL_S = 2;
const ROUNDS = 5;
/** 200 ms on the machine for which limits in seconds were chosen are about 1.6; the rest is for noise. */
const OPEN_TO_PARSE = 1.8;

/**
 * A benchmark of 1,000 choice questions with 8 frames of 512 px each, already stored, with a server that takes 2 s per
 * call, compared with the same calls without a framework; the same from the memo; and the time to open a run of 10,000
 * results for resuming, compared with parsing the JSON of its files.
 */
export async function bench() {
  const root = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const server = await startSlowModel(CALL_S);
  const { url } = server;
  try {
    const data = join(root, "data");
    await makeData(data, QUESTIONS);
    const settings = (more: object) => ({
      benchmark: "mmr-v",
      data,
      strategy: "direct",
      model: "openai:slow",
      recognition: { frames: 8, max_side: 512 },
      runtime: { base_url: url, data: join(root, "store"), max_connections: CONNECTIONS },
      ...more,
    });
    const firstOf = Array.from({ length: VIDEOS }, (_, v) => v * (QUESTIONS / VIDEOS) + 1);
    for (const from of firstOf)
      await worker("run", settings({ limit: `${from}-${from}` }), join(root, `warm-${from}`));

    const pictures = String(await meanCharacters(join(root, "store", "blobs")));
    let fresh_s = 0;
    let called_s = 0;
    let peak_mb = 0;
    const { slower } = await besideRounds(1, async () => {
      const fresh = await worker("run", settings({ sample_shuffle: 1 }), join(root, "fresh"));
      ({ seconds: fresh_s, peak_mb } = fresh);
      called_s = (await worker("fetch", url, String(QUESTIONS), pictures)).seconds;
    });
    const again = await worker("run", settings({ sample_shuffle: 1 }), join(root, "again"));
    const { opened_s, parsed_s } = await openLong(root, join(root, "again"));
    const memoRate = QUESTIONS / again.seconds;
    return [
      // A tenth of the time may be lost between calls, and more on a slower machine.
      below(
        "time of questions / time of the same calls of 2 s",
        fresh_s / called_s,
        "",
        1 + slower / 9,
      ),
      {
        name: "questions from the memo",
        value: memoRate,
        unit: "/s",
        bar: ">= 150",
        ok: memoRate >= 150,
      },
      below("peak memory of that run", peak_mb, "MB", 600),
      below(
        "opening a run of 10,000 results / parsing the JSON of its files",
        opened_s / parsed_s,
        "",
        OPEN_TO_PARSE,
      ),
      told("opening a run of 10,000 results", opened_s * 1000, "ms"),
    ];
  } finally {
    server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** The mean length of the stored pictures as Base64, a multiple of 4. */
async function meanCharacters(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return 4 * Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / files.length / 3);
}

/** The results of a real run, copied ten times under the ids of 10,000 questions. */
async function openLong(
  root: string,
  short: string,
): Promise<{ opened_s: number; parsed_s: number }> {
  const data = join(root, "long-data");
  await makeData(data, LONG_RUN);
  const folder = join(root, "long");
  const { mmrV } = await import("../../evals/benchmarks/mmr-v/benchmark.ts");
  const { SUMMARY_MEMBERS } = await import("../../evals/run/line-summary.ts");
  const { writeQuestions } = await import("../../evals/run/stored-samples.ts");
  const { openRunLog } = await import("../../src/storage/run-log.ts");
  const loaded = await mmrV.load(data);
  await mkdir(folder);
  await writeQuestions(folder, loaded.samples);
  const header = JSON.parse(await readFile(join(short, "header.json"), "utf8"));
  header.data = { ...header.data, path: undefined, folder: data, hash: loaded.hash };
  await writeFile(join(folder, "header.json"), JSON.stringify(header));
  const { samples: results } = await openRunLog(short).read();
  const log = openRunLog(folder);
  for (const [index, { id }] of loaded.samples.entries()) {
    const result = results[index % results.length] as RunSample;
    await log.append({ ...result, sample: id }, SUMMARY_MEMBERS);
  }
  const files = [join(data, "MMR-V.json"), join(folder, "samples.jsonl")];
  const opened: number[] = [];
  const parsed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    opened.push((await worker("open", folder)).seconds);
    parsed.push((await worker("parse", ...files)).seconds);
  }
  return { opened_s: median(opened), parsed_s: median(parsed) };
}
