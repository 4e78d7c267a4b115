/** @import { ServiceView } from "./types.d.ts" */
import { html } from "./html.js";
import { withCode } from "./with-code.js";

/* Notices for errors and empty states. */

/** @param {{ sentence: string, again: () => void }} props */
export function FailureNotice({ sentence, again }) {
  return html`<div class="problem" role="alert">
    <p>${withCode(sentence)}</p>
    <button type="button" onClick=${again}>Try again</button>
  </div>`;
}

/** Shown instead of a missing question. */
export function GoneNotice() {
  return html`<div class="problem" role="alert">
    <p>Question not found. It may have been removed with its video.</p>
    <a href="#/">All videos</a>
  </div>`;
}

/** @param {{ service: ServiceView }} props */
export function NoModelNotice({ service: { models } }) {
  if (models.model !== null && models.missing === null) return null;
  const mayName = models.allowed === null || models.allowed.length > 0;
  return html`<p class="note">
    <strong>No language model. </strong>
    ${withCode(
      models.model !== null && models.missing !== null
        ? models.missing
        : `Questions are answered only from subtitles and text on screen, and stay unanswered if these contain no answer. To use the other strategies, ${mayName ? "name a model when you ask, or " : ""}start the service with a model: \`video-rrd serve --model openai:gpt-4.1\`.`,
    )}
  </p>`;
}
