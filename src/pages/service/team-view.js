/** @import { KeyRole, ServiceView } from "./types.d.ts" */
import { announce } from "./announce.js";
import { addKey, listKeys, removeKey } from "./api.js";
import { confirmed } from "./dialogs.js";
import { CheckField, Field, fieldValue } from "./field.js";
import { money } from "./format.js";
import { html, useState } from "./html.js";
import { FailureNotice } from "./notices.js";
import { errorMessage } from "./request.js";
import { useFetched } from "./use-fetched.js";
import { withCode } from "./with-code.js";

/** @type {readonly (readonly [KeyRole, string, string])[]} */
const ROLES = [
  ["ask", "Ask", "Uploads videos, asks, corrects and reviews the own answers."],
  ["review", "Review", "Reads and reviews the answers of all keys."],
  ["operate", "Operate", "Everything, also keys, reports and the usage of all keys."],
];
const NEW_KEY = { name: "", roles: /** @type {KeyRole[]} */ (["ask"]), cost: "" };

/**
 * The keys of the callers: who has one, and what it may do. Only operators see it.
 * @param {{ service: ServiceView }} props
 */
export function TeamView({ service }) {
  const { value, problem, again } = useFetched(listKeys, []);
  const [made, setMade] = useState(/** @type {{ name: string, secret: string } | null} */ (null));
  const [failed, setFailed] = useState("");
  const remove = async (/** @type {string} */ name) => {
    const sure = await confirmed(
      `Remove the key of ${name}?`,
      "Requests with it are refused at once. Videos and answers stay.",
      "Remove",
    );
    if (!sure) return;
    setFailed("");
    try {
      await removeKey(name);
      announce(`Removed the key of ${name}.`);
      again();
    } catch (error) {
      setFailed(errorMessage(error));
    }
  };
  return html`<div class="home">
    <h1 tabindex="-1">Team</h1>
    ${made !== null && html`<${Secret} made=${made} done=${() => setMade(null)} />`}
    <${NewKey}
      made=${(/** @type {{ name: string, secret: string }} */ key) => {
        setMade(key);
        again();
      }}
    />
    ${failed !== "" && html`<p class="problem" role="alert">${failed}</p>`}
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${value === null && problem === null && html`<p class="soft" role="status">Loading the keys…</p>`}
    ${
      value !== null &&
      html`<div class="table-box" tabindex="0" role="region" aria-label="Keys">
        <table class="usage keys">
          <thead>
            <tr>${["Name", "May", "Dollars a day", "Since", ""].map((head) => html`<th scope="col">${head || html`<span class="hidden">Actions</span>`}</th>`)}</tr>
          </thead>
          <tbody>
            ${value.items.map(
              ({ name, roles, cost_a_day, created_at }) => html`<tr key=${name}>
                <th scope="row">${name}</th>
                <td>${ROLES.filter(([role]) => roles.includes(role))
                  .map(([, label]) => label)
                  .join(", ")}</td>
                <td>${cost_a_day === null ? "any" : money(cost_a_day)}</td>
                <td>${new Date(created_at).toLocaleDateString("en", { dateStyle: "medium" })}</td>
                <td>
                  ${
                    name === service.caller
                      ? html`<span class="soft">your key</span>`
                      : html`<button
                          type="button"
                          class="quiet"
                          aria-label=${`Remove the key of ${name}`}
                          onClick=${() => remove(name)}
                        >
                          Remove
                        </button>`
                  }
                </td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
  </div>`;
}

/** @param {{ made: (key: { name: string, secret: string }) => void }} props */
function NewKey({ made }) {
  const [key, setKey] = useState(NEW_KEY);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (key.roles.length === 0) return setProblem("Choose at least one role.");
    setProblem("");
    setBusy(true);
    try {
      const cost_a_day = key.cost === "" ? null : Number(key.cost);
      made(await addKey({ name: key.name.trim(), roles: key.roles, cost_a_day }));
      setKey(NEW_KEY);
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  const turn = (/** @type {KeyRole} */ role, /** @type {boolean} */ on) =>
    setKey({
      ...key,
      roles: ROLES.map(([one]) => one).filter((one) =>
        one === role ? on : key.roles.includes(one),
      ),
    });
  return html`<form class="panel new-key" aria-label="New key" onSubmit=${submit}>
    <h2>New key</h2>
    <div class="filters">
      <${Field}
        label="Name of the person or program"
        control=${(/** @type {object} */ ids) => html`<input
          ...${ids}
          required
          maxlength="64"
          pattern="[\\w.@\\-]+"
          title="Letters, digits or ._@-"
          autocomplete="off"
          value=${key.name}
          onInput=${(/** @type {Event} */ event) => setKey({ ...key, name: fieldValue(event) })}
        />`}
      />
      <${Field}
        label="Dollars a day"
        control=${(/** @type {object} */ ids) => html`<input
          ...${ids}
          type="number"
          min="0"
          step="any"
          placeholder="any"
          value=${key.cost}
          onInput=${(/** @type {Event} */ event) => setKey({ ...key, cost: fieldValue(event) })}
        />`}
      />
    </div>
    <fieldset>
      <legend>May</legend>
      ${ROLES.map(
        ([role, label, hint]) => html`<${CheckField}
          key=${role}
          label=${label}
          hint=${hint}
          checked=${key.roles.includes(role)}
          onChange=${(/** @type {boolean} */ on) => turn(role, on)}
        />`,
      )}
    </fieldset>
    ${problem !== "" && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    <div class="actions"><button class="primary" disabled=${busy}>Create the key</button></div>
  </form>`;
}

/** The secret of a new key, shown once. @param {{ made: { name: string, secret: string }, done: () => void }} props */
function Secret({ made: { name, secret }, done }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return html`<div class="note" role="status">
    <p><strong>The key of ${name}.</strong> Copy it now: it cannot be shown again.</p>
    <p><code class="secret">${secret}</code></p>
    <div class="actions">
      ${navigator.clipboard !== undefined && html`<button type="button" onClick=${copy}>${copied ? "Copied" : "Copy"}</button>`}
      <button type="button" class="quiet" onClick=${done}>I have stored it</button>
    </div>
  </div>`;
}
