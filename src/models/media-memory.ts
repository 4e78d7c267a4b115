/** Limits the bytes of media that the requests of this process have in memory together. */
export interface MediaMemory {
  /**
   * Waits until this many bytes are free, first come first served, and returns a function that frees them (once only).
   * A request above the limit is granted when nothing else is reserved. Throws the signal's reason if it aborts while
   * waiting.
   */
  hold(bytes: number, signal: AbortSignal): Promise<() => void>;
  /** Changes the limit for later requests. */
  setLimit(bytes: number): void;
}

export function createMediaMemory(limit: number): MediaMemory {
  let held = 0;
  const line: { bytes: number; begin: () => void }[] = [];

  const fits = (bytes: number) => held === 0 || held + bytes <= limit;

  function admit(): void {
    for (let next = line[0]; next !== undefined && fits(next.bytes); next = line[0]) {
      line.shift();
      held += next.bytes;
      next.begin();
    }
  }

  return {
    async hold(bytes, signal) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          const place = line.indexOf(waiting);
          if (place < 0) return;
          line.splice(place, 1);
          reject(signal.reason);
          admit();
        };
        const begin = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        const waiting = { bytes, begin };
        signal.addEventListener("abort", leave, { once: true });
        line.push(waiting);
        admit();
      });
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        held -= bytes;
        admit();
      };
    },
    setLimit(bytes) {
      limit = bytes;
      admit();
    },
  };
}

let shared: MediaMemory | undefined;

/** The one limit of this process. The latest limit applies. */
export function mediaMemory(limit: number): MediaMemory {
  shared ??= createMediaMemory(limit);
  shared.setLimit(limit);
  return shared;
}
