/* Whether the service can be reached: reported by every request, shown by watchers. */

/** @typedef {"connected" | "lost"} Connection */

/** @type {Connection} */
let state = "connected";
/** @type {Set<(state: Connection) => void>} */
const watchers = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** @param {Connection} next */
function turn(next) {
  if (state === next) return;
  state = next;
  for (const watcher of watchers) watcher(next);
}

export function reached() {
  clearTimeout(timer);
  timer = undefined;
  turn("connected");
}

/** Also starts to check every few seconds whether the service can be reached again. */
export function lost() {
  turn("lost");
  timer ??= setTimeout(look, 1000);
}

async function look() {
  timer = undefined;
  try {
    await fetch("/healthz", { cache: "no-store" });
    reached();
  } catch {
    timer = setTimeout(look, 2000);
  }
}

/**
 * @param {(state: Connection) => void} watcher
 * @returns {() => void} stops watching
 */
export function watchConnection(watcher) {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Resolves at once, or when the service can be reached again. */
export function connected() {
  if (state === "connected") return Promise.resolve();
  return new Promise((done) => {
    const stop = watchConnection((next) => {
      if (next !== "connected") return;
      stop();
      done(undefined);
    });
  });
}
