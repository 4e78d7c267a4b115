/* Single-key shortcuts. They are ignored while a person types, and can be turned off. */

const OFF = "video-rrd:keys-off";

/** @type {readonly (readonly [keys: string, what: string])[]} */
export const KEYS = [
  ["Space", "play or pause"],
  ["j l", "5 seconds back, forward"],
  ["n p", "next, previous evidence, with the player at its time"],
  ["e", "edit the chosen evidence"],
  ["x", "reject it, or put it back"],
  ["a", "add evidence at the player's time"],
  ["r", "reason again"],
  ["/", "ask a question"],
  ["?", "this list"],
  ["← → Home End", "from mark to mark on a track of the timeline"],
  ["Enter Esc", "in an edit: save, cancel"],
];

/**
 * @typedef {{ toggle: () => void, skip: (seconds: number) => void, step: (by: number) => void,
 *   act: (action: "edit" | "reject") => void, add: () => void, reason: () => void, ask: () => void }} Actions
 */

export function keysOn() {
  return localStorage.getItem(OFF) === null;
}

/** @param {boolean} on */
export function turnKeys(on) {
  if (on) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "1");
}

/**
 * Whether a key pressed there is meant for something else.
 * @param {KeyboardEvent} event
 */
export function isForOther(event) {
  const { target } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keysOn())
    return true;
  if (document.querySelector("dialog[open]") !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("input, textarea, select, video")) return true;
  return event.key === " " && target.matches("button, a, summary");
}

/**
 * @param {Actions} actions
 * @returns {() => void} stops listening
 */
export function onKeys(actions) {
  /** @type {Record<string, () => void>} */
  const keys = {
    " ": actions.toggle,
    j: () => actions.skip(-5),
    l: () => actions.skip(5),
    n: () => actions.step(1),
    p: () => actions.step(-1),
    e: () => actions.act("edit"),
    x: () => actions.act("reject"),
    a: actions.add,
    r: actions.reason,
    "/": actions.ask,
  };
  const listen = (/** @type {KeyboardEvent} */ event) => {
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (action === undefined || isForOther(event)) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
