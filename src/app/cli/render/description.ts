import type { DataDescription } from "../../../../evals/describe/describe-data.ts";
import { descriptionTables, problemsOf } from "../../../../evals/describe/tables.ts";
import { printable, table } from "../output.ts";

/** The statistics of a set of questions. */
export function renderDescription(data: DataDescription): string {
  const tables = descriptionTables(data).flatMap(({ title, rows, remarks }) => {
    const shown = rows.filter((row) => row.some((cell) => cell !== ""));
    return ["", title, table(shown.map((row) => row.map(printable))), ...remarks];
  });
  return [
    printable(
      `${data.title}${data.subset === null ? "" : `, ${data.subset}`}: ${data.files.join(", ")} (SHA-256 ${data.hash.slice(0, 12)}...)`,
    ),
    ...data.reading.map(printable),
    ...tables,
    ...problemsOf(data).map((one, place) => `${place === 0 ? "\n" : ""}check: ${printable(one)}`),
  ].join("\n");
}
