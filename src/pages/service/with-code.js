import { html } from "./html.js";

/**
 * A sentence with its words in backticks as code.
 * @param {string} sentence
 */
export function withCode(sentence) {
  return sentence
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}
