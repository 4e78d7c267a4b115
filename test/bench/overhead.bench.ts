import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askInStore, readQuestion } from "../../graphs/ask.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { Call, CallResult, Models } from "../../src/models/chat.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { makeShuffled } from "../support/shuffled.ts";

const CLIPS = 5;
const WARM_UP = 20;
const ROUNDS = 60;

/** A scripted model in this process that replies immediately, so that only our own time is left. */
function instantModels(): Models {
  const usage = { calls: 1, frames: 0, input: 0, output: 0, cost: 0, paid: 0 };
  return {
    foresee: async () => ({ calls: 1, frames: 0, tokens: 0, cost: 0 }),
    nameOf: () => "fake:instant",
    call: async (call: Call): Promise<CallResult> => {
      const text =
        call.stage === "caption" ? `Step ${call.label}.` : "Correct order: 1, 2, 3, 4, 5";
      const reply = {
        text,
        finish: "stop",
        toolCalls: [],
        tokens: { input: 0, output: 0 },
      } as const;
      return { status: "replied", reply: { ...reply, toolCalls: [] }, usage, cached: false };
    },
  };
}

/** Own CPU milliseconds per question, with frames and title cards already stored: the mean of many. */
async function ownTime(strategy: "direct" | "rrd", folder: string): Promise<number> {
  const store = await openStore(join(folder, "store"));
  const video = await openVideo(join(folder, "shuffled.mp4"), { store, run: "bench" });
  const settings = readSettings({ strategy, model: "openai:fake" });
  const prompts = await loadPrompts();
  let spent = process.cpuUsage();
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const question = readQuestion(video.hash, { text: `Round ${round}`, goal: "Make tea" });
    if (round === WARM_UP) spent = process.cpuUsage();
    await askInStore({ video, question, settings, prompts, store, createModels: instantModels });
  }
  const { user, system } = process.cpuUsage(spent);
  await store.close();
  return (user + system) / 1000 / ROUNDS;
}

export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    await makeShuffled(join(folder, "shuffled.mp4"), CLIPS);
    const direct = await ownTime("direct", folder);
    const rrd = await ownTime("rrd", folder);
    return [
      {
        name: "own CPU time, direct",
        value: direct,
        unit: "ms",
        bar: "at most 4",
        ok: direct <= 4,
      },
      {
        name: "own CPU time, rrd, 5 clips",
        value: rrd,
        unit: "ms",
        bar: "at most 10",
        ok: rrd <= 10,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
