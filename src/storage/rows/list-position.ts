import type { ListPosition } from "../../core/service-lists.ts";

/** The position of a row of a list, whose column `sort_value` has the value that the list is sorted by. */
export function positionOf(row: Record<string, unknown> | undefined): ListPosition | null {
  if (row === undefined) return null;
  const value = row.sort_value;
  return { value: typeof value === "number" ? value : String(value), id: String(row.id) };
}
