import fc from "fast-check";
import { expect, test } from "vitest";
import { createContext } from "../../../graphs/create-context.ts";
import { rank } from "../../../graphs/stages/rank.ts";
import type { State } from "../../../graphs/state.ts";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import { Failure } from "../../../src/core/errors.ts";
import { makeEvidence } from "../../../src/core/evidence.ts";
import { createLedger } from "../../../src/core/ledger.ts";
import { readSettings } from "../../../src/core/settings.ts";
import { NO_USAGE, type Question } from "../../../src/core/shapes.ts";
import type { CallResult } from "../../../src/models/chat.ts";
import { description } from "../../support/shuffled.ts";

const VIDEO = "a".repeat(64);
const prompts = await loadPrompts();

/** Orders by a fake model in this process, whose reply to a pair of places is `say`. */
async function orderBy(
  places: number[],
  say: (a: number, b: number, draw: number) => string,
  method: "merge-sort" | "tournament" = "merge-sort",
) {
  const settings = readSettings({ strategy: "rrd", reasoning: { method } });
  const notes: string[] = [];
  const asked: [number, number][] = [];
  const question: Question = { id: "q", video: VIDEO, text: "", task: "order", goal: "Make tea" };
  const context = createContext({
    settings,
    question,
    prompts,
    ledger: createLedger(settings.budget),
    run: "test",
    epoch: 0,
    emit: (_stage, body) => {
      if (body.type === "note") notes.push(body.text);
    },
    // Reasoning on text reads neither of them.
    store: {} as never,
    video: { hash: VIDEO } as never,
    createModels: () => ({
      foresee: async () => ({ calls: 1, frames: 0, tokens: 0, cost: 0 }),
      nameOf: () => "fake:oracle",
      call: async ({ request, draw = 0 }): Promise<CallResult> => {
        const words = JSON.stringify(request.messages);
        const [a = 0, b = 0] = [...words.matchAll(/stage (\d+)/g)].map((match) => Number(match[1]));
        if (draw === 0) asked.push([a, b]);
        const tokens = { input: 0, output: 0 };
        const reply = { text: say(a, b, draw), finish: "stop" as const, toolCalls: [], tokens };
        return { status: "replied", reply, usage: NO_USAGE, cached: false };
      },
    }),
  });
  const segments = places.map((_, index) => ({
    number: index + 1,
    kind: "clip" as const,
    start_s: index,
    end_s: index + 1,
  }));
  const evidence = segments.map(({ number, start_s, end_s }) =>
    makeEvidence({
      video: VIDEO,
      kind: "caption",
      start_s,
      end_s,
      text: description(places[number - 1] ?? 0),
      clip: number,
      by: { who: "model", name: "fake" },
      confidence: null,
      from: [],
    }),
  );
  const update = await rank({ question, segments, evidence } as unknown as State, context);
  const order = update.outcome?.answer as number[];
  return { update, asked, notes, order, byPlace: order.map((clip) => places[clip - 1]) };
}

const shuffled = fc.integer({ min: 3, max: 7 }).chain((n) =>
  fc.shuffledSubarray(
    Array.from({ length: n }, (_, i) => i + 1),
    { minLength: n },
  ),
);

test("an oracle's order is found in at most n log n comparisons, no pair twice", async () => {
  await fc.assert(
    fc.asyncProperty(shuffled, async (places) => {
      const { byPlace, asked, update } = await orderBy(places, (a, b) => (a < b ? "A" : "B"));
      expect(byPlace).toEqual([...places].sort((a, b) => a - b));
      expect(asked.length).toBeLessThanOrEqual(places.length * Math.ceil(Math.log2(places.length)));
      expect(new Set(asked.map((pair) => [...pair].sort().join())).size).toBe(asked.length);
      expect(update.outcome?.status).toBe("answered");
    }),
  );
});

test("a model that always answers A, or gives no usable reply, leaves the clips in their order", async () => {
  for (const places of [
    [2, 1, 3],
    [4, 2, 5, 1, 3],
  ]) {
    const clips = places.map((_, index) => index + 1);
    expect((await orderBy(places, () => "A")).order).toEqual(clips);
    const { order, update } = await orderBy(places, () => "Both?");
    expect(order).toEqual(clips);
    expect(update.outcome?.status).toBe("unparsed");
  }
});

test("with any replies every clip is in the order once, and each comparison is asked at most twice", async () => {
  const reply = fc.constantFrom("A", "B", "neither", "", "**A**");
  await fc.assert(
    fc.asyncProperty(
      shuffled,
      fc.array(reply, { minLength: 60, maxLength: 60 }),
      async (places, replies) => {
        let calls = 0;
        const { order, update } = await orderBy(places, () => replies[calls++ % 60] ?? "A");
        expect([...order].sort()).toEqual(places.map((_, index) => index + 1));
        const { comparisons, asked_again } = update.diagnostics as Record<string, number>;
        expect(calls).toBe((comparisons ?? 0) + (asked_again ?? 0));
      },
    ),
  );
});

test("the second draw decides if the first is neither A nor B", async () => {
  const { byPlace, update } = await orderBy([3, 1, 2], (a, b, draw) =>
    draw === 0 ? "I am not sure." : a < b ? "A" : "B",
  );
  expect(byPlace).toEqual([1, 2, 3]);
  expect(update.diagnostics).toMatchObject({ comparisons: 3, asked_again: 3, invalid: 0 });
});

test("after a failed comparison the other half makes no further call", async () => {
  let calls = 0;
  const failing = orderBy([5, 6, 7, 8, 1, 2, 3, 4], () => {
    calls += 1;
    if (calls === 3) throw new Failure("model-rejected", "No.");
    return "B";
  });
  await expect(failing).rejects.toMatchObject({ kind: "model-rejected" });
  const before = calls;
  await new Promise((done) => setTimeout(done, 20));
  expect(calls).toBe(before);
  expect(calls).toBeLessThanOrEqual(4);
});

test("a tournament over more than seven clips reports its bound in advance and stays within it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 8, max: 20 }).chain((n) =>
        fc.shuffledSubarray(
          Array.from({ length: n }, (_, i) => i + 1),
          { minLength: n },
        ),
      ),
      async (places) => {
        const say = (a: number, b: number) => (a < b ? "A" : "B");
        const { byPlace, asked, notes } = await orderBy(places, say, "tournament");
        expect(byPlace).toEqual([...places].sort((a, b) => a - b));
        const [, most] = /at most (\d+) calls/.exec(notes[0] ?? "") ?? [];
        expect(asked.length).toBeLessThanOrEqual(Number(most));
        expect(Number(most)).toBeLessThan(places.length * (places.length - 1));
        expect(notes[0]).toContain("above 7 clips");
      },
    ),
    { numRuns: 30 },
  );
});
