import type { RunLine } from "../../run/run-line.ts";
import type { TranscriptEvent } from "../../run/transcript.ts";
import { placing, toEvents } from "./events.ts";
import { errorOf, type LogResult, limitMet } from "./log-result.ts";
import type { EvalSample, LogEvent } from "./log-schema.ts";
import { idOf } from "./messages.ts";

type Head = Pick<EvalSample, "id" | "input" | "choices" | "target" | "scores">;

/** The events of the transcript, or the calls that the run's line has, between the beginning and the scores. */
export function eventsOf(result: LogResult, head: Head): LogEvent[] {
  const { said, transcript, messages, seed } = result;
  const began = said.line === null ? 0 : Date.parse(said.line.started_at);
  const ended = began + (said.line?.seconds ?? 0) * 1000;
  const first = placing({ seed: idOf(seed, "first"), began });
  const last = placing({ seed: idOf(seed, "last"), began });
  const { id, input, choices, target, scores } = head;
  const limit = limitMet(result);
  return [
    {
      ...first(began),
      event: "sample_init",
      sample: { id, input, ...(choices === undefined ? {} : { choices }), target },
      state: {},
    },
    ...toEvents({
      ...{ seed, began, transcript, messages: messages.messages },
      events: transcript?.events ?? (said.line === null ? [] : eventsOfCalls(said.line, began)),
    }),
    ...(limit === null
      ? []
      : [
          {
            ...last(ended),
            event: "sample_limit" as const,
            type: limit.type,
            message: `Reached the limit of ${limit.met}.`,
            ...(limit.limit === null ? {} : { limit: limit.limit }),
          },
        ]),
    ...(said.line?.error === undefined
      ? []
      : [{ ...last(ended), event: "error" as const, error: errorOf(said.line.error) }]),
    ...Object.entries(scores).map(
      ([scorer, score]): LogEvent => ({
        ...last(ended),
        ...{ event: "score", scorer, score, target, intermediate: false },
      }),
    ),
  ];
}

/** The calls of a line with the stages around them; their times are not known. */
function eventsOfCalls({ calls }: RunLine, at: number): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  let within: string | undefined;
  const leave = () => {
    if (within !== undefined) events.push({ at, stage: within, type: "stage", state: "end" });
  };
  for (const call of calls) {
    const { stage, key, role, model, label, finish, cached, frames, input, output } = call;
    if (stage !== within) {
      leave();
      events.push({ at, stage, type: "stage", state: "start" });
      within = stage;
    }
    events.push({
      ...{ at, stage, type: "call", key, role, model, label, finish, cached, frames },
      usage: { input, output, cost: null },
      model_s: call.model_s ?? null,
      retries: call.retried?.requests ?? 0,
    });
  }
  leave();
  return events;
}
