const ESCAPES: Record<string, string> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

/** The text of a Python string literal without its quotes: `\n`, `\xe9`, `\u2019`, `\U0001f600`. Other escapes stay. */
export function unescapePython(literal: string): string {
  return literal.replace(
    /\\(U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\s\S])/g,
    (whole, what: string) => {
      if (what.length === 1) return ESCAPES[what] ?? whole;
      const code = Number.parseInt(what.slice(1), 16);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
}
