import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { Failure, oneLine, toFailure } from "../src/core/errors.ts";
import { sha256 } from "../src/core/hash.ts";
import { headingsIn, neutralise } from "./caller-text.ts";
import {
  CALLER_HOLES,
  isPromptName,
  OTHER_HOLES,
  PROMPT_NAMES,
  PROMPTS,
  type PromptName,
  type PromptVariables,
} from "./catalogue.ts";
import { DATA_NOTE, quoteData } from "./quote.ts";
import { wordingHash } from "./released-text.ts";

/** A prompt with its holes filled. `hash` is that of the file it was made from, not of the filled text. */
export interface Rendered {
  name: PromptName;
  hash: string;
  text: string;
}

export interface Prompts {
  /** Throws `Failure` `unknown-prompt` for a name that is not in the catalogue or a variable that was not given. */
  render<N extends PromptName>(name: N, variables: PromptVariables<N>): Rendered;
  /** A caller's words without what could be taken for a part of one of these prompts; see `neutralise`. */
  neutralise(text: string): string;
  /** Hash of every prompt's file, by name; `replaced` tells which came from the user's folder. */
  hashes(): Record<PromptName, string>;
  /** What the wording of a prompt can be compared by with a released one. */
  wordingOf(name: PromptName): PromptWording;
  replaced: PromptName[];
}

export interface PromptWording {
  /** `wordingHash` of the text. */
  sha256: string;
  /** Holes whose values go in between marks, with a line that says so: words that no released text has. */
  quoted: string[];
}

/** How a variable goes in: as it is, or quoted as data. */
const Kind = z.enum(["text", "data"]);
const FrontMatter = z.strictObject({ variables: z.record(z.string(), Kind) });

interface Template {
  file: string;
  hash: string;
  body: string;
  kinds: Readonly<Record<string, z.infer<typeof Kind>>>;
}

const OWN = fileURLToPath(new URL(".", import.meta.url));
const HOLE = /\{\{\s*([A-Za-z0-9_-]+)\s*\}\}/g;

/**
 * Reads every prompt; those of `folder` replace ours of the same name.
 * Throws `Failure` `unknown-prompt` for a file there that replaces nothing, or whose holes nothing fills.
 */
export async function loadPrompts(folder: string | null = null): Promise<Prompts> {
  const own = await Promise.all(
    PROMPT_NAMES.map(async (name) => {
      const file = join(OWN, `${name}.md`);
      return [name, readTemplate(file, await read(file))] as const;
    }),
  );
  const templates = new Map<PromptName, Template>(own);
  const replaced = folder === null ? [] : await replace(templates, folder);
  const headings = new Set(
    [...templates].flatMap(([name, { body }]) => (takesCaller(name) ? headingsIn(body) : [])),
  );
  return {
    replaced,
    neutralise: (text) => neutralise(text, headings),
    render: (name, variables) => render(templates, name, variables),
    wordingOf: (name) => wordingOf(templates.get(name) as Template),
    hashes: () =>
      Object.fromEntries([...templates].map(([name, template]) => [name, template.hash])) as Record<
        PromptName,
        string
      >,
  };
}

function takesCaller(name: PromptName): boolean {
  const holes: readonly string[] = PROMPTS[name];
  return CALLER_HOLES.some((hole) => holes.includes(hole));
}

function wordingOf({ body, kinds }: Template): PromptWording {
  const holes = new Set([...body.matchAll(HOLE)].map((match) => match[1] as string));
  return {
    sha256: wordingHash(body),
    quoted: [...holes].filter((hole) => kinds[hole] === "data"),
  };
}

function render<N extends PromptName>(
  templates: ReadonlyMap<PromptName, Template>,
  name: N,
  variables: PromptVariables<N>,
): Rendered {
  const template = templates.get(name);
  if (template === undefined)
    throw new Failure(
      "unknown-prompt",
      `Expected a prompt of the catalogue, got ${JSON.stringify(name)}.`,
      { name },
    );
  const given: Readonly<Record<string, string | undefined>> = variables;
  let noted = false;
  const text = template.body.replace(HOLE, (_hole, variable: string) => {
    const value = given[variable];
    if (value === undefined)
      throw new Failure(
        "unknown-prompt",
        `Expected a value for {{${variable}}} of the prompt ${name}, but none was given.`,
        { name, variable },
      );
    if (template.kinds[variable] !== "data") return value;
    const quoted = quoteData(value);
    if (noted) return quoted;
    noted = true;
    return `${DATA_NOTE}\n${quoted}`;
  });
  return { name, hash: template.hash, text };
}

