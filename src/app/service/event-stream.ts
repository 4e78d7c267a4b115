import { streamSSE } from "hono/streaming";
import type { Ctx, Parts } from "./context.ts";
import { isOpen, type Kept } from "./record.ts";

/** Events come in bursts: those of one go out together. */
const GATHER_MS = 15;
const gathered = () => new Promise((done) => setTimeout(done, GATHER_MS));

/**
 * Events of a question after `seq`, each once and in order, from the store: what was kept first, then what comes.
 * Ends with `event: end` and the question's state when it has come to its end; without it when the service stops.
 */
export function streamEvents(c: Ctx, parts: Parts, { id }: Kept, after: number): Response {
  const { store, wakes, metrics, options, hidePaths } = parts;
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    metrics.streams.inc();
    let seq = after;
    try {
      while (!gone.signal.aborted) {
        // Asleep before looking, so that nothing happens between the look and the sleep unseen.
        const woken = wakes.sleep(id, options.patience.heartbeat_ms, gone.signal);
        const row = await store.desk.asked(id);
        const state = row === undefined ? "gone" : parts.asking.now(row).record.state;
        // The state first: once it is an end, all events are there.
        const events = await store.events.after(id, seq);
        for (const event of events) {
          await stream.writeSSE({ id: String(event.seq), data: hidePaths(JSON.stringify(event)) });
          seq = event.seq;
        }
        if (state === "gone" || !isOpen({ state })) {
          await stream.writeSSE({ event: "end", data: JSON.stringify({ state }) });
          return;
        }
        if (wakes.isClosed()) return;
        if (events.length === 0) await stream.write(": waiting\n\n");
        await woken;
        await gathered();
      }
    } finally {
      gone.abort();
      metrics.streams.dec();
    }
  });
}
