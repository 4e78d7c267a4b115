import { html } from "hono/html";
import { countOf } from "../core/count-of.ts";
import type { OrderingDiagnostics } from "../core/ordering.ts";

/**
 * Pairwise judgements as a table. Rows and columns are in the order found, so that judgements above the diagonal support
 * it and those below contradict it. Empty without pairwise judgements. `of` names the answer, on a page with several.
 */
export function preferenceMatrix(
  ordering: OrderingDiagnostics,
  order: readonly number[],
  of?: string,
) {
  const clips = order.filter((clip) => ordering.clips.includes(clip));
  const judged = ordering.matrix.some((row) => row.some((weight) => weight !== null));
  if (!judged) return html`<p class="soft">${summary(ordering)}</p>`;
  const weight = (row: number, column: number) =>
    ordering.matrix[ordering.clips.indexOf(row)]?.[ordering.clips.indexOf(column)] ?? null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Pairwise judgements${of === undefined ? "" : `: ${of}`}"><table class="matrix">
<caption>How surely the clip of the row, shown first, was judged to come before the clip of the column: 1 is sure, 0 is surely not, a dot was not asked. ✗ speaks against the order found.</caption>
<thead><tr><td></td>${clips.map((clip) => html`<th scope="col">Clip ${clip}</th>`)}</tr></thead>
<tbody>${clips.map(
    (row, place) =>
      html`<tr><th scope="row">Clip ${row}</th>${clips.map((column, other) =>
        cell(place === other ? null : weight(row, column), place < other),
      )}</tr>`,
  )}</tbody></table></div>
<p class="soft">${summary(ordering)}</p>`;
}

function cell(weight: number | null, agreesAbove: boolean) {
  if (weight === null) return html`<td class="number soft">·</td>`;
  const against = weight !== 0.5 && weight > 0.5 !== agreesAbove;
  // How sure the judgement is, from 0 to 1.
  const heat = Math.round(Math.abs(weight - 0.5) * 200) / 100;
  return html`<td class="number heat ${weight >= 0.5 ? "before" : "after"}" style="--heat:${heat}">${shown(weight)}${against ? html` <span role="img" aria-label="against the order">✗</span>` : ""}</td>`;
}

function shown(weight: number): string {
  return Number.isInteger(weight) ? String(weight) : weight.toFixed(2);
}

/** The diagnostics as text. */
export function summary(ordering: OrderingDiagnostics): string {
  const { method, pairs_both_ways, contradictions, cycles, margin, invalid, weighed } = ordering;
  const parts = [
    ...(pairs_both_ways > 0
      ? [`${contradictions} of ${pairs_both_ways} pairs compared both ways contradict themselves`]
      : []),
    `${countOf(cycles, "cycle")} of three`,
    ...(margin === null ? [] : [`${shown(margin)} ahead of the second-best order`]),
    ...(invalid > 0 ? [`${invalid} unreadable ${invalid === 1 ? "reply" : "replies"}`] : []),
    ...(weighed > 0 ? [`${weighed} judgements weighed by log-probability`] : []),
  ];
  return `Ordered by ${method}: ${parts.join(", ")}.`;
}
