import { Field, fieldValue } from "./field.js";
import { html, useState } from "./html.js";

const STORED = "video-rrd rater";

/** The name that this browser reviews with, if the service has no keys; empty: none was given. */
export function useRaterName() {
  const [name, setName] = useState(() => localStorage.getItem(STORED) ?? "");
  return {
    name,
    /** @param {string} next */
    change: (next) => {
      localStorage.setItem(STORED, next);
      setName(next);
    },
  };
}

/**
 * @param {{ name: string, change: (name: string) => void, hint: string }} props
 */
export function RaterName({ name, change, hint }) {
  return html`<${Field}
    label="Your name"
    hint=${hint}
    control=${(/** @type {object} */ ids) => html`<input
      ...${ids}
      value=${name}
      maxlength="64"
      pattern="[A-Za-z0-9_.@-]+"
      onChange=${(/** @type {Event} */ event) => change(fieldValue(event).trim())}
    />`}
  />`;
}
