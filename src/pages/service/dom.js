/** @import { Child } from "./types.d.ts" */
import { inOwnDirection } from "./text-direction.js";

/*
 * The only place that creates elements: text becomes text nodes, and attributes are set one by one, so nothing that comes
 * from a video, a file, a person or a model can become markup.
 */

/**
 * `on...` adds a listener, `true` an empty attribute; false, null and undefined are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "value") {
      /** @type {HTMLInputElement} */ (/** @type {unknown} */ (element)).value = String(value);
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [typeof child === "object" ? child : inOwnDirection(String(child))];
  });
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/**
 * A button for an action on this page; links lead to other pages.
 * @param {string} label
 * @param {() => void} onclick
 * @param {Record<string, unknown>} [attributes]
 */
export function button(label, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, label);
}

let lastId = 0;

/**
 * An id that no other element of this document has.
 * @param {string} prefix
 */
export function freshId(prefix) {
  lastId++;
  return `${prefix}-${lastId}`;
}

/**
 * A control under its label.
 * @param {string} text
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function labelled(text, control, hint) {
  control.id ||= freshId("field");
  const about =
    hint === undefined ? null : el("small", { id: `${control.id}-hint`, class: "soft" }, hint);
  if (about !== null) control.setAttribute("aria-describedby", about.id);
  return el("div", { class: "field" }, el("label", { for: control.id }, text), control, about);
}

/**
 * @param {readonly (readonly [value: string, label: string, disabled?: boolean])[]} choices
 * @param {string} chosen
 * @param {Record<string, unknown>} [attributes]
 */
export function select(choices, chosen, attributes = {}) {
  return el(
    "select",
    attributes,
    choices.map(([value, label, disabled]) =>
      el("option", { value, selected: value === chosen, disabled }, label),
    ),
  );
}

/**
 * Runs `work`, which may rebuild parts of `root`. The focused element keeps the focus, or the rebuilt element with the
 * same label gets it.
 * @param {Element} root
 * @param {() => void} work
 */
export function keepingFocus(root, work) {
  const active = document.activeElement;
  work();
  if (!(active instanceof HTMLElement) || document.activeElement !== document.body) return;
  const same = active.isConnected
    ? active
    : [...root.querySelectorAll(active.tagName)].find(
        (other) => labelOf(other) === labelOf(active),
      );
  if (same instanceof HTMLElement && root.contains(same)) same.focus({ preventScroll: true });
}

/** @param {Element} element */
function labelOf(element) {
  return element.getAttribute("aria-label") ?? element.textContent;
}
