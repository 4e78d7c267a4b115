/**
 * Bundles the command into few files in `dist/bundle`, with the libraries that most commands load: Node takes longer to
 * find and link 2,000 files than most commands run. The files of the library in `dist` stay as they are compiled.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { z } from "zod";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const out = join(dist, "bundle");

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

const Package = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ default: z.string() })])),
});

/** What users' modules may import from the running command, and the command. */
function entries(): string[] {
  const { exports } = Package.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const targets = Object.values(exports).map((target) =>
    typeof target === "string" ? target : target.default,
  );
  return [
    join(dist, "src/app/cli/main.js"),
    ...targets.filter((target) => target.endsWith(".js")).map((target) => join(root, target)),
  ];
}

/** Our files find their assets by their own place in `dist`, and import what is not bundled from `node_modules`. */
const ownFiles: Plugin = {
  name: "own-files",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      if (isBuiltin(path)) return { path, external: true };
      const isOurs = !importer.includes(`${sep}node_modules${sep}`);
      return isOurs && !BUNDLED.test(path) ? { path, external: true } : undefined;
    });
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const place = relative(dist, path).split(sep).join("/");
      const text = readFileSync(path, "utf8");
      return {
        contents: text
          .replaceAll("import.meta.url", `(${DIST_URL} + ${JSON.stringify(place)})`)
          .replaceAll(
            "import.meta.dirname",
            `(${DIST_FOLDER} + ${JSON.stringify(join(sep, dirname(place)))})`,
          ),
      };
    });
  },
};

const DIST_URL = 'import.meta.url.slice(0, import.meta.url.lastIndexOf("/bundle/") + 1)';
const DIST_FOLDER = `import.meta.filename.slice(0, import.meta.filename.lastIndexOf(${JSON.stringify(join(sep, "bundle", sep))}))`;

/** CommonJS libraries load Node's modules with `require`, which one file has for all. */
const REQUIRE =
  'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);\n';
const READS_REQUIRE = /\btypeof require\b/;

export async function bundle(): Promise<void> {
  const { metafile, outputFiles } = await build({
    entryPoints: entries(),
    outdir: out,
    outbase: dist,
    chunkNames: "chunks/[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minifyWhitespace: true,
    legalComments: "none",
    plugins: [ownFiles],
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  checkDynamicImports(metafile);
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, READS_REQUIRE.test(text) ? REQUIRE + text : text);
  }
  writeFileSync(join(out, "LICENSES.txt"), licences(metafile));
}

/** The members of a CommonJS library are not known to `import()` in a bundle, where only its default export is left. */
function checkDynamicImports({ inputs }: Metafile): void {
  for (const [importer, { imports }] of Object.entries(inputs))
    for (const { kind, path } of imports)
      if (
        kind === "dynamic-import" &&
        !importer.includes("node_modules/") &&
        inputs[path]?.format === "cjs"
      )
        throw new Error(
          `${importer} imports ${path} with import(): export what it needs from a file of its own.`,
        );
}

/** The licences of the bundled libraries, which ask to be copied with them. */
function licences({ inputs }: Metafile): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((file) => {
      const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file) ?? [];
      return folder === undefined ? [] : [folder];
    }),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const file = readdirSync(join(root, folder)).find((name) => /^licen[cs]e/i.test(name));
      const text = file === undefined ? "" : readFileSync(join(root, folder, file), "utf8");
      const { license, version } = JSON.parse(
        readFileSync(join(root, folder, "package.json"), "utf8"),
      ) as { license?: string; version: string };
      const name = folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
