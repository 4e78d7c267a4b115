/**
 * Bundles the command into few files in `dist/bundle`, with the libraries that most commands load: Node takes longer to
 * find and link 2,000 files than most commands run. The files of the library in `dist` stay as they are compiled.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

/**
 * Libraries that are bundled, with all that they import: those of most commands, and those that share zod or LangChain's
 * core with them. The others are loaded from `node_modules`.
 */
const BUNDLED = new RegExp(
  `^(${[
    ...["@hono/[^/]+", "@langchain/[^/]+", "@modelcontextprotocol/sdk", "@opentelemetry/api"],
    ...["chardet", "commander", "csv-parse", "execa", "hono", "iconv-lite", "jstat", "langchain"],
    ...["langsmith", "p-limit", "p-retry", "stemmer", "undici", "zod"],
  ].join("|")})(/|$)`,
);

/**
 * Files that are loaded one after the other by commands that go further. Each of these steps is one file of the bundle,
 * with all that its files import and no earlier step has: to find, read and link hundreds of small files would take a third
 * of the start of `eval`. What only some commands load has files of its own.
 */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  start: ["src/app/cli/main.js", "src/app/cli/program.js", "src/app/cli/output.js"],
  files: [
    ...["src/app/cli/probe.js", "src/app/cli/with-job-context.js", "src/media/probe.js"],
    "node_modules/execa/index.js",
  ],
  definitions: ["src/app/registry.js", ...commands("ask", "eval", "serve", "score")],
  answers: ["graphs/ask-samples.js", "graphs/invoke-strategy.js", "graphs/stages/direct-graph.js"],
  models: [
    ...["src/models/providers/openai/client.js", "src/models/send-request.js"],
    "node_modules/@langchain/openai/dist/index.js",
  ],
  runs: ["evals/run/run.js", "evals/score/score-run.js"],
};

function commands(...names: string[]): string[] {
  return names.map((name) => `src/app/cli/${name}.js`);
}

const Package = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string() })])),
});

/** What users' modules may import from the running command, and the command: each by its place in the bundle. */
function entries(): Record<string, string> {
  const { exports } = Package.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const targets = Object.values(exports).map((target) =>
    typeof target === "string" ? target : target.default,
  );
  const files = [
    join(dist, "src/app/cli/main.js"),
    ...targets.filter((target) => target.endsWith(".js")).map((target) => join(root, target)),
  ];
  return Object.fromEntries(files.map((file) => [placeOf(file).replace(/\.js$/, ""), file]));
}

function placeOf(file: string): string {
  return relative(dist, file).split(sep).join("/");
}

function isOurs(file: string): boolean {
  return !file.includes(`${sep}node_modules${sep}`);
}

/** Our files find their assets by their own place in `dist`, and import what is not bundled from `node_modules`. */
const ownFiles: Plugin = {
  name: "own-files",
  resolveId(path, importer) {
    if (/^[./]/.test(path)) return null;
    const external = { id: path, external: true };
    if (isBuiltin(path)) return external;
    return importer !== undefined && isOurs(importer) && !BUNDLED.test(path) ? external : null;
  },
  load(file) {
    if (!file.endsWith(".js") || !isOurs(file)) return null;
    const place = placeOf(file);
    return readFileSync(file, "utf8")
      .replaceAll("import.meta.url", `(${DIST_URL} + ${JSON.stringify(place)})`)
      .replaceAll(
        "import.meta.dirname",
        `(${DIST_FOLDER} + ${JSON.stringify(join(sep, dirname(place)))})`,
      );
  },
};

const DIST_URL = 'import.meta.url.slice(0, import.meta.url.lastIndexOf("/bundle/") + 1)';
const DIST_FOLDER = `import.meta.filename.slice(0, import.meta.filename.lastIndexOf(${JSON.stringify(join(sep, "bundle", sep))}))`;

export async function bundle(): Promise<void> {
  const build = await rolldown({
    input: entries(),
    platform: "node",
    plugins: [ownFiles],
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.write({
    dir: join(dist, "bundle"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
    comments: { legal: false },
    codeSplitting: {
      groups: Object.entries(STEPS).map(([name, files], index, { length }) => {
        const paths = new Set(files.map(pathOf));
        return { name, test: (file: string) => paths.has(file), priority: length - index };
      }),
    },
  });
  const files = output.flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
  checkSteps(new Set(files));
  writeFileSync(join(dist, "bundle/LICENSES.txt"), licences(files));
}

function pathOf(file: string): string {
  return join(file.startsWith("node_modules/") ? root : dist, file);
}

/** A file that was renamed would otherwise leave its step without a word. */
function checkSteps(bundled: ReadonlySet<string>): void {
  const missing = Object.values(STEPS)
    .flat()
    .filter((file) => !bundled.has(pathOf(file)));
  if (missing.length > 0) throw new Error(`Not in the bundle: ${missing.join(", ")}.`);
}

/** The licences of the bundled libraries, which ask to be copied with them. */
function licences(files: readonly string[]): string {
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules[/\\](@[^/\\]+[/\\])?[^/\\]+/.exec(file)?.[0] ?? []),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
      const { license, version } = JSON.parse(
        readFileSync(join(folder, "package.json"), "utf8"),
      ) as { license?: string; version: string };
      const name = folder.slice(folder.lastIndexOf("node_modules") + "node_modules".length + 1);
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
