/** @import { ServiceView } from "./types.d.ts" */
import { button, el } from "./dom.js";

/* What is shown where there is nothing to show. */

/**
 * @param {string} sentence
 * @param {() => void} again
 */
export function failure(sentence, again) {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, sentence),
    button("Try again", again),
  );
}

/** In place of a question that is not there. */
export function gone() {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, "This question is not here: it may have been removed with its video."),
    el("a", { href: "#/" }, "All videos"),
  );
}

/** @param {ServiceView} service */
export function noModel({ models }) {
  if (models.model !== null && models.missing === null) return null;
  return el(
    "p",
    { class: "note" },
    el("strong", {}, "No language model. "),
    models.model !== null && models.missing !== null
      ? models.missing
      : "Questions are answered from subtitles and text on screen alone, and left unanswered where these settle nothing; start the service with a model for the other strategies.",
  );
}
