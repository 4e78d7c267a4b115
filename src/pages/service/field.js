/** @import { VNode } from "preact" */
import { html, useId } from "./html.js";

/**
 * A control under its label, with a hint below.
 * @param {{ label: string, hint?: string, control: (ids: { id: string, "aria-describedby"?: string }) => VNode<any> }} props
 *   `control` gets the attributes that connect it with its label and hint
 */
export function Field({ label, hint, control }) {
  const id = useId();
  const about = hint === undefined ? undefined : `${id}-hint`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control({ id, ...(about === undefined ? {} : { "aria-describedby": about }) })}
    ${hint !== undefined && html`<small id=${about} class="soft">${hint}</small>`}
  </div>`;
}

/**
 * A box to tick, with its label after it.
 * @param {{ label: string, hint?: string, checked: boolean, onChange: (checked: boolean) => void }} props
 */
export function CheckField({ label, hint, checked, onChange }) {
  const id = useId();
  const change = (/** @type {Event} */ { currentTarget }) =>
    onChange(/** @type {HTMLInputElement} */ (currentTarget).checked);
  return html`<div class="check">
    <input type="checkbox" id=${id} checked=${checked} onChange=${change} />
    <label for=${id}>${label}${hint !== undefined && html`<small class="soft">${hint}</small>`}</label>
  </div>`;
}

/** @param {Event} event */
export function fieldValue({ currentTarget }) {
  return /** @type {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} */ (currentTarget)
    .value;
}
