import type { Store } from "../../src/core/contracts.ts";
import { openVideo, type Video } from "../../tools/video/video.ts";

/** Opens each file once a run; one that could not be opened is tried again by the next sample. */
export function videoOpener(store: Store, run: string, signal: AbortSignal) {
  const opened = new Map<string, Promise<Video>>();
  return (path: string): Promise<Video> => {
    const known = opened.get(path);
    if (known !== undefined) return known;
    const opening = openVideo(path, { store, run, signal });
    opened.set(path, opening);
    opening.catch(() => opened.delete(path));
    return opening;
  };
}
