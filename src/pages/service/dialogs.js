/** @import { VNode } from "preact" */
import { signInWith } from "./api.js";
import { CheckField, Field, fieldValue } from "./field.js";
import { html, render, useState } from "./html.js";
import { errorMessage, Problem } from "./request.js";
import { withCode } from "./with-code.js";

/**
 * A modal dialog; Escape closes it, and the focus returns to where it was.
 * @param {string} title
 * @param {(close: () => void) => VNode<any>} content
 * @param {() => void} [closed]
 */
function openDialog(title, content, closed = () => {}) {
  const before = document.activeElement;
  const node = document.createElement("dialog");
  node.setAttribute("aria-label", title);
  node.addEventListener("close", () => {
    render(null, node);
    node.remove();
    if (before instanceof HTMLElement) before.focus();
    closed();
  });
  document.body.append(node);
  render(html`<h2>${title}</h2>${content(() => node.close())}`, node);
  node.showModal();
}

/**
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export function confirmed(title, text, yes) {
  return new Promise((done) => {
    let sure = false;
    const content = (/** @type {() => void} */ close) => html`<p>${text}</p>
      <div class="actions">
        <button type="button" autofocus onClick=${close}>Keep</button>
        <button
          type="button"
          class="danger"
          onClick=${() => {
            sure = true;
            close();
          }}
        >
          ${yes}
        </button>
      </div>`;
    openDialog(title, content, () => done(sure));
  });
}

/** @type {Promise<void> | null} */
let signing = null;

/** Asks for the access key once for all waiting requests; the browser stores it where no script can read it. */
export function signIn() {
  signing ??= askKey().finally(() => {
    signing = null;
  });
  return signing;
}

/** @returns {Promise<void>} */
function askKey() {
  return new Promise((done, failed) => {
    openDialog(
      "This service requires a key",
      (close) => html`<${KeyForm} done=${done} close=${close} />`,
      () => failed(new Problem(401, "An access key is required.")),
    );
  });
}

/** @param {{ done: () => void, close: () => void }} props */
function KeyForm({ done, close }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState("");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await signInWith(token);
      done();
      close();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  };
  return html`<form onSubmit=${submit}>
    <${Field}
      label="Access key"
      hint="The operator of the service has it. It is stored for this session only."
      control=${(/** @type {object} */ ids) => html`<input
        ...${ids}
        type="password"
        name="token"
        required
        autofocus
        autocomplete="current-password"
        value=${token}
        onInput=${(/** @type {Event} */ event) => setToken(fieldValue(event))}
      />`}
    />
    ${problem !== "" && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    <div class="actions"><button class="primary">Open</button></div>
  </form>`;
}

/**
 * @param {readonly (readonly [keys: string, what: string])[]} keys
 * @param {boolean} on
 * @param {(on: boolean) => void} turn
 */
export function keyboardHelp(keys, on, turn) {
  openDialog(
    "Keyboard",
    (close) => html`<dl class="keys">
        ${keys.map(
          ([key, what]) => html`<div>
            <dt>${key.split(" ").map((one) => html`<kbd>${one}</kbd>`)}</dt>
            <dd>${what}</dd>
          </div>`,
        )}
      </dl>
      <${KeysSwitch} on=${on} turn=${turn} />
      <div class="actions"><button type="button" autofocus onClick=${close}>Close</button></div>`,
  );
}

/** @param {{ on: boolean, turn: (on: boolean) => void }} props */
function KeysSwitch({ on, turn }) {
  const [checked, setChecked] = useState(on);
  const change = (/** @type {boolean} */ next) => {
    setChecked(next);
    turn(next);
  };
  return html`<${CheckField} label="Single-key shortcuts are on" checked=${checked} onChange=${change} />`;
}
