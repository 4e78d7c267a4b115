const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^[-+]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?\s?%?$/i;

/**
 * A text as a cell of CSV: one that a spreadsheet would take for a formula begins with an apostrophe, since texts of
 * models and users are not trusted. A plain number such as `-12` or `+5 %` is none.
 *
 * @example spreadsheetCell("=1+1") // "'=1+1"
 */
export function spreadsheetCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
