import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { moduleTypes, packageRoot } from "../../load-module/running-package.ts";

/**
 * A `tsconfig.json` for editors to check definitions in a folder. If a package that they import is not installed for the
 * folder, it refers to that of the running program.
 */
export function editorConfig(folder: string): string {
  const missing = Object.entries(PLACES).filter(([name]) => !isFound(name, folder));
  const paths = Object.fromEntries(missing.map(([name, place]) => [name, [place()]]));
  const isSource = paths[NAME]?.[0]?.endsWith("index.ts") ?? false;
  const compilerOptions = {
    target: "es2024",
    module: "esnext",
    moduleResolution: "bundler",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    ...(missing.length === 0 ? {} : { paths }),
    ...(isSource ? FOR_SOURCE : {}),
  };
  const declarations = ["src", "evals", "graphs", "tools"].map((part) =>
    join(packageRoot, part, "**/*.d.ts"),
  );
  const include = ["*.ts", ...(isSource ? declarations : [])];
  return `${JSON.stringify({ compilerOptions, include }, null, 2)}\n`;
}

const NAME = "video-rrd";

/** Types of the packages that a definition usually imports. */
const PLACES: Readonly<Record<string, () => string>> = {
  [NAME]: () => moduleTypes(NAME),
  [`${NAME}/testing`]: () => moduleTypes(`${NAME}/testing`),
  zod: () => dirname(createRequire(join(packageRoot, "package.json")).resolve("zod/package.json")),
};

/** The source of a clone is checked together with the folder, so it needs the compiler options of the clone. */
const FOR_SOURCE = {
  allowJs: true,
  lib: ["es2024", "esnext.disposable"],
  types: ["node"],
  typeRoots: [join(packageRoot, "node_modules/@types")],
};

function isFound(name: string, folder: string): boolean {
  try {
    createRequire(join(folder, "package.json")).resolve(name);
    return true;
  } catch {
    return false;
  }
}
