import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { loadPrompts } from "../../../prompts/load-prompts.ts";
import { Failure, systemCode, toFailure } from "../../../src/core/errors.ts";
import { type Benchmark, benchmarkNamed } from "../define-benchmark.ts";
import { modelsNamed } from "../protocols/model-name.ts";
import { type ReleasedPrompt, releasedFor } from "../protocols/released-prompt.ts";
import { readReleased } from "./read-released.ts";

export interface ImportOptions {
  /** Folder of the user's clone. */
  from: string;
  /** Folder to pass to `--prompts`. */
  out: string;
  /** The texts of this model's own script, if the authors' scripts differ (MMR-V). */
  model?: string;
  /** The texts for questions with subtitles (VideoMathQA). */
  subtitles?: boolean;
}

export interface ImportedPrompt {
  prompt: string;
  /** Written file. */
  file: string;
  /** Path in the repository. */
  from: string;
  sha256: string;
  /** Whether that is the known released text. */
  verified: boolean;
}

export interface PromptImport {
  benchmark: string;
  repository: string;
  out: string;
  imported: ImportedPrompt[];
  /** Prompts of the benchmark that keep this project's wording, each with the reason. */
  not_filled: { prompt: string; why: string }[];
}

/**
 * Reads the released prompts of a benchmark from a clone of the authors' repository and writes them as prompt files for
 * `--prompts`. Nothing is written if nothing is found. Throws `Failure`: `not-found` if no text is found, `wrong-usage`
 * if a target file exists with other text.
 */
export async function importPrompts(name: string, options: ImportOptions): Promise<PromptImport> {
  const benchmark = benchmarkNamed(name);
  if (benchmark.released.length === 0)
    throw new Failure("wrong-usage", `No released prompts of ${benchmark.title} are known.`, {
      benchmark: benchmark.name,
    });
  const { from, subtitles = false } = options;
  await checkClone(from, benchmark);
  const model = publishedModel(benchmark, options.model);
  const found: { released: ReleasedPrompt; text: string; from: string }[] = [];
  const not_filled: PromptImport["not_filled"] = [];
  for (const prompt of benchmark.asksWith) {
    const [released] = releasedFor(benchmark.released, prompt, { model, subtitles });
    if (released === undefined) {
      not_filled.push({ prompt, why: whyNone(benchmark, prompt) });
      continue;
    }
    const read = await readReleased(from, released);
    if (read.text === null) not_filled.push({ prompt, why: read.why });
    else found.push({ released, text: read.text, from: read.file });
  }
  if (found.length === 0)
    throw new Failure(
      "not-found",
      `No released prompt of ${name} was found in ${from}: ${not_filled[0]?.why ?? "nothing was looked for"}. Give a clone of ${repositoryOf(benchmark)}.`,
      { from, repository: repositoryOf(benchmark) },
    );
  const out = resolve(options.out);
  const files = found.map(({ released, text }) => ({
    path: join(out, `${released.prompt}.md`),
    source: promptFile(text),
  }));
  for (const file of files) await refuseOverwriting(file);
  for (const { path, source } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, source);
  }
  const prompts = await loadPrompts(out);
  return {
    benchmark: benchmark.name,
    repository: repositoryOf(benchmark),
    out,
    imported: found.map(({ released, from: path }, index): ImportedPrompt => {
      const { sha256 } = prompts.wordingOf(released.prompt);
      return {
        prompt: released.prompt,
        file: files[index]?.path ?? "",
        from: path,
        sha256,
        verified: sha256 === released.sha256,
      };
    }),
    not_filled,
  };
}

/** Variables are inserted as plain text: a released text marks nothing as data. */
function promptFile(text: string): string {
  const holes = [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, hole]) => hole ?? ""))];
  const variables = holes.map((hole) => `${hole}: text`).join(", ");
  return `---\nvariables: {${variables === "" ? "" : ` ${variables} `}}\n---\n${text.replace(/\n?$/, "\n")}`;
}

async function checkClone(from: string, benchmark: Benchmark): Promise<void> {
  const kind = await stat(from).catch(() => null);
  if (kind?.isDirectory() === true) return;
  throw new Failure(
    "not-found",
    `Cannot read ${from}: it is not a folder. Give a clone of ${repositoryOf(benchmark)} with --from.`,
    { from },
  );
}

function publishedModel(benchmark: Benchmark, asked: string | undefined): string | null {
  if (asked === undefined) return null;
  const [model] = modelsNamed(benchmark.protocol.models, asked);
  if (model !== undefined) return model.name;
  const names = benchmark.protocol.models.map(({ name }) => name).join(", ");
  throw new Failure(
    "wrong-usage",
    `Invalid --model ${JSON.stringify(asked)}: it is not a model of the paper's tables. Use one of ${names}.`,
    { model: asked },
  );
}

function whyNone(benchmark: Benchmark, prompt: string): string {
  return benchmark.released.some((released) => released.prompt === prompt)
    ? "it is only used with --subtitles"
    : "no text of it was released";
}

function repositoryOf(benchmark: Benchmark): string {
  return benchmark.released[0]?.repository ?? "";
}

async function refuseOverwriting({
  path,
  source,
}: {
  path: string;
  source: string;
}): Promise<void> {
  let existing: string;
  try {
    existing = await readFile(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return;
    throw toFailure(error, "file-unreadable", `reading ${path}`);
  }
  if (existing === source) return;
  throw new Failure(
    "wrong-usage",
    `Cannot write ${path}: the file exists with another prompt. Choose another folder with --out, or remove the file.`,
    { path },
  );
}
