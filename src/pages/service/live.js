/* What is said to those who do not see the page change. */

/** @type {string[]} */
let waiting = [];

/**
 * Said politely; where many come at once, the last two.
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
