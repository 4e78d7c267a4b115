import { strategies } from "../../graphs/define-strategy.ts";
import type { Store } from "../../src/core/contracts.ts";
import { closedVideo, openVideo, type Video } from "../../tools/video/video.ts";

/**
 * Opens each file once a run, if the strategy looks into it; one that could not be opened is tried again by the next
 * sample.
 */
export function videoOpener(store: Store, run: string, signal: AbortSignal, strategy?: string) {
  const looks = strategy === undefined || strategies.get(strategy).opensVideo !== false;
  const open = looks ? openVideo : closedVideo;
  const opened = new Map<string, Promise<Video>>();
  return (path: string): Promise<Video> => {
    const known = opened.get(path);
    if (known !== undefined) return known;
    const opening = open(path, { store, run, signal });
    opened.set(path, opening);
    opening.catch(() => opened.delete(path));
    return opening;
  };
}
