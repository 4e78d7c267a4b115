/*
 * What changes while the page is open: by another tab of this browser, or by anyone, as the service tells. A hidden tab has
 * no connection, since a browser has few of them for all of its tabs; it reads again when it is shown.
 */
import { changesUrl } from "./api.js";

/** Milliseconds before the next attempt to open a stream that the service refused. */
const PAUSE_MS = 10_000;

const channel = new BroadcastChannel("video-rrd");
/** @type {Map<string, Set<() => void>>} */
const watchers = new Map();
/** @type {EventSource | null} */
let source = null;
let wasAway = false;

/** Tells the other tabs of this browser. @param {string} what id of a video or a question, `videos` or `questions` */
export function changed(what) {
  channel.postMessage(what);
}

/**
 * @param {string} what id of a video or a question, `videos` or `questions` for any of them
 * @param {() => void} again is called after each change
 * @returns {() => void} stops watching
 */
export function onChanged(what, again) {
  const all = watchers.get(what) ?? new Set();
  watchers.set(what, all.add(again));
  open();
  return () => {
    all.delete(again);
    if (all.size === 0 && watchers.get(what) === all) watchers.delete(what);
  };
}

/** @param {Iterable<string>} names */
function tell(names) {
  const told = new Set([...names].flatMap((name) => [...(watchers.get(name) ?? [])]));
  for (const again of told) again();
}

function open() {
  if (source !== null || document.hidden || watchers.size === 0) return;
  const stream = new EventSource(changesUrl());
  source = stream;
  stream.onopen = () => {
    if (wasAway) tell([...watchers.keys()]);
    wasAway = false;
  };
  stream.onmessage = ({ data }) => {
    const { videos, questions, more } = JSON.parse(data);
    if (more) tell([...watchers.keys()]);
    else tell([...videos, ...questions, ...(questions.length > 0 ? ["questions"] : []), "videos"]);
  };
  stream.onerror = () => {
    wasAway = true;
    if (stream.readyState !== EventSource.CLOSED || source !== stream) return;
    source = null;
    setTimeout(open, PAUSE_MS);
  };
}

channel.addEventListener("message", ({ data }) => tell([data]));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    source?.close();
    source = null;
    wasAway = true;
  } else open();
});
