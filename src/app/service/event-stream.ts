import { streamSSE } from "hono/streaming";
import type { Event } from "../../core/events.ts";
import type { Ctx, Parts } from "./context.ts";
import { isOpen, type Kept } from "./record.ts";

/** Events come in bursts: those of one go out together. */
const GATHER_MS = 15;
const gathered = () => new Promise((done) => setTimeout(done, GATHER_MS));

/** Bytes of events that are read from the store for one reader at a time: all that a reader who does not read can hold. */
const PAGE_BYTES = 64 * 2 ** 10;

/**
 * Events of a question after `seq`, each once and in order, from the store: what was kept first, then what comes.
 * Ends with `event: end` and the question's state when it has come to its end; without it when the service stops or the
 * reader takes nothing for too long. Throws a problem 429 where the caller has too many streams open.
 */
export function streamEvents(c: Ctx, parts: Parts, { id, owner }: Kept, after: number): Response {
  const { store, wakes, readers, options, hidePaths } = parts;
  const gone = new AbortController();
  const { socket } = c.env.incoming;
  const reader = readers.enter(owner, () => socket.destroy(), gone.signal);
  const leave = () => {
    gone.abort();
    reader.leave();
  };
  socket.once("close", leave);
  const line = (event: Event) => `id: ${event.seq}\ndata: ${hidePaths(JSON.stringify(event))}\n\n`;
  async function pageAfter(seq: number): Promise<{ text: string; last: number } | null> {
    if (gone.signal.aborted) return null;
    const events = await store.events.after(id, seq, PAGE_BYTES);
    const last = events.at(-1);
    return last === undefined ? null : { text: events.map(line).join(""), last: last.seq };
  }
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    stream.onAbort(leave);
    const sent = (text: string) => reader.sent(() => stream.write(text));
    let seq = after;
    try {
      while (!gone.signal.aborted) {
        // Asleep before looking, so that nothing happens between the look and the sleep unseen.
        const woken = wakes.sleep(id, options.patience.heartbeat_ms, gone.signal);
        const row = await store.service.question(id);
        const state = row === undefined ? "gone" : parts.asking.now(row).record.state;
        // The state first: once it is an end, all events are there.
        let quiet = true;
        for (;;) {
          const page = await readers.inTurn(() => pageAfter(seq));
          if (page === null) break;
          quiet = false;
          if (!(await sent(page.text))) return;
          seq = page.last;
        }
        if (state === "gone" || !isOpen({ state })) {
          await sent(`event: end\ndata: ${JSON.stringify({ state })}\n\n`);
          return;
        }
        if (wakes.isClosed()) return;
        if (quiet && !(await sent(": waiting\n\n"))) return;
        await woken;
        await gathered();
      }
    } finally {
      leave();
      socket.off("close", leave);
    }
  });
}
