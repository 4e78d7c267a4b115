import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Failure, oneLine, toFailure } from "../src/core/errors.ts";
import { sha256 } from "../src/core/hash.ts";
import { headingsIn, neutralise } from "./caller-text.ts";
import {
  allPrompts,
  CALLER_VARIABLES,
  type DefinedPrompt,
  nameOfPrompt,
  type PromptName,
  type PromptVariables,
  type PromptWith,
} from "./catalogue.ts";
import { DATA_NOTE, quoteData } from "./quote-data.ts";
import { wordingHash } from "./released-text.ts";

/** A prompt with its variables filled in. `hash` is the hash of its file, not of the filled text. */
export interface Rendered {
  name: string;
  hash: string;
  text: string;
}

/** The prompts of a process, with those that a user replaced. */
export interface Prompts {
  /** Throws `Failure` `unknown-prompt` for an unknown prompt or a missing variable. */
  render<N extends PromptName>(name: N, variables: PromptVariables<N>): Rendered;
  render<V extends string>(prompt: PromptWith<V>, variables: Readonly<Record<V, string>>): Rendered;
  /** Makes a caller's text safe for these prompts; see `neutralise`. */
  neutralise(text: string): string;
  /** Hash of the file of each prompt, by name. `replaced` lists the prompts from the user's folder. */
  hashes(): Record<PromptName, string> & Readonly<Record<string, string>>;
  /** The wording of a prompt, for comparison with a released one. */
  wordingOf(name: string): PromptWording;
  replaced: string[];
}

/** The wording of a prompt, to be compared with a released one. */
export interface PromptWording {
  /** `wordingHash` of the text. */
  sha256: string;
  /** Variables whose values are quoted between marks, with a note that no released text has. */
  quoted: string[];
  /** Its variables in the order of the text, with repetitions; missing in older runs. */
  variables?: string[] | undefined;
}

/** How a variable is inserted: unchanged, or quoted as data. */
const Kind = z.enum(["text", "data"]);
const FrontMatter = z.strictObject({ variables: z.record(z.string(), Kind) });

interface Template {
  file: string;
  hash: string;
  body: string;
  kinds: Readonly<Record<string, z.infer<typeof Kind>>>;
}

const HOLE = /\{\{\s*([A-Za-z0-9_-]+)\s*\}\}/g;

/**
 * Loads all prompts. Files in `folder` replace the built-in prompts of the same name.
 * Throws `Failure` `unknown-prompt` for a file that replaces no prompt, or with an unknown variable.
 */
export async function loadPrompts(folder: string | null = null): Promise<Prompts> {
  const known = allPrompts();
  const own = await Promise.all(
    known.map(async ({ name, file: url }) => {
      const file = fileURLToPath(url);
      return [name, await readTemplate(file, await read(file))] as const;
    }),
  );
  const templates = new Map<string, Template>(own);
  const replaced = folder === null ? [] : await replace(templates, folder, known);
  const headings = new Set(
    known.flatMap((prompt) =>
      takesCaller(prompt) ? headingsIn(templateOf(templates, prompt.name).body) : [],
    ),
  );
  return {
    replaced,
    neutralise: (text) => neutralise(text, headings),
    render: (prompt: PromptName | DefinedPrompt, variables: Readonly<Record<string, string>>) =>
      render(templates, nameOfPrompt(prompt), variables),
    wordingOf: (name) => wordingOf(templateOf(templates, name)),
    hashes: () =>
      Object.fromEntries(
        [...templates].map(([name, template]) => [name, template.hash]),
      ) as ReturnType<Prompts["hashes"]>,
  };
}

function takesCaller({ variables }: DefinedPrompt): boolean {
  return variables.some((variable) => CALLER_VARIABLES.includes(variable));
}

function wordingOf({ body, kinds }: Template): PromptWording {
  const variables = [...body.matchAll(HOLE)].map((match) => match[1] as string);
  return {
    sha256: wordingHash(body),
    quoted: [...new Set(variables)].filter((variable) => kinds[variable] === "data"),
    variables,
  };
}

function templateOf(templates: ReadonlyMap<string, Template>, name: string): Template {
  const template = templates.get(name);
  if (template === undefined)
    throw new Failure("unknown-prompt", `Unknown prompt ${JSON.stringify(name)}.`, { name });
  return template;
}

