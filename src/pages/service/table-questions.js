/** @import { BulkAsked } from "./types.d.ts" */
import { announce } from "./announce.js";
import { askTable, exportQuestionsUrl } from "./api.js";
import { count } from "./format.js";
import { html, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";
import { errorMessage } from "./request.js";
import { withCode } from "./with-code.js";

const EXPORTS = /** @type {const} */ ([
  ["csv", "Table (CSV)"],
  ["jsonl", "All details (JSON Lines)"],
  ["rows", "Reviewed answers as a data set"],
  ["sidecar", "Corrected evidence as sidecars"],
]);
/** Wrong rows that are listed; the count names the others. */
const MOST_ERRORS = 20;

/**
 * Asks the questions of a table at once, and exports the listed ones.
 * @param {{ mayAsk: boolean, filters: Record<string, string | undefined>, asked: () => void }} props
 */
export function TableQuestions({ mayAsk, filters, asked }) {
  return html`<div class="table-questions">
    ${mayAsk && html`<${AskTable} asked=${asked} />`}
    <details>
      <summary>Export</summary>
      <ul class="plain">
        ${EXPORTS.map(
          ([as, words]) =>
            html`<li><a href=${exportQuestionsUrl({ as, ...filters })} download>${words}</a></li>`,
        )}
      </ul>
    </details>
  </div>`;
}

/** @param {{ asked: () => void }} props */
function AskTable({ asked }) {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [checked, setChecked] = useState(/** @type {BulkAsked | null} */ (null));
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));

  const trying = async (/** @type {() => Promise<void>} */ work) => {
    setProblem("");
    setBusy(true);
    await work().catch((error) => setProblem(errorMessage(error)));
    setBusy(false);
  };
  const choose = () => {
    const chosen = input.current?.files?.[0] ?? null;
    if (input.current !== null) input.current.value = "";
    if (chosen === null) return;
    setFile(chosen);
    setChecked(null);
    trying(async () => setChecked(await askTable(chosen, { dry_run: "true", partial: "true" })));
  };
  const askNow = () =>
    trying(async () => {
      if (file === null) return;
      const { items } = await askTable(file, { partial: "true" });
      announce(`Asked ${count(items.length, "question")}.`);
      setFile(null);
      setChecked(null);
      asked();
    });

  return html`<details>
    <summary>Ask from a table</summary>
    <p class="soft">
      A CSV file with a header, or JSON Lines, with the columns <code>video</code> (name or id), <code>question</code>,
      and if needed <code>options</code>, <code>task</code>, <code>goal</code>. Nothing is asked before you have seen
      what is wrong.
    </p>
    <button type="button" disabled=${isBusy} onClick=${() => input.current?.click()}>
      <${Icon} name="upload" /> Choose a table
    </button>
    <input
      ref=${input}
      type="file"
      accept=".csv,.jsonl,.ndjson"
      class="hidden"
      tabindex="-1"
      aria-label="Table of questions"
      onChange=${choose}
    />
    ${problem !== "" && html`<p class="problem" role="alert">${withCode(problem)}</p>`}
    ${
      checked !== null &&
      html`<div role="status">
        <p>
          ${file?.name}: ${count(checked.checked, "question")} can be asked${checked.errors.length > 0 ? `, ${count(checked.errors.length, "error")} found` : ""}.
        </p>
        <ul>
          ${checked.errors
            .slice(0, MOST_ERRORS)
            .map(
              ({ row, column, detail }) =>
                html`<li>${row}${column === null ? "" : `, column ${column}`}: ${detail}</li>`,
            )}
        </ul>
        ${
          checked.checked > 0 &&
          html`<button type="button" class="primary" disabled=${isBusy} onClick=${askNow}>
            Ask ${count(checked.checked, "question")}
          </button>`
        }
      </div>`
    }
  </details>`;
}
