import type { IncomingMessage } from "node:http";

/** A refused client may go on sending for so long, and so many bytes, before it is answered. */
const LONGEST_MS = 10_000;
const IDLE_MS = 1_000;
const MOST_BYTES = 256 * 2 ** 20;

/**
 * Reads and drops what a refused client is still sending, within limits. Most clients read nothing before they have sent
 * all: closing the connection under them would reset it, and they would never see the answer.
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
    const longest = setTimeout(end, LONGEST_MS);
    let idle = setTimeout(end, IDLE_MS);
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS);
      if (bytes > MOST_BYTES) end();
    };
    incoming.on("data", count).once("end", end).once("close", end);
    incoming.resume();
  });
}
