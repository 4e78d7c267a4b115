import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../src/storage/open.ts";
import { openRunLog } from "../../src/storage/run-log.ts";

const HITS = 5_000;
const SAMPLES = 10_000;
/** Typical size of a sample's answer, evidence ids, frame times and usage. */
const SAMPLE_BYTES = 3_000;

/** Time per step of a question that the memo answers, and the time before `--resume` starts its first sample. */
export async function bench(): Promise<
  { name: string; value: number; unit: string; bar: string; ok: boolean }[]
> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const text = "x".repeat(SAMPLE_BYTES);
  try {
    const store = await openStore(join(folder, "store"));
    const step = { key: "k", tags: ["t"], run: "r" };
    await store.memo.once(step, async () => ({ text }));
    const began = performance.now();
    for (let i = 0; i < HITS; i++) await store.memo.once(step, async () => ({ text: "" }));
    const hit = (performance.now() - began) / HITS;
    await store.close();

    const run = join(folder, "run");
    const log = openRunLog(run);
    for (let i = 0; i < SAMPLES; i++) await log.append({ sample: `s${i}`, epoch: 1, text });
    const opened = performance.now();
    await openRunLog(run).read();
    const read = performance.now() - opened;

    return [
      { name: "reading a stored step", value: hit, unit: "ms", bar: "< 0.2", ok: hit < 0.2 },
      {
        name: `opening a run of ${SAMPLES} samples`,
        value: read,
        unit: "ms",
        bar: "< 300",
        ok: read < 300,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
