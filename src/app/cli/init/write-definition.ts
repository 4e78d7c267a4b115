import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Failure, toFailure } from "../../../core/errors.ts";
import type { DefinitionKind } from "../../../core/registry.ts";
import { makeFolder } from "../../../storage/make-folder.ts";
import { KINDS } from "../../load-module/kinds.ts";
import { editorConfig } from "./editor-types.ts";
import { definedName, filledExample, TEMPLATES } from "./templates.ts";

interface NewDefinition {
  kind: string;
  name: string;
  /** Absolute path; created if missing. */
  folder: string;
  /** Whether the folder gets a `tsconfig.json` if it has none. */
  tsconfig: boolean;
}

interface Written {
  /** Name of the definition; that of a tool has underscores instead of dashes. */
  name: string;
  /** Absolute paths, the definition first. */
  files: string[];
  /** Arguments of the program that try the file at a path; `stem` is the path without extension. */
  tryIt(path: string, stem: string): string;
}

/** Writes a definition from its example. Throws `Failure` `wrong-usage` if its name or one of its files is in use. */
export async function writeDefinition({
  kind,
  name,
  folder,
  tsconfig,
}: NewDefinition): Promise<Written> {
  if (!isKind(kind))
    throw new Failure(
      "wrong-usage",
      `Invalid kind ${JSON.stringify(kind)}: use one of ${Object.keys(TEMPLATES).join(", ")}.`,
      { kind },
    );
  const defined = definedName(kind, name);
  checkSpelling(name);
  const { examples, tryIt } = TEMPLATES[kind];
  const files = Object.entries(examples).map(([example, extension]) => ({
    example,
    file: join(folder, `${name}${extension}`),
  }));
  const existing = files.find(({ file }) => existsSync(file));
  if (existing !== undefined)
    throw new Failure(
      "wrong-usage",
      `Cannot write ${basename(existing.file)}: ${folder} has a file of this name. Choose another name.`,
      { file: existing.file },
    );
  if (KINDS[kind].registry.find(defined) !== undefined)
    throw invalidName(name, `${KINDS[kind].title} of this name is built in. Choose another name`);
  await makeFolder(folder);
  for (const { example, file } of files)
    await writeNew(file, await filledExample(example, kind, name));
  const config = join(folder, "tsconfig.json");
  const isWanted = tsconfig && !existsSync(config);
  if (isWanted) await writeNew(config, editorConfig(folder));
  return {
    name: defined,
    files: [...files.map(({ file }) => file), ...(isWanted ? [config] : [])],
    tryIt,
  };
}

function isKind(kind: string): kind is DefinitionKind {
  return Object.hasOwn(TEMPLATES, kind);
}

/** The name is used as a file name. */
function checkSpelling(name: string): void {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,63}$/.test(name))
    throw invalidName(
      name,
      "use letters, digits and dashes, beginning with a letter, at most 64 characters",
    );
}

function invalidName(name: string, problem: string): Failure {
  return new Failure("wrong-usage", `Invalid name ${JSON.stringify(name)}: ${problem}.`, { name });
}

async function writeNew(file: string, text: string): Promise<void> {
  // `wx`: do not overwrite a file that appeared after the check.
  await writeFile(file, text, { flag: "wx" }).catch((error: unknown) => {
    throw toFailure(error, "file-unreadable", `writing ${file}`);
  });
}
