import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "../../graphs/ask.ts";
import { inputArgs, runFfmpeg } from "../../src/media/run-ffmpeg.ts";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { startSlowModel } from "./eval-data.ts";
import { film } from "./film.ts";
import { below, cpuOf, type Measured, median, timed } from "./measured.ts";

const ROUNDS = 3;
const REPLY_S = 0.3;
/** Calls in a row: descriptions of the parts, then the answer. */
const IN_A_ROW = 2;

/**
 * The first answer of `rrd` about ten minutes of 360p with an empty store and a model that takes 300 ms a call, next to
 * one decode of the film with the calls. The median of three.
 */
export async function bench(): Promise<Measured[]> {
  const path = await film();
  const server = await startSlowModel(REPLY_S);
  const settings = {
    strategy: "rrd",
    model: "openai:slow",
    runtime: { base_url: server.url },
  };
  const question = { text: "What is seen first?", options: ["A pattern", "A person"] };
  const times: number[] = [];
  const elapsed: number[] = [];
  const busy: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      let decoding_s = 0;
      const decodingCpu = await cpuOf(async () => {
        decoding_s = await timed(() =>
          runFfmpeg([...inputArgs(path), "-map", "0:v:0", "-f", "null", "-"]),
        );
      });
      const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
      const store = await openStore(folder);
      let answering_s = 0;
      const cpu = await cpuOf(async () => {
        answering_s = await timed(() => ask(path, question, { settings, store }));
      });
      closeOcr();
      await store.close();
      await rm(folder, { recursive: true, force: true });
      elapsed.push(answering_s);
      times.push(answering_s / (decoding_s + IN_A_ROW * REPLY_S));
      busy.push(cpu / decodingCpu);
    }
    return [
      below("first answer of rrd / one decode and two calls", median(times), "times", 8),
      below("CPU of the first answer / CPU of one decode", median(busy), "times", 8),
      { ...below("first answer of rrd", median(elapsed), "s", Infinity), bar: "none" },
    ];
  } finally {
    server.stop();
  }
}
