import { html } from "./html.js";

/**
 * A text with its matching words marked.
 * @param {string} text
 * @param {readonly (readonly [from: number, to: number])[]} match places in the text, in order
 */
export function markedText(text, match) {
  const parts = [];
  let done = 0;
  for (const [from, to] of match) {
    if (from < done) continue;
    parts.push(text.slice(done, from), html`<mark>${text.slice(from, to)}</mark>`);
    done = to;
  }
  return [...parts, text.slice(done)];
}

/** How a text of a video came about, in a person's words. @type {Record<string, string>} */
export const TEXT_KIND_WORDS = {
  subtitle: "said",
  speech: "said",
  text: "on screen",
  equation: "on screen",
  caption: "seen",
};
