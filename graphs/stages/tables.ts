/*
 * Tables on slides: the cells of a line, and which line names the columns.
 */

/** A line of a slide with its cells, from left to right. */
export interface TableLine<T> {
  line: T;
  cells: readonly string[];
}

/** Where a cell is: `header` in the line that names the columns. */
export interface Cell {
  table: number;
  column: number;
  header: boolean;
}

const SEPARATOR = /\s*[|¦]\s*|\t+|\s{3,}/;
const FIGURE = /^[-−]?[\d.,]+\s?[%°\p{L}/²³$€£]{0,6}$/u;

/** The cells of one line of text: separated by bars or wide gaps, or a name and figures in a row. */
export function cellsOf(text: string): string[] {
  const cells = text.split(SEPARATOR).filter((cell) => cell.trim() !== "");
  if (cells.length > 1) return cells;
  const words = text.trim().split(/\s+/);
  const from = words.findIndex((word) => FIGURE.test(word) && /\d/.test(word));
  const figures = from < 0 ? [] : words.slice(from);
  const isRow = from > 0 && figures.length > 1 && figures.every((word) => FIGURE.test(word));
  return isRow ? [words.slice(0, from).join(" "), ...figures] : [text];
}

/**
 * Returns the place in a table of each cell of each line; null for lines outside tables. A table is a line without
 * figures that names at least two columns, and lines below it with figures in as many columns.
 */
export function findTables(lines: readonly (readonly string[])[]): (Cell[] | null)[] {
  const found: (Cell[] | null)[] = lines.map(() => null);
  let table = 0;
  for (const [at, cells] of lines.entries()) {
    const below = lines[at + 1];
    if (below === undefined || below.length < 3 || !below.slice(1).some((cell) => /\d/.test(cell)))
      continue;
    const names = cells.length === 1 ? (cells[0] ?? "").trim().split(/\s+/) : cells;
    const shift = below.length - names.length;
    if (shift < 0 || shift > 1 || names.some((name) => /\d/.test(name))) continue;
    found[at] = names.map((_, column) => ({ table, column: column + shift, header: true }));
    for (let row = at + 1; lines[row]?.length === below.length; row++)
      found[row] = below.map((_, column) => ({ table, column, header: false }));
    table++;
  }
  return found;
}
