import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeData, startSlowModel, worker } from "./eval-data.ts";
import { below, type Measured } from "./measured.ts";

const QUESTIONS = 1000;
const CONNECTIONS = 64;
const REPLY_S = 0.2;

/**
 * 1,000 questions without pictures, 200 ms a call, 64 calls in flight; the same from the memo. Compared with the time
 * that the calls take, and with the CPU time of plain `fetch` calls.
 */
export async function bench(): Promise<Measured[]> {
  const root = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const server = await startSlowModel(REPLY_S);
  try {
    const data = join(root, "data");
    await makeData(data, QUESTIONS);
    const settings = {
      benchmark: "mmr-v",
      data,
      strategy: "blind",
      model: "openai:slow",
      runtime: { base_url: server.url, data: join(root, "store"), max_connections: CONNECTIONS },
    };
    const plain = await worker("fetch", server.url, String(QUESTIONS));
    const fresh = await worker("run", settings, join(root, "fresh"));
    const again = await worker("run", settings, join(root, "again"));
    const ideal = (QUESTIONS / CONNECTIONS) * REPLY_S;
    const perQuestion = (fresh.cpu_s * 1000) / QUESTIONS;
    return [
      below("process time / time of its calls", fresh.alive_s / ideal, "", 1.5),
      below("CPU time / CPU time of plain fetch calls", fresh.cpu_s / plain.cpu_s, "", 4),
      below("CPU time of a question, the start included", perQuestion, "ms", 4),
      below("process time from the memo", again.alive_s, "s", 2.5),
      below("peak memory", fresh.peak_mb, "MB", 250),
    ];
  } finally {
    server.stop();
    await rm(root, { recursive: true, force: true });
  }
}
