import type { Event } from "../../core/events.ts";
import type { Evidence } from "../../core/shapes.ts";
import { instantOf } from "./api.ts";
import { messageForCaller } from "./problems.ts";

/** The caller knows a video by its id, not by the hash of its file. */
function withoutVideo<T extends { video: string }>({ video: _video, ...rest }: T) {
  return rest;
}

/**
 * The name of what evidence was read from, as a person knows it: the service names the files of an upload after its id.
 */
export function sourceName(name: string, upload: string, file = "this file"): string {
  return name.startsWith(`${upload}.`)
    ? "the uploaded subtitles"
    : name.replace(` of ${upload}`, () => ` of ${file}`);
}

/** An item of evidence of this upload as the API returns it. */
export function toItemView(item: Evidence, upload: string) {
  const { frame, by, ...shown } = withoutVideo(item);
  return {
    ...shown,
    ...(frame === undefined ? {} : { frame: withoutVideo(frame) }),
    by: { ...by, name: sourceName(by.name, upload) },
  };
}

/** What a question waits for after a failure, by the kind of the failure. It has not failed for its callers. */
const WAITS_FOR: Record<string, string> = {
  "disk-full": "there is space on the disk",
  "disk-unwritable": "the disk accepts writes",
  "store-unreachable": "the service can reach its storage",
};

/** An event of a question about this upload as the API returns it: `at` is an instant, and evidence does not name the file. */
export function toEventView(event: Event, upload: string) {
  const view = { ...event, at: instantOf(event.at) };
  const awaited = view.type === "failed" ? WAITS_FOR[view.kind] : undefined;
  if (view.type === "failed" && awaited !== undefined) {
    const { type: _type, kind: _kind, message: _message, ...rest } = view;
    return { ...rest, type: "note", text: `The question continues when ${awaited}.` };
  }
  if (view.type === "call" && view.call.error !== undefined) {
    const { error } = view.call;
    return {
      ...view,
      call: { ...view.call, error: { ...error, message: messageForCaller(error) } },
    };
  }
  return view.type === "evidence" ? { ...view, item: toItemView(view.item, upload) } : view;
}
