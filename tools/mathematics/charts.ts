import { byTimeKindId, makeEvidence } from "../../src/core/evidence.ts";
import type { Box, Evidence } from "../../src/core/shapes.ts";

/** A label with its value, one above the other in a bar chart. */
interface Column {
  label: Evidence;
  value: Evidence;
}

const LEAST_COLUMNS = 3;
const VALUE = /^-?\d+(?:[.,]\d+)?\s*(?:%|[A-Za-z]{1,3})?$/;

/**
 * Finds charts among the texts that were read: at least three numbers in one frame, each in its own column with a label
 * below. Each chart becomes one text, `Chart: Pears 7; Apples 12`, composed of its labels and values.
 */
export function findCharts(evidence: readonly Evidence[]): Evidence[] {
  const placed = evidence.filter(
    ({ kind, box, frame }) => kind === "text" && box !== undefined && frame !== undefined,
  );
  const frames = Map.groupBy(placed, ({ frame }) => frame?.hash ?? "");
  return [...frames.values()].flatMap((items) => {
    const columns = columnsOf(items);
    return columns.length < LEAST_COLUMNS ? [] : [chartOf(columns)];
  });
}

function columnsOf(items: readonly Evidence[]): Column[] {
  const values = items.filter(({ text }) => VALUE.test(text.trim()));
  const labels = items.filter(({ text }) => /\p{L}{2}/u.test(text) && !VALUE.test(text.trim()));
  const columns = values.flatMap((value): Column[] => {
    const under = labels
      .filter((label) => isColumn(value.box as Box, label.box as Box))
      .sort((a, b) => (b.box?.y ?? 0) - (a.box?.y ?? 0));
    const [label] = under;
    return label === undefined ? [] : [{ label, value }];
  });
  const once = columns.filter(
    ({ label }) => columns.filter((other) => other.label.id === label.id).length === 1,
  );
  return once.sort((a, b) => (a.label.box?.x ?? 0) - (b.label.box?.x ?? 0));
}

/** Whether the label is below the number and their centres overlap horizontally. */
function isColumn(value: Box, label: Box): boolean {
  const middle = (box: Box) => box.x + box.width / 2;
  const apart = Math.abs(middle(value) - middle(label));
  return label.y > value.y + value.height && apart <= Math.max(value.width, label.width) / 2;
}

function chartOf(columns: readonly Column[]): Evidence {
  const members = columns.flatMap(({ label, value }) => [label, value]).sort(byTimeKindId);
  const [first] = members as [Evidence, ...Evidence[]];
  const values = Object.fromEntries(
    columns.map(({ label, value }) => [label.text.trim(), value.text.trim()]),
  );
  return makeEvidence({
    video: first.video,
    kind: "text",
    start_s: Math.max(...members.map(({ start_s }) => start_s)),
    end_s: Math.max(...members.map(({ end_s }) => end_s)),
    text: `Chart: ${Object.entries(values)
      .map(([label, value]) => `${label} ${value}`)
      .join("; ")}`,
    frame: first.frame,
    data: { shows: "chart", values },
    by: { who: "tool", name: "tesseract" },
    confidence: null,
    from: members.map(({ id }) => id),
  });
}
