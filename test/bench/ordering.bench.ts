import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askInStore } from "../../graphs/ask.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import { readSettings } from "../../src/core/settings.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel, stepOf } from "../support/shuffled.ts";

const PLACES = [3, 1, 5, 2, 4, 7, 6];
const CALL_MS = 300;
/** The first round also opens 42 connections. */
const ROUNDS = 5;

/** Seconds of the ordering stage of a tournament over 7 clips with calls of 300 ms: the median of several rounds. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const good = procedureModel(PLACES);
  const server = await startModelServer(async (request) =>
    stepOf(request) === "compare"
      ? { text: String(await good(request)), delay_ms: CALL_MS }
      : good(request),
  );
  const store = await openStore(join(folder, "store"));
  try {
    const { file } = await makeShuffled(join(folder, "shuffled.mp4"), PLACES.length);
    const parts = {
      video: await openVideo(file, { store, run: "bench" }),
      prompts: await loadPrompts(),
      store,
      settings: readSettings({
        strategy: "rrd",
        model: "openai:scripted",
        recognition: { mode: "all-at-once", max_side: 64 },
        reasoning: { method: "tournament" },
        runtime: { base_url: server.url, max_connections: 48 },
      }),
    };
    const question = readQuestion(parts.video.hash, { text: "Which order?", goal: "Lemonade" });
    const times: number[] = [];
    for (let epoch = 0; epoch < ROUNDS; epoch++) {
      const { events } = await askInStore({ ...parts, question, epoch });
      for (const event of events)
        if (event.type === "stage" && event.state === "end" && event.stage === "order")
          times.push(event.seconds ?? Number.NaN);
    }
    const seconds = times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
    const most = server.maxInFlight();
    return [
      {
        name: "tournament over 7 clips, 42 calls of 0.3 s, --max-connections 48",
        value: seconds,
        unit: "s",
        bar: "under 0.6",
        ok: seconds < 0.6,
      },
      { name: "calls in flight at once", value: most, unit: "", bar: "42", ok: most === 42 },
    ];
  } finally {
    await server.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}
