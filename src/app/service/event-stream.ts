import { streamSSE } from "hono/streaming";
import type { Event } from "../../core/events.ts";
import { toEventView } from "./event-view.ts";
import { isOpen, type StoredQuestion } from "./question-record.ts";
import type { Ctx, ServiceContext } from "./service-context.ts";

/** Delay that collects a burst of events into one write. */
const BURST_MS = 15;
const burstEnd = () => new Promise((done) => setTimeout(done, BURST_MS));

/** Bytes of events that are read from the store at a time. It bounds the memory of a stream whose client does not read. */
const PAGE_BYTES = 64 * 2 ** 10;

/**
 * Streams the events of a question after `after`, each once and in order: first the stored ones, then new ones.
 * When the question ends, the stream closes with `event: end` and its state. It closes without that event when the service
 * stops or the client does not read. Throws a 429 problem if the caller has too many open streams.
 */
export function streamEvents(
  c: Ctx,
  context: ServiceContext,
  { id, upload }: StoredQuestion,
  after: number,
): Response {
  const { store, changes, readers, options, hidePaths } = context;
  const gone = new AbortController();
  const { socket } = c.env.incoming;
  const { owner: reading } = c.get("caller");
  const reader = readers.enter(reading, () => socket.destroy(), gone.signal);
  const leave = () => {
    gone.abort();
    reader.leave();
  };
  socket.once("close", leave);
  const line = (event: Event) =>
    `id: ${event.seq}\ndata: ${hidePaths(JSON.stringify(toEventView(event, upload)))}\n\n`;
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
        // Waiting begins before reading, so that no change between the two is missed.
        const changed = changes.wait(id, options.timeouts.heartbeat_ms, gone.signal);
        const row = await store.service.question(id);
        const state = row === undefined ? "gone" : context.questions.current(row).record.state;
        // The state is read before the events: if it is final, all events are stored.
        let idle = true;
        for (;;) {
          const page = await readers.inTurn(() => pageAfter(seq));
          if (page === null) break;
          idle = false;
          if (!(await sent(page.text))) return;
          seq = page.last;
        }
        if (state === "gone" || !isOpen({ state })) {
          await sent(`event: end\ndata: ${JSON.stringify({ state })}\n\n`);
          return;
        }
        if (changes.isClosed()) return;
        if (idle && !(await sent(": waiting\n\n"))) return;
        await changed;
        await burstEnd();
      }
    } finally {
      leave();
      socket.off("close", leave);
    }
  });
}
