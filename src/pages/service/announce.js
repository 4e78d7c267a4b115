/* Announcements for screen readers. */

/** @type {string[]} */
let waiting = [];

/**
 * Announces a sentence without interrupting; of several at once, only the last two.
 * @param {string} sentence
 */
export function announce(sentence) {
  waiting.push(sentence);
  if (waiting.length === 1) setTimeout(say, 150);
}

function say() {
  const region = document.getElementById("live");
  if (region !== null) region.textContent = waiting.slice(-2).join(" ");
  waiting = [];
}
