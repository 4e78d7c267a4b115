/*
 * Joins the lines read from successive pictures of a board, and finds the time at which each line was complete.
 */

/** The lines read from one picture, and the time span in which it was visible, in seconds. */
export interface BoardReading<T> {
  start_s: number;
  end_s: number;
  lines: readonly string[];
  /** The picture itself, passed through. */
  of: T;
}

export interface BoardLine<T> {
  text: string;
  /** Time at which the line was first complete. */
  start_s: number;
  end_s: number;
  /** Time at which its beginning was first visible; `start_s` if it appeared as a whole. */
  began_s: number;
  /** Whether the line disappeared while other lines of the board stayed. */
  erased: boolean;
  of: T;
}

/** Seconds for which a line may be missed and still be the same line. */
const GAP_S = 2;

/**
 * Returns the lines of all readings, in order of time. A line that continues in a later reading is one line, in its
 * last state. A line that disappears and returns is a new line.
 */
export function followBoard<T>(readings: readonly BoardReading<T>[]): BoardLine<T>[] {
  const inOrder = [...readings].sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
  const done: BoardLine<T>[] = [];
  let open: BoardLine<T>[] = [];
  for (const { start_s, end_s, lines, of } of inOrder) {
    const fresh = open.filter((line) => start_s - line.end_s <= GAP_S);
    done.push(...open.filter((line) => start_s - line.end_s > GAP_S));
    const left = new Set(fresh);
    const next = lines.map((text): BoardLine<T> => {
      const same = [...left].find((line) => bare(line.text) === bare(text));
      const grown = same ?? [...left].find((line) => goesOn(line.text, text));
      if (grown === undefined) return { text, start_s, end_s, began_s: start_s, erased: false, of };
      left.delete(grown);
      if (same !== undefined) return { ...same, end_s: Math.max(same.end_s, end_s) };
      return { text, start_s, end_s, began_s: grown.began_s, erased: false, of };
    });
    const stayed = next.some((line) => line.began_s < start_s);
    done.push(...[...left].map((line) => ({ ...line, erased: stayed })));
    open = next;
  }
  return [...done, ...open].sort((a, b) => a.start_s - b.start_s || a.end_s - b.end_s);
}

function bare(latex: string): string {
  return latex.replace(/\\[,;:! ]|\s|\\(?:left|right)\b|[{}]/g, "");
}

/** Whether the second line continues the first, or fills its gap (`= ?`). */
function goesOn(before: string, after: string): boolean {
  const [short, long] = [bare(before).replace(/(?:\?|\\square|_+)$/, ""), bare(after)];
  return short.length > 1 && short.length < long.length && long.startsWith(short);
}

/** Converts a line as tesseract reads it to LaTeX. Characters without a meaning are kept. */
export function latexOfLine(text: string): string {
  return withRoots(text.replace(/\s+/g, " ").trim())
    .replace(/²/g, "^2")
    .replace(/³/g, "^3")
    .replace(/√\s*([A-Za-z0-9]+)/g, "\\sqrt{$1}")
    .replace(/[−–—]/g, "-")
    .replace(/\s*[×✕]\s*|(?<=\d)\s+x\s+(?=\d)/g, " \\times ")
    .replace(/\s*[·∙⋅]\s*/g, " \\cdot ")
    .replace(/\s*÷\s*/g, " \\div ")
    .replace(/≤/g, "\\le ")
    .replace(/≥/g, "\\ge ")
    .replace(/≠/g, "\\ne ")
    .replace(/π/g, "\\pi ")
    .replace(/∞/g, "\\infty ")
    .replace(/°/g, "^\\circ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Converts `sqrt(...)` and `√(...)`, including nested brackets. */
function withRoots(text: string): string {
  const [whole, head = "", sign = ""] = /^(.*?)(sqrt|√\s*)\(/s.exec(text) ?? [];
  if (whole === undefined) return text;
  const inner = text.slice(head.length + sign.length);
  let depth = 0;
  for (const [at, character] of [...inner].entries()) {
    if (character === "(") depth++;
    if (character === ")" && --depth === 0)
      return `${head}\\sqrt{${withRoots(inner.slice(1, at))}}${withRoots(inner.slice(at + 1))}`;
  }
  return text;
}
