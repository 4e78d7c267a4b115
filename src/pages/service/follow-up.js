/** @import { QuestionView, ServiceView } from "./types.d.ts" */
import { AskForm } from "./ask-form.js";
import { html, useState } from "./html.js";

/**
 * The form that asks a question which follows this one, behind its name.
 * @param {{ service: ServiceView, video: string, question: string, asked: (questions: QuestionView[]) => void }} props
 */
export function FollowUp({ service, video, question, asked }) {
  const [open, setOpen] = useState(false);
  const toggle = (/** @type {Event} */ { currentTarget }) =>
    setOpen(/** @type {HTMLDetailsElement} */ (currentTarget).open);
  return html`<details class="follow-up" onToggle=${toggle}>
    <summary>Ask a follow-up question</summary>
    ${
      open &&
      html`<${AskForm} service=${service} video=${video} asked=${asked} follows=${question} />`
    }
  </details>`;
}
