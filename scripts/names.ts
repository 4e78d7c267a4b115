/**
 * Refuses the name of a definition as a string outside its home.
 * `node scripts/names.ts [FOLDER]` checks the project, or a folder with the same layout.
 */
import { existsSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import "../src/app/registry.ts";
import { benchmarks } from "../evals/benchmarks/define-benchmark.ts";
import { judges } from "../evals/judges/define-judge.ts";
import { strategies } from "../graphs/define-strategy.ts";
import { providers } from "../src/models/define-provider.ts";
import { tools } from "../tools/agent/define-tool.ts";

/** One kind of definition: its names, and where each of them may be written. */
interface Kind {
  what: string;
  names: readonly string[];
  /** Folders (ending in `/`) and files, from the root. */
  homes: (name: string) => readonly string[];
  /** The form of a use of the name, for names that are also common words; default: the name as a string. */
  use?: (name: string) => RegExp;
  /** Where they are searched for. Default: everywhere. */
  within?: readonly string[];
}

const isPlainWord = (name: string) => !name.includes("_");
const toolHomes = (name: string) => [`tools/agent/${name}.ts`];

/** Add a line for each registry. */
const KINDS: readonly Kind[] = [
  { what: "strategy", names: strategies.names(), homes: (name) => [`graphs/${name}/`] },
  {
    what: "provider",
    names: providers.names(),
    // The test server names the protocols that it speaks, LangChain its integrations.
    homes: (name) => [
      `src/models/providers/${name}/`,
      "src/models/providers/langchain/integrations.ts",
      "src/testing/",
    ],
  },
  {
    what: "benchmark",
    names: benchmarks.names(),
    // A judge names the benchmarks whose replies it reads; generated sets have the layouts of benchmarks; an export
    // format may have the name of the benchmark that reads it.
    homes: (name) => [
      `evals/benchmarks/${name}/`,
      "evals/judges/",
      "evals/datasets/",
      "evals/export/formats.ts",
    ],
  },
  {
    what: "judge",
    names: judges.names(),
    homes: (name) => [`evals/judges/${name}/`],
    use: (name) => new RegExp(`kind: "${name}"|\\.kind [!=]== "${name}"`),
  },
  {
    what: "tool",
    names: tools.names().filter((name) => !isPlainWord(name)),
    homes: toolHomes,
  },
  {
    what: "tool",
    // Words such as `zoom` and `solve` mean other things elsewhere.
    names: tools.names().filter(isPlainWord),
    homes: toolHomes,
    within: ["graphs/agent/", "graphs/toolbox/", "tools/agent/"],
  },
];

/** Where every name may be written: lists of definitions, and sweeps that compare some of them. */
const LISTS: readonly string[] = ["src/app/registry.ts", "evals/sweep/presets/"];

const FOLDERS = ["src", "graphs", "tools", "prompts", "evals"];

/** Sentences, one per violation, and the number of files read: a reader that reads none finds no violation. */
export async function nameViolations(
  root: string,
  kinds: readonly Kind[] = KINDS,
): Promise<{ files: number; violations: string[] }> {
  const violations: string[] = [];
  let files = 0;
  for (const folder of FOLDERS.filter((one) => existsSync(join(root, one))))
    for await (const path of glob(`${folder}/**/*.{ts,js}`, { cwd: root })) {
      files++;
      const code = withoutPackages(withoutComments(await readFile(join(root, path), "utf8")));
      for (const { what, names, homes, use = quoted, within = [""] } of kinds)
        for (const name of within.some((folder) => path.startsWith(folder)) ? names : []) {
          const allowed = [...LISTS, ...homes(name)];
          if (
            allowed.some((home) => path === home || (home.endsWith("/") && path.startsWith(home)))
          )
            continue;
          const line = lineOf(code, use(name));
          if (line !== null)
            violations.push(
              `${path}:${line} names the ${what} ${name}: use a property of its definition instead.`,
            );
        }
    }
  return { files, violations: violations.sort() };
}

function quoted(name: string): RegExp {
  return new RegExp(`(["'\`])${name}\\1`);
}

/** The line of the first use; from 1. */
function lineOf(code: string, use: RegExp): number | null {
  const found = use.exec(code);
  return found === null ? null : code.slice(0, found.index).split("\n").length;
}

/** A package may have the name of a definition. */
function withoutPackages(code: string): string {
  return code.replace(/\b(from |import\()(["'])[^"'\n]*\2/g, '$1""');
}

/**
 * Code with comments replaced by spaces, so that line numbers stay the same. A string that looks like a comment becomes
 * blank as well.
 */
function withoutComments(code: string): string {
  return code
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "))
    .replace(/(^|[\s;{}(),])\/\/[^\n]*/g, "$1");
}

if (import.meta.main) {
  const { files, violations } = await nameViolations(
    resolve(process.argv[2] ?? join(import.meta.dirname, "..")),
  );
  for (const violation of violations) console.error(violation);
  if (files === 0) console.error("No file was read.");
  console.log(`${files} files read, ${violations.length} names outside their homes`);
  if (files === 0 || violations.length > 0) process.exitCode = 1;
}
