import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A fenced block of a page: ` ```LANGUAGE WORDS `. */
export interface Fence {
  language: string;
  /** `norun`, `background`. */
  words: string[];
  /** `file=grid.yaml`, `exit=1`. */
  values: Record<string, string>;
  text: string;
  /** Line of the page on which the block begins, from 1. */
  line: number;
}

export interface Page {
  /** Path below the project's folder. */
  name: string;
  text: string;
  fences: Fence[];
}

/** A block, and the output that the page shows for it, if any. */
export interface Step {
  fence: Fence;
  output: Fence | null;
}

/** Languages of blocks that show the output of the block before them. */
const OUTPUT = ["text", "json", "csv"];

export async function readPage(root: string, name: string): Promise<Page> {
  const text = await readFile(join(root, name), "utf8");
  return { name, text, fences: fencesOf(text) };
}

export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: (Fence & { lines: string[] }) | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const mark = /^```(.*)$/.exec(line);
    if (mark === null) open?.lines.push(line);
    else if (open === undefined) {
      const [language = "", ...rest] = (mark[1] ?? "").trim().split(/\s+/);
      const values = rest.flatMap((word) => {
        const at = word.indexOf("=");
        return at > 0 ? [[word.slice(0, at), word.slice(at + 1)]] : [];
      });
      const words = rest.filter((word) => !word.includes("="));
      open = {
        ...{ language, words, values: Object.fromEntries(values) },
        ...{ text: "", line: index + 1, lines: [] },
      };
    } else {
      const { lines, ...fence } = open;
      fences.push({ ...fence, text: `${lines.join("\n")}\n` });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`The block that begins on line ${open.line} has no end.`);
  return fences;
}

/** Each block with the block after it, if that one shows its output. */
export function stepsOf({ fences }: Page): Step[] {
  return fences.map((fence, index) => {
    const next = fences[index + 1];
    const shows =
      ["sh", "ts"].includes(fence.language) &&
      next !== undefined &&
      OUTPUT.includes(next.language) &&
      next.values.file === undefined;
    return { fence, output: shows ? next : null };
  });
}

/**
 * Whether `output` contains what a page shows. In the shown text `...` stands for any characters of a line, and a line of
 * only `...` for any lines. Runs of spaces are equal to one.
 */
export function showsOutput(shown: string, output: string): boolean {
  const parts = shown
    .trim()
    .split(/^\s*\.\.\.\s*$\n?/m)
    .map((part) =>
      part
        .trimEnd()
        .split("\n")
        .map((line) =>
          line
            .trim()
            .split("...")
            .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ +/g, " +"))
            .join(".*"),
        )
        .join(" *\\n *"),
    );
  return new RegExp(parts.join("[\\s\\S]*?")).test(output);
}

/** Command lines of a shell block: continued lines are joined, comments removed. */
export function commandLines(text: string): string[] {
  return text
    .replace(/\s*\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}
