import { setTimeout as delay } from "node:timers/promises";
import { streamSSE } from "hono/streaming";
import { type Ctx, mayRead, type ServiceContext } from "./service-context.ts";

/** Pause after each message, which collects a burst of changes into one. */
const PAUSE_MS = 300;
/** A stream ends after this time, so that a client whose key was removed hears no more. */
const LONGEST_MS = 600_000;

/**
 * Streams the ids of the videos and questions that the caller may read and that change from now on. Throws a 429 problem
 * if the caller has too many open streams.
 */
export function streamChanges(c: Ctx, { feed, readers, options }: ServiceContext): Response {
  const caller = c.get("caller");
  const gone = new AbortController();
  const { socket } = c.env.incoming;
  const reader = readers.enter(caller.owner, () => socket.destroy(), gone.signal);
  const leave = () => {
    gone.abort();
    reader.leave();
  };
  socket.once("close", leave);
  const changes = feed.subscribe(({ owner }) => mayRead(caller, owner));
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    stream.onAbort(leave);
    const sent = (text: string) => reader.sent(() => stream.write(text));
    const until = performance.now() + LONGEST_MS;
    try {
      if (!(await sent(": connected\n\n"))) return;
      while (!gone.signal.aborted && !feed.isClosed() && performance.now() < until) {
        const batch = await changes.next(options.timeouts.heartbeat_ms, gone.signal);
        if (feed.isClosed()) return;
        const text = batch === null ? ": waiting\n\n" : `data: ${JSON.stringify(batch)}\n\n`;
        if (!(await sent(text))) return;
        await delay(PAUSE_MS, undefined, { signal: gone.signal }).catch(() => {});
      }
    } finally {
      changes.end();
      leave();
      socket.off("close", leave);
    }
  });
}
