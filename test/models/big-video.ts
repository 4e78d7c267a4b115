import type { Store } from "../../src/core/contracts.ts";
import type { Call, Medium } from "../../src/models/chat.ts";
import { ask, VIDEO } from "./setup.ts";

/** A few bytes that report a length too large for a request. */
export async function bigVideo(store: Pick<Store, "blobs">, bytes = "a film"): Promise<Medium> {
  const { hash } = await store.blobs.put(VIDEO, Buffer.from(bytes), "mp4");
  return { type: "video", hash, mime: "video/mp4", bytes: 2 ** 25, seconds: 60 };
}

export function askAbout(video: Medium, words: string): Call {
  const call = ask([]);
  call.request.messages = [{ role: "user", parts: [video, { type: "text", text: words }] }];
  return call;
}
