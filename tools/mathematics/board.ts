/*
 * A board fills up: what was read of its pictures, one after another, joined into lines with the time at which each
 * stood complete.
 */

/** What was read of one picture and when it stood, seconds. */
export interface BoardReading<T> {
  start_s: number;
  end_s: number;
  lines: readonly string[];
  /** The picture itself, handed through. */
  of: T;
}

export interface BoardLine<T> {
  text: string;
  /** When it first stood complete. */
  start_s: number;
  end_s: number;
  /** When its beginning was first seen; `start_s` where it came as a whole. */
  began_s: number;
  /** Whether it went while other lines of the board stayed. */
  erased: boolean;
  of: T;
}

/** Seconds that a line may be missed and still be the same. */
const GAP_S = 2;

/**
 * Lines over all readings, by time. A line that goes on in a later reading is one, in its last full state; one that
 * comes back later is another.
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

/** A line that is being written; a place left open (`= ?`) is filled. */
function goesOn(before: string, after: string): boolean {
  const [short, long] = [bare(before).replace(/(?:\?|\\square|_+)$/, ""), bare(after)];
  return short.length > 1 && short.length < long.length && long.startsWith(short);
}

/** Characters of a line as tesseract reads it, in LaTeX; nothing is made of what has no meaning. */
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

/** `sqrt(...)` and `√(...)` with what their brackets hold, brackets in it included. */
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
