import fc from "fast-check";
import { expect, test } from "vitest";
import { createReplay, RESUME_NOTE } from "../../graphs/replay-events.ts";
import type { Event, EventBody } from "../../src/core/events.ts";
import { createLedger, NO_BUDGET } from "../../src/core/ledger.ts";
import { addUsage, NO_USAGE, type Usage } from "../../src/core/shapes.ts";

/* A run of nodes with calls, interrupted after any event, as often as it happens, and continued with the node that ran. */

interface Node {
  stage: string;
  calls: number[];
}
const usageOf = (input: number): Usage => ({ ...NO_USAGE, calls: 1, input, cost: input / 100 });

const nodes = fc.array(
  fc.record({
    stage: fc.constantFrom("caption", "order", "search"),
    calls: fc.array(fc.nat(50), { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 5 },
);

/** Events of one process, until it is killed after `budget` new events; null if it ended. */
function runProcess(plan: readonly Node[], stored: Event[], finished: Set<number>, budget: number) {
  const ledger = createLedger(NO_BUDGET, () => 0);
  const replay = createReplay([...stored], ledger);
  let made = NO_USAGE;
  let left = budget;
  let at = stored.length * 1000;
  const emit = (stage: string, body: EventBody) => {
    if (replay.claims(stage, body)) return;
    if (left-- === 0) throw new Error("killed");
    if (body.type === "call") made = addUsage(made, body.call.usage);
    stored.push({ seq: stored.length + 1, question: "q", at: ++at, stage, ...body } as Event);
  };
  if (stored.length > 0) emit(RESUME_NOTE.stage, RESUME_NOTE.body);
  for (const [place, { stage, calls }] of plan.entries()) {
    if (finished.has(place)) continue;
    const task = `${stage}:${place}`;
    replay.begin(task);
    emit(stage, { type: "stage", state: "start", task });
    for (const [number, input] of calls.entries()) {
      const usage = usageOf(input);
      const retried = { requests: 1, input: 3, output: 2, cost: 0.05 };
      const call = { key: `${place} ${number}`, label: "", usage, retried } as never;
      const booked = ledger.reserve({ calls: 1, frames: 0, tokens: input, cost: 0 });
      if ("settle" in booked)
        booked.settle({ calls: 1, frames: 0, tokens: input + 5, cost: input / 100 + 0.05 });
      emit(stage, { type: "call", call });
    }
    emit(stage, { type: "stage", state: "end", seconds: 1 });
    replay.end(task);
    finished.add(place);
  }
  return { spent: ledger.spent(), usage: addUsage(replay.usage(), made) };
}

test("after any number of kills, what was spent is that of a run without one, and no event is twice", () => {
  fc.assert(
    fc.property(nodes, fc.array(fc.nat(8), { maxLength: 6 }), (plan, kills) => {
      const stored: Event[] = [];
      const finished = new Set<number>();
      for (const budget of kills)
        try {
          runProcess(plan, stored, finished, budget);
        } catch (error) {
          expect((error as Error).message).toBe("killed");
        }
      const { spent, usage } = runProcess(plan, stored, finished, Number.POSITIVE_INFINITY);
      const all = plan.flatMap(({ calls }) => calls);
      const tokens = all.reduce((sum, input) => sum + input, 0);
      expect(spent).toMatchObject({ calls: all.length, tokens: tokens + 5 * all.length });
      expect(spent.cost).toBeCloseTo(tokens / 100 + 0.05 * all.length);
      expect(usage).toMatchObject({ calls: all.length, input: tokens });
      const keys = stored.flatMap((event) => (event.type === "call" ? [event.call.key] : []));
      expect(keys.sort()).toEqual([...new Set(keys)].sort());
      expect(keys).toHaveLength(all.length);
      const starts = stored.filter((event) => event.type === "stage" && event.state === "start");
      expect(starts).toHaveLength(plan.length);
    }),
  );
});

test("seconds between two processes are not spent, and limits that were met stay met", () => {
  const at = (ms: number, stage: string, body: EventBody): Event =>
    ({ seq: ms, question: "q", at: ms, stage, ...body }) as Event;
  const ledger = createLedger(NO_BUDGET, () => 0);
  createReplay(
    [
      at(1000, "caption", { type: "stage", state: "start", task: "a" }),
      at(4000, "caption", { type: "stage", state: "end", limits: ["calls"] }),
      at(90_000, RESUME_NOTE.stage, RESUME_NOTE.body),
      at(92_000, "order", { type: "stage", state: "start", task: "b" }),
    ],
    ledger,
  );
  expect(ledger.spent().seconds).toBe(5);
  expect(ledger.met()).toEqual(["calls"]);
});
