import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { wordingHash } from "../../../prompts/released-text.ts";
import { systemCode } from "../../../src/core/errors.ts";
import { LMMS_EVAL_TASKS, type ReleasedPrompt } from "../protocols/released-prompts.ts";
import { type PythonLiteral, pythonLiterals } from "./python-literals.ts";

/** A released text with our holes, or why it was not found in the clone. */
export type ReadPrompt = { text: string; file: string } | { text: null; why: string };

/** Reads a released prompt out of a clone of its repository, verbatim but for the names of its holes. */
export async function readReleased(clone: string, released: ReleasedPrompt): Promise<ReadPrompt> {
  const { place } = released;
  if (place.kind === "python") {
    const source = await sourceOf(clone, place.path);
    if (source === null) return absent(place.path);
    const literal = choose(pythonLiterals(source), released);
    return literal === null
      ? { text: null, why: `${place.path} has no text ${named(place)}` }
      : withHoles(literal.value, released, place.path);
  }
  const utils = `${LMMS_EVAL_TASKS}/utils.py`;
  const source = await sourceOf(clone, utils);
  if (source === null) return absent(utils);
  const literals = pythonLiterals(source);
  if (place.kind === "lmms-eval-subtitles") {
    const line = literals.find(({ variable }) => variable === "subtitles_prompt");
    return line === undefined
      ? { text: null, why: `${utils} has no text subtitles_prompt` }
      : { text: `${line.value}{{subtitles}}`, file: utils };
  }
  return composed(clone, literals, place);
}

/** The text of the known hash, wherever it is; else the one of that name in that function. */
function choose(
  literals: readonly PythonLiteral[],
  { sha256, place }: ReleasedPrompt,
): PythonLiteral | null {
  if (place.kind !== "python") return null;
  return (
    literals.find(({ value }) => wordingHash(value) === sha256) ??
    literals.find(
      ({ variable, inside }) => variable === place.variable && inside === (place.inside ?? null),
    ) ??
    null
  );
}

function named({ variable, inside }: { variable: string; inside?: string }): string {
  return inside === undefined ? variable : `${variable} in ${inside}()`;
}

/** The sentence on options, question, options and the task's last sentence, each on a line, as `doc_to_text` does. */
async function composed(
  clone: string,
  literals: readonly PythonLiteral[],
  { task, subtitles, options }: Extract<ReleasedPrompt["place"], { kind: "lmms-eval" }>,
): Promise<ReadPrompt> {
  const file = `${LMMS_EVAL_TASKS}/${task}.yaml`;
  const source = await sourceOf(clone, file);
  if (source === null) return absent(file);
  const inside = subtitles ? "videomathqa_doc_to_text_subtitle" : "videomathqa_doc_to_text";
  const sentences = literals.filter(
    (literal) => literal.variable === "option_prompt" && literal.inside === inside,
  );
  // The code has the sentence for two options first.
  const sentence = options === 2 ? sentences[0] : sentences[1];
  if (sentence === undefined)
    return {
      text: null,
      why: `${LMMS_EVAL_TASKS}/utils.py has no text option_prompt in ${inside}()`,
    };
  const post = postPrompt(source);
  if (post === null) return { text: null, why: `${file} has no post_prompt` };
  return { text: `${sentence.value}\n{{question}}\n{{options}}\n${post}`, file };
}

function postPrompt(source: string): string | null {
  // Tags such as `!function` are lmms-eval's own.
  const value: unknown = parse(source, { logLevel: "silent" });
  const specific = member(value, "lmms_eval_specific_kwargs");
  const post = member(member(specific, "default"), "post_prompt");
  return typeof post === "string" ? post : null;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function withHoles(value: string, { holes }: ReleasedPrompt, file: string): ReadPrompt {
  const unknown = [...value.matchAll(/\{([A-Za-z_]\w*)\}/g)].find(
    ([, name = ""]) => !Object.hasOwn(holes, name),
  );
  if (unknown !== undefined)
    return {
      text: null,
      why: `its text in ${file} has a variable ${unknown[0]} that is not known`,
    };
  const text = value.replace(/\{([A-Za-z_]\w*)\}/g, (_hole, name: string) => `{{${holes[name]}}}`);
  const missing = Object.values(holes).find((hole) => !text.includes(`{{${hole}}}`));
  return missing === undefined
    ? { text, file }
    : { text: null, why: `its text in ${file} has no place for ${missing}` };
}

async function sourceOf(clone: string, path: string): Promise<string | null> {
  try {
    return await readFile(join(clone, path), "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return null;
    throw error;
  }
}

function absent(path: string): ReadPrompt {
  return { text: null, why: `the clone has no file ${path}` };
}
