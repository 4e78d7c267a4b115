import type { EventBody } from "../../core/events.ts";

/** What an event says about the work in progress: `text: 12 of 40 frames`. */
export function stageMessage(stage: string, body: EventBody): string {
  if (body.type !== "progress") return stage;
  const total = body.total === null ? "" : ` of ${Math.round(body.total)}`;
  return `${stage}: ${Math.round(body.done)}${total} ${body.unit}`;
}
