import { Failure } from "../../../src/core/errors.ts";
import type { Table } from "../read-table.ts";
import { textOf } from "./cells.ts";
import { columnList } from "./columns.ts";

/* Chooses the columns by which scores are grouped. */

/** Most values of a column that is not named but used as a group. */
export const MOST_GROUPS = 20;
const PREFIX = "group:";

export interface GroupColumn {
  column: string;
  /** The kind of the groups: the name of the column, without `group:`. */
  kind: string;
}

/**
 * The columns to group by: the named ones; otherwise those called `group:...`; otherwise every column without a role that
 * has at most 20 different values, at least one of them repeated. Throws `Failure` `data-malformed` for a named column that
 * is missing.
 */
export function groupColumns(
  { rows, columns }: Pick<Table, "rows" | "columns">,
  others: readonly string[],
  named: readonly string[] | undefined,
  file: string,
): GroupColumn[] {
  if (named !== undefined)
    return named.map((name) => {
      const column = [name, `${PREFIX}${name}`].find((one) => columns.includes(one));
      if (column !== undefined) return { column, kind: kindOf(column) };
      throw new Failure(
        "data-malformed",
        `Invalid --group ${name}: ${file} has no such column. Its columns are ${columnList(columns)}.`,
        { file, columns },
      );
    });
  const marked = others.filter(isMarked);
  const chosen = marked.length > 0 ? marked : others.filter((column) => isGroup(rows, column));
  return chosen.map((column) => ({ column, kind: kindOf(column) }));
}

/** Whether a column is called `group:...`, as `export` writes groups. */
export function isMarked(column: string): boolean {
  return column.toLowerCase().startsWith(PREFIX);
}

function kindOf(column: string): string {
  return isMarked(column) ? column.slice(PREFIX.length).trim() : column;
}

function isGroup(rows: Table["rows"], column: string): boolean {
  const values = rows.flatMap(({ row }) => {
    const value = row[column];
    return value === null || value === undefined || value === "" ? [] : [value];
  });
  const texts = values.map(textOf);
  const distinct = new Set(texts);
  return (
    texts.every((text) => text !== null) &&
    distinct.size >= 1 &&
    distinct.size <= MOST_GROUPS &&
    distinct.size < values.length
  );
}