async function replace(templates: Map<PromptName, Template>, folder: string) {
  const entries = await listMarkdown(folder);
  const replaced: PromptName[] = [];
  for (const entry of entries) {
    const name = nameFor(entry, folder);
    const ours = templates.get(name);
    const file = join(folder, entry);
    const template = readTemplate(file, await read(file), ours?.kinds);
    checkHoles(name, template);
    if (replaced.includes(name))
      throw new Failure(
        "unknown-prompt",
        `Expected one file of ${folder} for the prompt ${name}, found more than one.`,
        { name, folder },
      );
    templates.set(name, template);
    replaced.push(name);
  }
  return replaced.sort();
}

async function listMarkdown(folder: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading the prompts of ${folder}`);
  }
  return names
    .filter((name) => name.endsWith(".md") && basename(name).toLowerCase() !== "readme.md")
    .map((name) => name.replaceAll("\\", "/"))
    .sort();
}

/** `rrd/order.md` by its path, `order.md` where one prompt alone is called so. */
function nameFor(entry: string, folder: string): PromptName {
  const path = entry.slice(0, -".md".length);
  if (isPromptName(path)) return path;
  const called = PROMPT_NAMES.filter((name) => basename(name) === path);
  if (called.length === 1 && called[0] !== undefined) return called[0];
  const known =
    called.length > 1
      ? `one of ${called.map((name) => `${name}.md`).join(", ")}`
      : `a prompt's name, one of ${PROMPT_NAMES.map((name) => `${name}.md`).join(", ")}`;
  throw new Failure("unknown-prompt", `Expected ${entry} in ${folder} to be ${known}.`, {
    file: entry,
    folder,
  });
}

function checkHoles(name: PromptName, template: Template): void {
  const others = OTHER_HOLES[name] ?? {};
  const known: readonly string[] = PROMPTS[name];
  const allowed = [...known, ...Object.keys(others)];
  const holes = [...template.body.matchAll(HOLE)].map((match) => match[1] as string);
  const unknown = holes.find((hole) => !allowed.includes(hole));
  if (unknown !== undefined)
    throw new Failure(
      "unknown-prompt",
      `Expected the holes of ${template.file} to be among ${allowed.map((hole) => `{{${hole}}}`).join(", ") || "none"}, got {{${unknown}}}.`,
      { file: template.file, name, unknown },
    );
  const declared = Object.keys(template.kinds).find((variable) => !allowed.includes(variable));
  if (declared !== undefined)
    throw new Failure(
      "unknown-prompt",
      `Expected the variables of ${template.file} to be among ${allowed.join(", ") || "none"}, got ${declared}.`,
      { file: template.file, name, unknown: declared },
    );
  const filled = holes.map((hole) => others[hole] ?? hole);
  const missing = known.find((hole) => hole !== "goal" && !filled.includes(hole));
  if (missing !== undefined)
    throw new Failure(
      "unknown-prompt",
      `Expected ${template.file} to hold {{${missing}}}, but it does not: the model would never see it.`,
      { file: template.file, name, missing },
    );
}

function readTemplate(file: string, source: string, inherited: Template["kinds"] = {}): Template {
  const text = source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const body = (front === null ? text : text.slice(front[0].length)).trim();
  const kinds = front === null ? inherited : { ...inherited, ...readKinds(file, front[1] ?? "") };
  return { file, hash: sha256(text), body, kinds };
}

function readKinds(file: string, yaml: string): Template["kinds"] {
  let value: unknown;
  try {
    value = parseYaml(yaml);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Failure(
      "unknown-prompt",
      `Expected YAML between the lines --- of ${file}: ${oneLine(said)}`,
      { file },
      { cause: error },
    );
  }
  const front = FrontMatter.safeParse(value);
  if (!front.success)
    throw new Failure(
      "unknown-prompt",
      `Expected the head of ${file} to read like "variables: { goal: text, clips: data }", got ${oneLine(yaml, 80)}.`,
      { file },
    );
  return front.data.variables;
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw toFailure(error, "file-unreadable", `reading the prompt ${file}`);
  }
}
