import type { CallRecord, Event, EventBody } from "../src/core/events.ts";
import type { Ledger, Spend } from "../src/core/ledger.ts";
import { addUsage, type Evidence, type Limit, NO_USAGE, type Usage } from "../src/core/shapes.ts";

/*
 * A graph with a checkpointer continues in another process: finished nodes are not run again, the node that was running
 * is. What was spent is read from the events, and an event that is emitted again is recognised.
 */

/** The stage of the note that begins each process after the first. */
const RESUMED = "resume";

/** The events of a run from before it was interrupted. */
export interface EventReplay {
  /** Evidence that was emitted. */
  evidence: readonly Evidence[];
  /** The usage of the calls before the interruption, without those that a running node is repeating. */
  usage(): Usage;
  /** A node starts. If it was interrupted, its calls no longer count as spent, since it will repeat them. */
  begin(task: string): void;
  /** Whether the event repeats a recorded one, which then counts again. */
  claims(stage: string, body: EventBody): boolean;
  /** A node ended. What it did not repeat was spent nevertheless. */
  end(task: string): void;
}

interface Recorded {
  stage: string;
  body: EventBody;
  /** Whether its usage is part of what was spent. */
  counted: boolean;
}

/** Restores the ledger from the events of the same run, in order. */
export function createReplay(
  events: readonly Event[],
  ledger: Pick<Ledger, "restore" | "resume">,
): EventReplay {
  const recorded = events.map(({ seq, question, at, stage, ...body }): Recorded => {
    return { stage, body: body as EventBody, counted: true };
  });
  const tasks = recordedTasks(recorded);
  /** Events that running nodes may repeat, by what identifies them. */
  const repeatable = new Map<string, Recorded[]>();

  function count(record: Recorded, counted: boolean): void {
    if (record.counted === counted) return;
    record.counted = counted;
    if (record.body.type === "call") ledger.restore(spendOf(record.body.call), counted ? 1 : -1);
  }

  for (const { body } of recorded) if (body.type === "call") ledger.restore(spendOf(body.call));
  ledger.resume({ seconds: activeSeconds(events), met: limitsMet(recorded) });

  return {
    evidence: recorded.flatMap(({ body }) => (body.type === "evidence" ? [body.item] : [])),
    usage: () =>
      recorded.reduce(
        (sum, { body, counted }) =>
          counted && body.type === "call" ? addUsage(sum, body.call.usage) : sum,
        NO_USAGE,
      ),
    begin(task) {
      for (const record of tasks.get(task) ?? []) {
        count(record, false);
        const key = identityOf(record.stage, record.body);
        repeatable.set(key, [...(repeatable.get(key) ?? []), record]);
      }
    },
    claims(stage, body) {
      const record = repeatable.get(identityOf(stage, body))?.shift();
      // The call itself settles its amounts in the ledger.
      if (record !== undefined) record.counted = true;
      return record !== undefined;
    },
    end(task) {
      const own = new Set(tasks.get(task));
      tasks.delete(task);
      for (const [key, records] of repeatable) {
        for (const record of records) if (own.has(record)) count(record, true);
        repeatable.set(
          key,
          records.filter((record) => !own.has(record)),
        );
      }
    },
  };
}

/** Marks in the events that another process continues: what passed since the last event was not spent. */
export const RESUME_NOTE = {
  stage: RESUMED,
  body: { type: "note", text: "Continued from the checkpoint." },
} as const satisfies { stage: string; body: EventBody };

/**
 * The events of each task. Stages of one graph that run at the same time have different names; within a stage, work may
 * have a stage name of its own.
 */
function recordedTasks(recorded: readonly Recorded[]): Map<string, Recorded[]> {
  const tasks = new Map<string, Recorded[]>();
  let open: { task: string; stage: string }[] = [];
  for (const record of recorded) {
    const { stage, body } = record;
    if (stage === RESUMED) continue;
    if (body.type === "stage" && body.task !== undefined) {
      open = [...open.filter(({ task }) => task !== body.task), { task: body.task, stage }];
      if (!tasks.has(body.task)) tasks.set(body.task, []);
    }
    const owner = open.findLast((one) => one.stage === stage) ?? open.at(-1);
    if (owner === undefined) continue;
    tasks.get(owner.task)?.push(record);
    if (body.type === "stage" && body.state === "end" && owner.stage === stage)
      open = open.filter((one) => one !== owner);
  }
  return tasks;
}

/** What stays equal if the same work is done again. A call that failed may succeed. */
function identityOf(stage: string, body: EventBody): string {
  if (body.type === "evidence") return `${stage} evidence ${body.item.id}`;
  if (body.type === "call")
    return `${stage} call ${body.call.key} ${body.call.label} ${body.call.error === undefined}`;
  const { seconds, task, limits, ...rest } = body as EventBody & Record<string, unknown>;
  return `${stage} ${JSON.stringify(rest)}`;
}

/** What a call settled, with its earlier requests without a usable reply. A failed call settles nothing. */
function spendOf({ usage, finish, retried }: CallRecord): Spend {
  const { calls, frames, input, output, cost } = usage;
  const again = finish === "failed" ? undefined : retried;
  return {
    ...{ calls, frames },
    tokens: input + output + (again === undefined ? 0 : again.input + again.output),
    cost: cost === null ? null : cost + (again?.cost ?? 0),
  };
}

/** Seconds in which a process worked on the question: without the time between two processes. */
function activeSeconds(events: readonly Event[]): number {
  const ms = events.reduce((sum, { at, stage }, place) => {
    const before = events[place - 1];
    return before === undefined || stage === RESUMED ? sum : sum + Math.max(0, at - before.at);
  }, 0);
  return ms / 1000;
}

function limitsMet(recorded: readonly Recorded[]): Limit[] {
  const all = recorded.flatMap(({ body }) => (body.type === "stage" ? (body.limits ?? []) : []));
  return [...new Set(all)];
}
