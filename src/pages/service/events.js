/** @import { Event as QuestionEvent } from "./types.d.ts" */
import { connected, lost, reached } from "./connection.js";

/** Milliseconds before a stream that the service refused is opened again. */
const PAUSES = [500, 1000, 2000, 5000];

/**
 * Follows the events of a question, each once and in order, over any number of broken connections, until it is settled.
 * A tab that nobody looks at holds no connection: a browser has few of them for all of its tabs.
 *
 * @param {string} question
 * @param {{ event: (event: QuestionEvent) => void, end: () => void }} on
 * @returns {() => void} stops following
 */
export function follow(question, on) {
  let seen = 0;
  let refused = 0;
  let closed = false;
  /** @type {EventSource | null} */
  let source = null;

  const open = () => {
    if (closed || document.hidden || source !== null) return;
    const stream = new EventSource(`/api/questions/${encodeURIComponent(question)}/events`);
    source = stream;
    stream.onopen = () => {
      refused = 0;
      reached();
    };
    stream.onmessage = (message) => {
      const event = JSON.parse(message.data);
      if (event.seq <= seen) return;
      seen = event.seq;
      on.event(event);
    };
    stream.addEventListener("end", () => {
      stop();
      on.end();
    });
    stream.onerror = () => {
      if (closed || source !== stream) return;
      if (stream.readyState !== EventSource.CLOSED) {
        lost();
        return;
      }
      source = null;
      const pause = PAUSES[Math.min(refused++, PAUSES.length - 1)];
      setTimeout(() => connected().then(open), pause);
    };
  };
  const leave = () => {
    source?.close();
    source = null;
  };
  const turn = () => (document.hidden ? leave() : open());
  const stop = () => {
    closed = true;
    leave();
    document.removeEventListener("visibilitychange", turn);
  };
  document.addEventListener("visibilitychange", turn);
  open();
  return stop;
}
