import { signInWith } from "./api.js";
import { button, el, freshId, labelled } from "./dom.js";
import { errorMessage, Problem } from "./request.js";

/**
 * A modal dialog; Escape closes it, and the focus returns to where it was.
 * @param {string} title
 * @param {...import("./types.d.ts").Child} children
 */
function dialog(title, ...children) {
  const heading = el("h2", { id: freshId("dialog") }, title);
  const node = el("dialog", { "aria-labelledby": heading.id }, heading, ...children);
  const before = document.activeElement;
  node.addEventListener("close", () => {
    node.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(node);
  node.showModal();
  return node;
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
    const node = dialog(
      title,
      el("p", {}, text),
      el(
        "div",
        { class: "actions" },
        button("Keep", () => node.close(), { autofocus: true }),
        button(
          yes,
          () => {
            sure = true;
            node.close();
          },
          { class: "danger" },
        ),
      ),
    );
    node.addEventListener("close", () => done(sure));
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
    const key = el("input", {
      type: "password",
      name: "token",
      required: true,
      autocomplete: "current-password",
      autofocus: true,
    });
    const problem = el("p", { class: "problem", role: "alert", hidden: true });
    const form = el(
      "form",
      {
        method: "dialog",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          try {
            await signInWith(key.value);
            done();
            node.close();
          } catch (error) {
            problem.textContent = errorMessage(error);
            problem.hidden = false;
            key.select();
          }
        },
      },
      labelled(
        "Access key",
        key,
        "The operator of the service has it. It is stored for this session only.",
      ),
      problem,
      el("div", { class: "actions" }, el("button", { class: "primary" }, "Open")),
    );
    const node = dialog("This service requires a key", form);
    node.addEventListener("close", () => failed(new Problem(401, "An access key is required.")));
  });
}

/**
 * @param {readonly (readonly [keys: string, what: string])[]} keys
 * @param {boolean} on
 * @param {(on: boolean) => void} turn
 */
export function keyboardHelp(keys, on, turn) {
  const box = el("input", {
    type: "checkbox",
    id: freshId("keys"),
    onchange: () => turn(box.checked),
  });
  box.checked = on;
  const node = dialog(
    "Keyboard",
    el(
      "dl",
      { class: "keys" },
      keys.map(([key, what]) =>
        el(
          "div",
          {},
          el(
            "dt",
            {},
            key.split(" ").map((one) => el("kbd", {}, one)),
          ),
          el("dd", {}, what),
        ),
      ),
    ),
    el("p", { class: "check" }, box, el("label", { for: box.id }, "Single-key shortcuts are on")),
    el(
      "div",
      { class: "actions" },
      button("Close", () => node.close(), { autofocus: true }),
    ),
  );
}
