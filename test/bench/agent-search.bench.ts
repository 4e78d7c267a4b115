import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askInStore } from "../../graphs/ask.ts";
import { readQuestion } from "../../graphs/read-question.ts";
import { loadPrompts } from "../../prompts/load-prompts.ts";
import { readSettings } from "../../src/core/settings.ts";
import type { Call, CallResult, Models, ToolCall } from "../../src/models/chat.ts";
import { openStore } from "../../src/storage/open.ts";
import { openVideo } from "../../tools/video/video.ts";
import { composeFilm } from "../support/agent-film.ts";

const WARM_UP = 5;
const ROUNDS = 30;
/** Three turns and the check of the answer. */
const CALLS = 4;
/** CPU time, which a busy machine does not change. */
const BAR_MS = 150;

/** A scripted model in this process that replies immediately: views frames, zooms, answers. Only our own time is left. */
function instantModels(): Models {
  const usage = { calls: 1, frames: 0, input: 0, output: 0, cost: 0, paid: 0 };
  return {
    foresee: async () => ({ calls: 1, frames: 0, tokens: 0, cost: 0 }),
    nameOf: () => "fake:instant",
    call: async ({ request }: Call): Promise<CallResult> => {
      const turn = request.messages.filter((message) => message.role === "assistant").length;
      const toolCalls = request.tools === undefined ? [] : [nextCall(turn)];
      const finish = toolCalls.length > 0 ? "tool-calls" : "stop";
      const reply = { text: "Verdict: supported", finish, toolCalls } as const;
      return {
        status: "replied",
        reply: { ...reply, toolCalls, tokens: { input: 0, output: 0 } },
        usage,
        cached: false,
      };
    },
  };
}

function nextCall(turn: number): ToolCall {
  const id = `call_${turn}`;
  if (turn === 0) return { id, name: "view_frames", arguments: { from_s: 11, to_s: 15, count: 4 } };
  const box = { x: 0.2, y: 0.2, width: 0.5, height: 0.5 };
  if (turn === 1) return { id, name: "zoom", arguments: { at_s: 13, box } };
  return { id, name: "answer", arguments: { answer: "B", evidence: ["E2"], confidence: 0.9 } };
}

/** Time that a search adds to its model's time, with its frames already stored. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  try {
    const store = await openStore(join(folder, "store"));
    const video = await openVideo(await composeFilm(folder), { store, run: "bench" });
    const settings = readSettings({
      strategy: "agent",
      model: "openai:fake",
      search: { recall: false },
    });
    const prompts = await loadPrompts();
    const times: number[] = [];
    const busy: number[] = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const asked = { text: `Which colour is seen, round ${round}?`, options: ["Red", "Green"] };
      const question = readQuestion(video.hash, asked);
      const began = performance.now();
      const before = process.cpuUsage();
      const { answer } = await askInStore({
        ...{ video, question, settings, prompts, store },
        createModels: instantModels,
      });
      const { user, system } = process.cpuUsage(before);
      if (round >= WARM_UP) {
        times.push(performance.now() - began);
        busy.push((user + system) / 1000);
      }
      if (answer.answer !== "B") throw new Error(`answered ${String(answer.answer)}`);
    }
    await store.close();
    const own = middle(busy);
    const name = `a search of ${CALLS} calls and 29 frames, none of the model's time`;
    return [
      {
        name: `${name}: CPU`,
        value: own,
        unit: "ms",
        bar: `under ${BAR_MS}`,
        ok: own < BAR_MS,
      },
      { name: `${name}: elapsed`, value: middle(times), unit: "ms", bar: "none", ok: true },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
