import type { Evidence } from "../../../core/shapes.ts";
import { clock } from "../../../core/time.ts";
import { printable, table } from "../output.ts";

/** One line for each item: time, kind and text. */
export function renderEvidence(items: readonly Evidence[]): string {
  return table(
    items.map(({ start_s, end_s, kind, clip, text, data }) => [
      `${clock(start_s)}-${clock(end_s)}`,
      clip === undefined ? kind : `${kind}, clip ${clip}`,
      data?.unread === true ? "(not read)" : printable(text).replace(/\s+/g, " ").trim(),
    ]),
  );
}
