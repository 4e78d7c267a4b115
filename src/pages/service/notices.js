/** @import { ServiceView } from "./types.d.ts" */
import { button, el } from "./dom.js";

/* Notices for errors and empty states. */

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

/** Shown instead of a missing question. */
export function gone() {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, "Question not found. It may have been removed with its video."),
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
      : "Questions are answered only from subtitles and text on screen, and stay unanswered if these contain no answer. Start the service with a model to use the other strategies.",
  );
}
