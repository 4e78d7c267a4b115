/*
 * How `cot_step_evaluation.py` of lmms-eval reads a score out of a judge's reply. Its quirks stay: what it cannot
 * read is 0, and a score of any size counts.
 */

/** The text after the last `SCORE_CARD: `, read as JSON or as a Python dictionary; null if that fails, which counts as 0. */
export function officialScore(reply: string): number | null {
  const card = parse(reply.trim().split("SCORE_CARD: ").at(-1) ?? "");
  if (typeof card !== "object" || card === null || Array.isArray(card)) return null;
  const { critique = "", score = 0 } = card as Record<string, unknown>;
  // `critique.strip()` fails on anything but text, and the whole card with it.
  return typeof critique === "string" ? pythonInt(score) : null;
}

function parse(text: string): unknown {
  for (const candidate of [text, asJson(text)])
    try {
      if (candidate !== null) return JSON.parse(candidate);
    } catch {
      // Neither form: the released code continues without a score, and so does the caller.
    }
  return null;
}

/** `int(value)`: whole numbers as text are read, fractions cut off. */
function pythonInt(value: unknown): number | null {
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "string" || !/^\s*[+-]?\d+(_\d+)*\s*$/.test(value)) return null;
  return Number(value.replaceAll("_", ""));
}

const TOKEN =
  /\s+|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|True|False|None|[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[{}[\]:,]/gy;
const NAMES: Record<string, string> = { True: "true", False: "false", None: "null" };

/** A Python dictionary of texts, decimal numbers, names and lists as JSON; null for anything else. */
function asJson(text: string): string | null {
  let json = "";
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) return null;
    if (/^['"]/.test(token)) json += JSON.stringify(unescaped(token.slice(1, -1)));
    else if (/^[+-]?0\d/.test(token)) return null;
    else json += /\d/.test(token) ? String(Number(token)) : (NAMES[token] ?? token);
  }
  // Python allows a comma before the closing brace.
  return json.replace(/,\s*([}\]])\s*$/, "$1");
}

function unescaped(text: string): string {
  const named: Record<string, string> = { n: "\n", t: "\t", r: "\r" };
  return text.replace(/\\(.)/g, (_escape, sign: string) => named[sign] ?? sign);
}
