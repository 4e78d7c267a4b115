import { unescapePython } from "../python-escapes.ts";

/** A string literal that is assigned to a name in a Python file. */
export interface PythonLiteral {
  variable: string;
  /** Function around it; null at the top of the file. */
  inside: string | null;
  value: string;
}

const ASSIGNMENT = /^([ \t]*)([A-Za-z_]\w*)[ \t]*=[ \t]*\(?[ \t]*([rRuUbBfF]{0,2})("""|'''|"|')/gm;
const FUNCTION = /^([ \t]*)(?:async[ \t]+)?def[ \t]+([A-Za-z_]\w*)/gm;

/**
 * Every `name = "..."` of a Python source, also in triple quotes, with its escapes read. Not a parser: expressions that
 * compose a text are not followed.
 */
export function pythonLiterals(source: string): PythonLiteral[] {
  const text = source.replaceAll("\r\n", "\n");
  const functions = [...text.matchAll(FUNCTION)].map((match) => ({
    at: match.index,
    indent: match[1]?.length ?? 0,
    name: match[2] ?? "",
  }));
  const found: PythonLiteral[] = [];
  let end = 0;
  for (const match of text.matchAll(ASSIGNMENT)) {
    // A line of a literal may look like an assignment.
    if (match.index < end) continue;
    const [whole, indent = "", variable = "", prefix = "", mark = '"'] = match;
    const body = literalBody(text, match.index + whole.length, mark);
    if (body === null) continue;
    end = body.end;
    const around = functions.findLast(
      ({ at, indent: of }) => at < match.index && of < indent.length,
    );
    const raw = /r/i.test(prefix);
    found.push({
      variable,
      inside: around?.name ?? null,
      value: raw ? body.text : unescapePython(body.text),
    });
  }
  return found;
}

function literalBody(
  text: string,
  start: number,
  mark: string,
): { text: string; end: number } | null {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text.startsWith(mark, at)) return { text: text.slice(start, at), end: at };
    else if (text[at] === "\n" && mark.length === 1) return null;
  }
  return null;
}
