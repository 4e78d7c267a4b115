import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import type { Rendered } from "../../prompts/load-prompts.ts";
import { sha256 } from "../../src/core/hash.ts";

const LARGEST = 20_000;

/** A rubric as a run stores it: its text, so that the same grades are found without the file. */
const StoredRubric = z.object({ path: z.string(), sha256: z.string(), text: z.string().min(1) });
type StoredRubric = z.infer<typeof StoredRubric>;

/** The path of a rubric, which is read, or a stored rubric. */
export const Rubric = z.union([
  StoredRubric,
  z.string().transform((path, context): StoredRubric => {
    const text = readText(path);
    if (text !== null) return { path, sha256: sha256(text), text };
    context.addIssue({ code: "custom", message: "is not a text file with words" });
    return z.NEVER;
  }),
]);

/** Null for anything but a regular file of text. */
function readText(path: string): string | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > LARGEST) return null;
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)).trim();
    return text === "" ? null : text;
  } catch {
    // A missing file and one that is not text are refused alike, by the message of the setting.
    return null;
  }
}

/** The rubric as a part of a prompt, whose hash keeps its grades apart from those of other rubrics. */
export function renderedRubric({ sha256: hash, text }: StoredRubric): Rendered {
  return { name: "rubric", hash, text };
}
