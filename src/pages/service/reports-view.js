import { listReports, reportUrl } from "./api.js";
import { day, size } from "./format.js";
import { html } from "./html.js";
import { FailureNotice } from "./notices.js";
import { useFetched } from "./use-fetched.js";

/** Reports of evaluations in the service's folder of reports. */
export function ReportsView() {
  const { value, problem, again } = useFetched(listReports, []);
  return html`<div class="narrow">
    <h1 tabindex="-1">Evaluation reports</h1>
    ${problem !== null && html`<${FailureNotice} sentence=${problem} again=${again} />`}
    ${problem === null && value === null && html`<p class="soft">Loading the reports…</p>`}
    ${value?.items.length === 0 && html`<${NoReport} />`}
    <ul class="reports">
      ${value?.items.map(
        ({ name, size: bytes, modified_at }) => html`<li key=${name}>
          <a href=${reportUrl(name)} target="_blank" rel="noopener">${name}</a>
          <span class="soft"> ${size(bytes)} · ${day(modified_at)}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}

function NoReport() {
  return html`<p class="soft nothing">
    No report yet. <code>video-rrd report RUNS -o reports/NAME.html</code> writes one into the folder that the service
    was started with.
  </p>`;
}
