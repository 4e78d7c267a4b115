import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/**
 * Type errors of files outside the project that import "video-rrd": the declarations that `npm run build` made if BUILT
 * is 1, which is what users have; otherwise its source.
 */
export async function typeErrorsOf(root: string, ...files: string[]): Promise<string[]> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const source = (types: string) =>
    process.env.BUILT === "1"
      ? join(root, types)
      : join(root, types.replace("./dist/", "").replace(".d.ts", ".ts"));
  const config = `${files[0]}.tsconfig.json`;
  const options = {
    rootDir: "/",
    noUnusedLocals: false,
    paths: {
      "video-rrd": [source(manifest.exports["."].types)],
      "video-rrd/testing": [source(manifest.exports["./testing"].types)],
      "video-rrd/client": [source(manifest.exports["./client"].types)],
    },
    typeRoots: [join(root, "node_modules/@types")],
  };
  // Packages that a user's module may import without installing them.
  await symlink(join(root, "node_modules"), join(dirname(files[0] ?? ""), "node_modules"));
  const ambient = globSync("{src,evals,graphs,tools}/**/*.d.ts", { cwd: root });
  const all = [...files, ...ambient.map((file) => join(root, file))];
  await writeFile(
    config,
    JSON.stringify({
      ...{ extends: join(root, "tsconfig.json"), compilerOptions: options },
      ...{ include: [], files: all },
    }),
  );
  const typescript = createRequire(import.meta.url).resolve("typescript/package.json");
  const tsc = join(dirname(typescript), "bin/tsc");
  const { stdout } = await promisify(execFile)(process.execPath, [
    tsc,
    "--singleThreaded",
    "-p",
    config,
  ]).catch((error: { stdout: string }) => error);
  return stdout.split("\n").filter(Boolean);
}
