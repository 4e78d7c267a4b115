import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { print, printJson, run } from "./output.ts";

interface Flags {
  out: string;
  tsconfig: boolean;
  json?: boolean;
}

export function configureInit(command: Command): void {
  command
    .argument("<kind>", "strategy, tool, benchmark, scorer, judge or provider")
    .argument("<name>", "letters, digits and dashes: the name of the definition and of its file")
    .option("--out <folder>", "folder to write to", ".")
    .option("--no-tsconfig", "do not write a tsconfig.json for editors if the folder has none")
    .option("--json", "print one JSON value");
  command.action((kind: string, name: string, { out, tsconfig, json }: Flags) =>
    run(async () => {
      const { FILM } = await import("./init/templates.ts");
      const { writeDefinition } = await import("./init/write-definition.ts");
      const { files, ...written } = await writeDefinition({
        kind,
        name,
        folder: resolve(out),
        tsconfig,
      });
      const paths = files.map(fromHere);
      const [main = ""] = paths;
      const own = `video-rrd ${written.tryIt(main, main.replace(/\.ts$/, ""))}`;
      const tryIt = own.includes(FILM) && !existsSync(FILM) ? `video-rrd demo && ${own}` : own;
      if (json === true) printJson({ kind, name: written.name, files, try: tryIt });
      else print(`Wrote ${paths.join(", ")}.\n\nTry it:\n  ${tryIt}`);
      return undefined;
    }),
  );
  withExamples(command, "init strategy my-vote", "init tool sharpest-frame --out tools --json");
}

/** A path relative to the current folder; it begins with a dot, so that it is not read as a name. */
function fromHere(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith(".") ? path : `./${path}`;
}
