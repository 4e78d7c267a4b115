/** @import { ServiceView, UsageView as Usage } from "./types.d.ts" */
import { getUsage } from "./api.js";
import { Field, fieldValue } from "./field.js";
import { count, money, size } from "./format.js";
import { html, useState } from "./html.js";
import { may } from "./may.js";
import { FailureNotice } from "./notices.js";
import { useFetched } from "./use-fetched.js";

const GROUPS = /** @type {const} */ ([
  ["day", "Day"],
  ["model", "Model"],
  ["strategy", "Strategy"],
  ["key", "Key"],
]);

/**
 * What the key used; for an operator, what all keys used.
 * @param {{ service: ServiceView }} props
 */
export function UsageView({ service }) {
  const [query, setQuery] = useState({ by: "day", since: "", until: "" });
  const { value, problem, again } = useFetched(
    () =>
      getUsage({ by: query.by, since: query.since || undefined, until: query.until || undefined }),
    [query],
  );
  const choose = (/** @type {string} */ name) => (/** @type {Event} */ event) =>
    setQuery({ ...query, [name]: fieldValue(event) });
  const ofAll = may(service, "operate") && service.caller !== null;
  return html`<div class="home">
    <h1 tabindex="-1">${ofAll ? "Usage of all keys" : "Usage"}</h1>
    <div class="filters" role="group" aria-label="Filters">
      <${Field}
        label="Rows"
        control=${(
          /** @type {object} */ ids,
        ) => html`<select ...${ids} value=${query.by} onChange=${choose("by")}>
          ${GROUPS.map(([group, words]) => html`<option value=${group} selected=${group === query.by}>${words}</option>`)}
        </select>`}
      />
      <${Field}
        label="From"
        control=${(/** @type {object} */ ids) => html`<input ...${ids} type="date" value=${query.since} onChange=${choose("since")} />`}
      />
      <${Field}
        label="To"
        control=${(/** @type {object} */ ids) => html`<input ...${ids} type="date" value=${query.until} onChange=${choose("until")} />`}
      />
    </div>
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${value === null && problem === null && html`<p class="soft" role="status">Loading the usage…</p>`}
    ${value !== null && html`<${Table} usage=${value} ofAll=${ofAll} />`}
  </div>`;
}

/** @param {{ usage: Usage, ofAll: boolean }} props */
function Table({ usage: { items, total, by, since, until, storage }, ofAll }) {
  if (items.length === 0)
    return html`<p class="soft nothing">No question from ${since} to ${until}.</p>`;
  const showsKey = ofAll && by !== "key";
  const words = GROUPS.find(([group]) => group === by)?.[1];
  const cells = (/** @type {Usage["total"]} */ row) =>
    html`${[row.questions, row.calls, row.input, row.output].map((n) => html`<td>${n.toLocaleString("en")}</td>`)}
      ${[row.cost, row.paid].map((n) => html`<td>${row.unpriced > 0 && n === 0 ? "unknown" : money(n)}</td>`)}`;
  return html`<div class="table-box" tabindex="0" role="region" aria-label="Usage">
      <table class="usage">
        <thead>
          <tr>
            ${showsKey && html`<th scope="col">Key</th>`}
            ${[words, "Questions", "Calls", "Tokens sent", "Tokens generated", "Full price", "Paid"].map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${items.map(
            (row) => html`<tr key=${`${row.key} ${row.group}`}>
              ${showsKey && html`<td>${row.key ?? "no key"}</td>`}
              <th scope="row">${row.group ?? (by === "model" ? "no model" : "no key")}</th>
              ${cells(row)}
            </tr>`,
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colspan=${showsKey ? 2 : 1}>Total</th>
            ${cells(total)}
          </tr>
        </tfoot>
      </table>
    </div>
    <p class="soft">
      ${since} to ${until} (UTC). Full price: as if no reply had been stored before.
      ${total.unpriced > 0 && html` Without ${count(total.unpriced, "call")} of unknown price.`}
    </p>
    <ul class="reports" aria-label="Storage">
      ${storage.map(({ key, bytes }) => html`<li key=${key}>${key ?? "All videos"}: ${size(bytes)} stored</li>`)}
    </ul>`;
}
