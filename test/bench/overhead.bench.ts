import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askInStore } from "../../graphs/ask.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { Call, CallResult, Models } from "../../src/models/chat.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { makeShuffled } from "../support/shuffled.ts";
import { besideRounds } from "./machine.ts";
import { below, type Measured, median, told } from "./measured.ts";

const CLIPS = 5;
const WARM_UP = 20;
const QUESTIONS = 60;
const ROUNDS = 3;

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

/** Milliseconds of a question, with frames and title cards already stored. */
interface OwnTime {
  /** From its beginning to its answer, the median of many. */
  median: number;
  /** CPU time with V8's threads, which compile and collect garbage while the answer is there: the mean. */
  cpu: number;
}

async function ownTime(
  strategy: "direct" | "rrd",
  folder: string,
  again: number,
): Promise<OwnTime> {
  const store = await openStore(join(folder, "store"));
  const video = await openVideo(join(folder, "shuffled.mp4"), { store, run: "bench" });
  const settings = readSettings({ strategy, model: "openai:fake" });
  const prompts = await loadPrompts();
  const times: number[] = [];
  let spent = process.cpuUsage();
  for (let round = 0; round < WARM_UP + QUESTIONS; round++) {
    const question = readQuestion(video.hash, {
      text: `Round ${again}.${round}`,
      goal: "Make tea",
    });
    if (round === WARM_UP) spent = process.cpuUsage();
    const began = performance.now();
    await askInStore({ video, question, settings, prompts, store, createModels: instantModels });
    if (round >= WARM_UP) times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(spent);
  await store.close();
  return { median: median(times), cpu: (user + system) / 1000 / QUESTIONS };
}

/** Three times, medians. Limits are larger on a slower machine. */
export async function bench(): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    await makeShuffled(join(folder, "shuffled.mp4"), CLIPS);
    const direct: OwnTime[] = [];
    const rrd: OwnTime[] = [];
    const { call_ms, slower } = await besideRounds(ROUNDS, async (round) => {
      direct.push(await ownTime("direct", folder, round));
      rrd.push(await ownTime("rrd", folder, round));
    });
    const of = (times: readonly OwnTime[], what: keyof OwnTime) =>
      median(times.map((time) => time[what]));
    return [
      told("CPU time of a plain fetch call", call_ms, "ms"),
      below("own time, direct", of(direct, "median"), "ms", 4 * slower),
      below("own time, rrd, 5 clips", of(rrd, "median"), "ms", 10 * slower),
      told("CPU time with V8's threads, direct", of(direct, "cpu"), "ms"),
      told("CPU time with V8's threads, rrd, 5 clips", of(rrd, "cpu"), "ms"),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
