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

/** `2019`, `Q1`, `Week 2`, `FY 2020`: the name of one of several columns that are counted. */
const YEAR = "(?:19|20)\\d{2}";
const NUMBERED = new RegExp(`^(?:${YEAR}|\\p{L}+[ .-]?(?:\\d{1,2}|${YEAR}))$`, "u");

/** The names of columns in one text: `Week 1` is one name. */
export function columnNames(text: string): string[] {
  return text.match(/\p{L}+\.? \d{1,2}(?!\S)|\S+/gu) ?? [];
}

/**
 * Returns the place in a table of each cell of each line; null for lines outside tables. A table is a line that names at
 * least two columns, and lines below it with figures in as many columns. Names have no figures, or are years or counted.
 */
export function findTables(lines: readonly (readonly string[])[]): (Cell[] | null)[] {
  const found: (Cell[] | null)[] = lines.map(() => null);
  let table = 0;
  for (const isName of [isPlain, isNumbered])
    for (const [at, cells] of lines.entries()) {
      const below = lines[at + 1];
      if (below === undefined || below.length < 3) continue;
      if (!below.slice(1).some((cell) => /\d/.test(cell))) continue;
      const names = cells.length === 1 ? columnNames(cells[0] ?? "") : cells;
      const shift = below.length - names.length;
      if (shift < 0 || shift > 1 || !isName(names, below)) continue;
      // A row of a table is no header of another one.
      if (isName === isNumbered && (found[at] !== null || found[at + 1] !== null)) continue;
      found[at] = names.map((_, column) => ({ table, column: column + shift, header: true }));
      for (let row = at + 1; lines[row]?.length === below.length; row++)
        found[row] = below.map((_, column) => ({ table, column, header: false }));
      table++;
    }
  return found;
}

function isPlain(names: readonly string[]): boolean {
  return names.every((name) => !/\d/.test(name));
}

/** Rows of years are values, as there is no line that would name them. */
function isNumbered(names: readonly string[], below: readonly string[]): boolean {
  const isCounted = (name: string) => NUMBERED.test(name.trim());
  return (
    new Set(names.map((name) => name.trim().toLowerCase())).size === names.length &&
    names.every((name) => isCounted(name) || !/\d/.test(name)) &&
    !below.slice(1).every(isCounted)
  );
}
