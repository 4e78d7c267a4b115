import { withSpeaker } from "../../../core/evidence.ts";
import type { Evidence } from "../../../core/shapes.ts";
import { clock } from "../../../core/time.ts";
import { shownText } from "../../../pages/answer-words.js";
import { printable, table } from "../output.ts";

/** One line for each item: time, kind and text. */
export function renderEvidence(items: readonly Evidence[]): string {
  return table(
    items.map((item) => [
      `${clock(item.start_s)}-${clock(item.end_s)}`,
      item.clip === undefined ? item.kind : `${item.kind}, clip ${item.clip}`,
      printable(item.text === "" ? shownText(item) : withSpeaker(item))
        .replace(/\s+/g, " ")
        .trim(),
    ]),
  );
}
