/** @import { OrderingDiagnostics } from "./types.d.ts" */
import { el } from "./dom.js";
import { count } from "./format.js";

/**
 * Pairwise judgements as a table, rows and columns in the order found. src/pages/preference-matrix.ts makes the same
 * for pages without scripts.
 *
 * @param {Record<string, unknown> | undefined} diagnostics of an answer
 * @param {string | number[] | null} answer
 */
export function matrix(diagnostics, answer) {
  const ordering = /** @type {OrderingDiagnostics | undefined} */ (diagnostics?.ordering);
  if (ordering === undefined || !Array.isArray(ordering.matrix)) return null;
  const order = Array.isArray(answer) ? answer : ordering.clips;
  const clips = order.filter((clip) => ordering.clips.includes(clip));
  const judged = ordering.matrix.some((row) => row.some((weight) => weight !== null));
  return el(
    "section",
    { class: "panel" },
    el("h3", {}, "How the order was found"),
    judged ? table(ordering, clips) : null,
    el("p", { class: "soft" }, summary(ordering)),
  );
}

/**
 * @param {OrderingDiagnostics} ordering
 * @param {number[]} clips
 */
function table(ordering, clips) {
  const weight = (/** @type {number} */ row, /** @type {number} */ column) =>
    ordering.matrix[ordering.clips.indexOf(row)]?.[ordering.clips.indexOf(column)] ?? null;
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Pairwise judgements" },
    el(
      "table",
      { class: "matrix" },
      el(
        "caption",
        {},
        "Judged probability that the clip of the row comes before the clip of the column: 1 certainly, 0 certainly not, a dot: not judged. ✗ contradicts the order found.",
      ),
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          el("td", {}),
          clips.map((clip) => el("th", { scope: "col" }, `Clip ${clip}`)),
        ),
      ),
      el(
        "tbody",
        {},
        clips.map((row, place) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, `Clip ${row}`),
            clips.map((column, other) =>
              cell(place === other ? null : weight(row, column), place < other),
            ),
          ),
        ),
      ),
    ),
  );
}

/**
 * @param {number | null} weight
 * @param {boolean} above
 */
function cell(weight, above) {
  if (weight === null) return el("td", { class: "number soft" }, "·");
  const against = weight !== 0.5 && weight > 0.5 !== above;
  const shade = el(
    "td",
    { class: `number${against ? " against" : ""}` },
    shown(weight),
    against ? el("span", { role: "img", "aria-label": "against the order" }, " ✗") : null,
  );
  return shade;
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