function render(
  templates: ReadonlyMap<string, Template>,
  name: string,
  given: Readonly<Record<string, string | undefined>>,
): Rendered {
  const template = templateOf(templates, name);
  let noted = false;
  const text = template.body.replace(HOLE, (_hole, variable: string) => {
    const value = given[variable];
    if (value === undefined)
      throw new Failure(
        "unknown-prompt",
        `Missing value for {{${variable}}} of the prompt ${name}.`,
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

async function replace(
  templates: Map<string, Template>,
  folder: string,
  known: readonly DefinedPrompt[],
) {
  const entries = await listMarkdown(folder);
  const replaced: string[] = [];
  for (const entry of entries) {
    const prompt = promptFor(entry, folder, known);
    const { name } = prompt;
    const builtIn = templates.get(name);
    const file = join(folder, entry);
    const template = await readTemplate(file, await read(file), builtIn?.kinds);
    checkVariables(prompt, template);
    if (replaced.includes(name))
      throw new Failure(
        "unknown-prompt",
        `Several files of ${folder} replace the prompt ${name}: keep one of them.`,
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

/** Finds `rrd/order.md` by its path, and `order.md` if only one prompt has this name. */
function promptFor(entry: string, folder: string, known: readonly DefinedPrompt[]): DefinedPrompt {
  const path = entry.slice(0, -".md".length);
  const exact = known.find(({ name }) => name === path);
  if (exact !== undefined) return exact;
  const sameName = known.filter(({ name }) => basename(name) === path);
  const [only] = sameName;
  if (only !== undefined && sameName.length === 1) return only;
  const fit = sameName.length > 1 ? sameName : known;
  throw new Failure(
    "unknown-prompt",
    `Unknown prompt file ${entry} in ${folder}: call it ${sameName.length > 1 ? "" : "as the prompt that it replaces, "}one of ${fit.map(({ name }) => `${name}.md`).join(", ")}.`,
    { file: entry, folder },
  );
}

function checkVariables(
  { name, variables: known, alternatives: others = {} }: DefinedPrompt,
  template: Template,
): void {
  const allowed = [...known, ...Object.keys(others)];
  const holes = [...template.body.matchAll(HOLE)].map((match) => match[1] as string);
  const unknown = holes.find((hole) => !allowed.includes(hole));
  if (unknown !== undefined)
    throw new Failure(
      "unknown-prompt",
      `Unknown variable {{${unknown}}} in ${template.file}: use ${allowed.map((hole) => `{{${hole}}}`).join(", ") || "none"}.`,
      { file: template.file, name, unknown },
    );
  const declared = Object.keys(template.kinds).find((variable) => !allowed.includes(variable));
  if (declared !== undefined)
    throw new Failure(
      "unknown-prompt",
      `Unknown variable ${declared} in the front matter of ${template.file}: use ${allowed.join(", ") || "none"}.`,
      { file: template.file, name, unknown: declared },
    );
  const filled = holes.map((hole) => others[hole] ?? hole);
  const missing = known.find((hole) => hole !== "goal" && !filled.includes(hole));
  if (missing !== undefined)
    throw new Failure(
      "unknown-prompt",
      `Missing {{${missing}}} in ${template.file}: without it the model does not see it.`,
      { file: template.file, name, missing },
    );
}

async function readTemplate(
  file: string,
  source: string,
  inherited: Template["kinds"] = {},
): Promise<Template> {
  const text = source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text);
  const body = (front === null ? text : text.slice(front[0].length)).trim();
  const kinds =
    front === null ? inherited : { ...inherited, ...(await readKinds(file, front[1] ?? "")) };
  return { file, hash: sha256(text), body, kinds };
}

/** The usual front matter, on one line. A parser of YAML takes longer to load than all prompts. */
const ONE_LINE = /^variables: \{ ?((?:\w+: (?:text|data)(?:, |(?= ?\}$)))*) ?\}$/;

async function readKinds(file: string, yaml: string): Promise<Template["kinds"]> {
  const members = ONE_LINE.exec(yaml)?.[1];
  const read = [...(members ?? "").matchAll(/(\w+): (\w+)/g)].map(
    ([, name = "", kind]) => [name, Kind.parse(kind)] as const,
  );
  const isPlain = members !== undefined && new Set(read.map(([name]) => name)).size === read.length;
  if (isPlain) return Object.fromEntries(read);
  const { parse: parseYaml } = await import("yaml");
  let value: unknown;
  try {
    value = parseYaml(yaml);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      "unknown-prompt",
      `Cannot read the front matter of ${file} (the lines between ---) as YAML: ${oneLine(reason)}`,
      { file },
      { cause: error },
    );
  }
  const front = FrontMatter.safeParse(value);
  if (!front.success)
    throw new Failure(
      "unknown-prompt",
      `Invalid front matter ${JSON.stringify(oneLine(yaml, 80))} in ${file}: write it like "variables: { goal: text, clips: data }".`,
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
