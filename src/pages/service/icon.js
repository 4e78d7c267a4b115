import { html } from "./html.js";

const ICONS = new URL("./icons.svg", import.meta.url).pathname;

/**
 * A picture from `icons/`, in the colour of the text around it; the words next to it say what it means.
 * @param {{ name: string }} props the file's name without `.svg`
 */
export function Icon({ name }) {
  return html`<svg class="icon" aria-hidden="true"><use href=${`${ICONS}#${name}`} /></svg>`;
}
