/** @import { Event as QuestionEvent } from "./types.d.ts" */
import { eventsUrl, getQuestion } from "./api.js";
import { connected, lost, reached } from "./connection.js";
import { Problem } from "./request.js";

/** Milliseconds before the next attempt to open a stream that the service refused. */
const PAUSES = [500, 1000, 2000, 5000];

/**
 * Follows the events of a question, each once and in order, over any number of broken connections, until it is settled.
 * A hidden tab has no connection, since a browser has few of them for all of its tabs.
 * A refused stream gives no reason; a request for the question does, and asks for the key if it is missing.
 *
 * @param {string} question
 * @param {{ event: (event: QuestionEvent) => void, end: () => void, refused: (error: unknown) => void }} on
 *   `refused`: the question was deleted, or no key was given; following ends
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
    const stream = new EventSource(eventsUrl(question, seen));
    source = stream;
    stream.onopen = () => {
      refused = 0;
      reached();
    };
    stream.onmessage = (message) => {
      const sent = JSON.parse(message.data);
      const event = { ...sent, at: Date.parse(sent.at) };
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
      lookLater();
    };
  };
  const lookLater = () => {
    const pause = PAUSES[Math.min(refused++, PAUSES.length - 1)];
    setTimeout(() => connected().then(look), pause);
  };
  const look = async () => {
    if (closed || source !== null) return;
    try {
      await getQuestion(question);
      open();
    } catch (error) {
      if (closed) return;
      if (!(error instanceof Problem) || ![401, 404].includes(error.status)) {
        lookLater();
        return;
      }
      stop();
      on.refused(error);
    }
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
