import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunSample } from "../../src/core/run-results.ts";
import { makeData, startSlowModel, VIDEOS, worker } from "./eval-data.ts";

const QUESTIONS = 1000;
const LONG_RUN = 10_000;
const CONNECTIONS = 64;
const CALL_S = 2;

/**
 * A benchmark of 1,000 choice questions with 8 frames of 512 px each, already stored, with a server that takes 2 s per
 * call; the same from the memo; and the time to open a run of 10,000 results for resuming.
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

    const fresh = await worker("run", settings({ sample_shuffle: 1 }), join(root, "fresh"));
    const again = await worker("run", settings({ sample_shuffle: 1 }), join(root, "again"));
    const opened = await openLong(root, join(root, "again"));
    const ideal = CONNECTIONS / CALL_S;
    const rate = QUESTIONS / fresh.seconds;
    const memoRate = QUESTIONS / again.seconds;
    return [
      {
        name: "questions with 64 calls of 2 s in flight",
        value: rate,
        unit: "/s",
        bar: `>= ${0.9 * ideal}`,
        ok: rate >= 0.9 * ideal,
      },
      {
        name: "questions from the memo",
        value: memoRate,
        unit: "/s",
        bar: ">= 150",
        ok: memoRate >= 150,
      },
      {
        name: "peak memory of that run",
        value: fresh.peak_mb,
        unit: "MB",
        bar: "< 600",
        ok: fresh.peak_mb < 600,
      },
      {
        name: "opening a run of 10,000 results",
        value: opened * 1000,
        unit: "ms",
        bar: "< 200",
        ok: opened < 0.2,
      },
    ];
  } finally {
    server.stop();
    await rm(root, { recursive: true, force: true });
  }
}

/** The results of a real run, copied ten times under the ids of 10,000 questions. */
async function openLong(root: string, short: string): Promise<number> {
  const data = join(root, "long-data");
  await makeData(data, LONG_RUN);
  const folder = join(root, "long");
  const { mmrV } = await import("../../evals/benchmarks/mmr-v/benchmark.ts");
  const { SUMMARY_MEMBERS, writeQuestions } = await import("../../evals/run/run-folder.ts");
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
  const times = [];
  for (let round = 0; round < 3; round++) times.push((await worker("open", folder)).seconds);
  return times.sort((a, b) => a - b)[1] as number;
}
