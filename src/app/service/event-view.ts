import type { Event } from "../../core/events.ts";
import type { Evidence } from "../../core/shapes.ts";
import { instantOf } from "./api.ts";

/** The caller knows a video by its id, not by the hash of its file. */
function withoutVideo<T extends { video: string }>({ video: _video, ...rest }: T) {
  return rest;
}

/** An item of evidence as the API returns it. */
export function toItemView(item: Evidence) {
  const { frame, ...shown } = withoutVideo(item);
  return { ...shown, ...(frame === undefined ? {} : { frame: withoutVideo(frame) }) };
}

/** An event as the API returns it: `at` is an instant, and evidence does not name the file. */
export function toEventView(event: Event) {
  const view = { ...event, at: instantOf(event.at) };
  return view.type === "evidence" ? { ...view, item: toItemView(view.item) } : view;
}
