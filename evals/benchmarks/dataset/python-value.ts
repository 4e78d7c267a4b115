import { unescapePython } from "../python-escapes.ts";

/** Null for `None` and `nan`; numbers, `True` and `False` as they are written. */
export type PythonValue = string | null | PythonValue[] | { [key: string]: PythonValue };

const TEXT = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"`;
const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const TOKEN = new RegExp(
  String.raw`\s*(?:(?<text>${TEXT})|(?<word>${NUMBER}|True|False)|(?<none>None|nan)|(?<sign>array\(|dtype=[^,()]+|[[\](){},:]))`,
  "sy",
);
const CLOSING: Readonly<Record<string, string>> = { "[": "]", "(": ")" };
const MOST_NESTED = 20;

type Token = { value: string | null } | { sign: string };

/**
 * The list or dictionary that Python printed as this text, which pandas writes into CSV files; also numpy's arrays, whose
 * items have no commas. Undefined for any other text.
 *
 * @example
 * pythonValue("['red' 'blue']"); // ["red", "blue"]
 * pythonValue("{'A': 'red', 'B': None}"); // { A: "red", B: null }
 */
export function pythonValue(text: string): PythonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const tokens = tokensOf(text.trimEnd());
  if (tokens === null) return undefined;
  const read = valueAt(tokens, 0, 0);
  return read !== null && read.next === tokens.length ? read.value : undefined;
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return null;
    at = TOKEN.lastIndex;
    const { text: quoted, word, sign } = match.groups ?? {};
    if (sign !== undefined) tokens.push({ sign });
    else if (quoted !== undefined) tokens.push({ value: unescapePython(quoted.slice(1, -1)) });
    else tokens.push({ value: word ?? null });
  }
  return tokens;
}

/** A value and the place of the token after it; null if it is malformed. */
type Read<V> = { value: V; next: number } | null;

function valueAt(tokens: readonly Token[], at: number, depth: number): Read<PythonValue> {
  const token = tokens[at];
  if (token === undefined || depth > MOST_NESTED) return null;
  if ("value" in token) return { value: token.value, next: at + 1 };
  if (token.sign === "array(") return arrayAt(tokens, at + 1, depth);
  if (token.sign === "{") return dictionaryAt(tokens, at + 1, depth);
  const closing = CLOSING[token.sign];
  return closing === undefined ? null : listAt(tokens, at + 1, depth, closing);
}

function listAt(
  tokens: readonly Token[],
  start: number,
  depth: number,
  closing: string,
): Read<PythonValue[]> {
  const value: PythonValue[] = [];
  let next = start;
  while (!isSign(tokens[next], closing)) {
    const item = valueAt(tokens, next, depth + 1);
    if (item === null) return null;
    value.push(item.value);
    next = isSign(tokens[item.next], ",") ? item.next + 1 : item.next;
  }
  return { value, next: next + 1 };
}

/** `array(['a', 'b'], dtype=object)` */
function arrayAt(tokens: readonly Token[], start: number, depth: number): Read<PythonValue> {
  const read = valueAt(tokens, start, depth + 1);
  if (read === null) return null;
  const end = tokens.findIndex((token, at) => at >= read.next && isSign(token, ")"));
  return end === -1 ? null : { value: read.value, next: end + 1 };
}

function dictionaryAt(tokens: readonly Token[], start: number, depth: number): Read<PythonValue> {
  const entries: [string, PythonValue][] = [];
  let next = start;
  while (!isSign(tokens[next], "}")) {
    const key = tokens[next];
    if (key === undefined || !("value" in key) || !isSign(tokens[next + 1], ":")) return null;
    const member = valueAt(tokens, next + 2, depth + 1);
    if (member === null) return null;
    entries.push([String(key.value), member.value]);
    next = isSign(tokens[member.next], ",") ? member.next + 1 : member.next;
  }
  return { value: Object.fromEntries(entries), next: next + 1 };
}

function isSign(token: Token | undefined, sign: string): boolean {
  return token !== undefined && "sign" in token && token.sign === sign;
}
