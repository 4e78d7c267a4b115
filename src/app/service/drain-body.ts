import type { IncomingMessage } from "node:http";

/** Limits for draining: total time, idle time and bytes. */
const MAX_MS = 10_000;
const IDLE_MS = 1_000;
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Reads and discards the rest of a refused request body, within limits. Most clients read the response only after they
 * have sent the whole body: closing the connection earlier would reset it and lose the response.
 */
export function drainBody(incoming: IncomingMessage): Promise<void> {
  if (incoming.complete || incoming.destroyed) return Promise.resolve();
  return new Promise((done) => {
    let bytes = 0;
    const end = () => {
      clearTimeout(longest);
      clearTimeout(idle);
      incoming.off("data", count).off("end", end).off("close", end);
      done();
    };
    const longest = setTimeout(end, MAX_MS);
    let idle: NodeJS.Timeout | undefined;
    const wait = () => {
      clearTimeout(idle);
      idle = setTimeout(() => {
        const before = bytes;
        // A busy process comes to its timers before it reads what has arrived meanwhile.
        setImmediate(() => {
          if (bytes === before) end();
        });
      }, IDLE_MS);
    };
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      wait();
      if (bytes > MAX_BYTES) end();
    };
    wait();
    incoming.on("data", count).once("end", end).once("close", end);
    incoming.resume();
  });
}
