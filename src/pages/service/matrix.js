/** @import { OrderingDiagnostics } from "./types.d.ts" */
import { count } from "./format.js";
import { html, useId } from "./html.js";

/**
 * Pairwise judgements as a heat map, rows and columns in the order found. src/pages/preference-matrix.ts makes the same
 * for pages without scripts.
 *
 * @param {{ diagnostics: Record<string, unknown> | undefined, answer: string | number[] | null }} props
 */
export function Matrix({ diagnostics, answer }) {
  const ordering = /** @type {OrderingDiagnostics | undefined} */ (diagnostics?.ordering);
  if (ordering === undefined || !Array.isArray(ordering.matrix)) return null;
  const order = Array.isArray(answer) ? answer : ordering.clips;
  const clips = order.filter((clip) => ordering.clips.includes(clip));
  const judged = ordering.matrix.some((row) => row.some((weight) => weight !== null));
  return html`<section>
    <h4>How the order was found</h4>
    ${judged && html`<${Table} ordering=${ordering} clips=${clips} />`}
    <p class="soft">${summary(ordering)}</p>
  </section>`;
}

/** @param {{ ordering: OrderingDiagnostics, clips: number[] }} props */
function Table({ ordering, clips }) {
  const weight = (/** @type {number} */ row, /** @type {number} */ column) =>
    ordering.matrix[ordering.clips.indexOf(row)]?.[ordering.clips.indexOf(column)] ?? null;
  const id = useId();
  return html`<p class="soft" id=${id}>
      Judged probability that the clip of the row comes before the clip of the column: 1 certainly, 0 certainly not, a dot:
      not judged. ✗ contradicts the order found.
    </p>
    <div class="scroll" tabindex="0" role="group" aria-label="Pairwise judgements">
    <table class="matrix" aria-describedby=${id}>
      <thead>
        <tr>
          <td></td>
          ${clips.map((clip) => html`<th scope="col" key=${clip}>Clip ${clip}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${clips.map(
          (row, place) => html`<tr key=${row}>
            <th scope="row">Clip ${row}</th>
            ${clips.map(
              (column, other) => html`<${Cell}
                key=${column}
                weight=${place === other ? null : weight(row, column)}
                above=${place < other}
              />`,
            )}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** @param {{ weight: number | null, above: boolean }} props */
function Cell({ weight, above }) {
  if (weight === null) return html`<td class="number soft">·</td>`;
  const against = weight !== 0.5 && weight > 0.5 !== above;
  return html`<td class=${`number heat ${weight >= 0.5 ? "before" : "after"}`} style=${{ "--heat": String(Math.abs(weight - 0.5) * 2) }}>
    ${shown(weight)}${against && html`<span role="img" aria-label="against the order"> ✗</span>`}
  </td>`;
}

/** @param {number} weight */
function shown(weight) {
  return Number.isInteger(weight) ? String(weight) : weight.toFixed(2);
}

/** @param {OrderingDiagnostics} ordering */
function summary({ method, pairs_both_ways, contradictions, cycles, margin, invalid }) {
  const parts = [
    pairs_both_ways === 0
      ? ""
      : `${contradictions} of ${count(pairs_both_ways, "pair")} compared both ways contradict themselves`,
    count(cycles, "cycle"),
    margin === null ? "" : `${shown(margin)} ahead of the second-best order`,
    invalid === 0 ? "" : count(invalid, "unreadable reply", "unreadable replies"),
  ];
  return `Ordered by ${method}: ${parts.filter((part) => part !== "").join(", ")}.`;
}
