/* Notifies the other tabs of this browser of changes, so that they load again. */

const channel = new BroadcastChannel("video-rrd");

/** @param {string} what id of a video or a question, or `videos` */
export function changed(what) {
  channel.postMessage(what);
}

/**
 * @param {string} what
 * @param {() => void} again
 * @returns {() => void} stops listening
 */
export function onChanged(what, again) {
  const listen = (/** @type {MessageEvent} */ message) => {
    if (message.data === what) again();
  };
  channel.addEventListener("message", listen);
  return () => channel.removeEventListener("message", listen);
}
