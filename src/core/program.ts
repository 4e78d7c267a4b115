import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import type * as Execa from "execa";
import { z } from "zod";
import { sha256 } from "./hash.ts";
import { shellWord } from "./shell-word.ts";

/**
 * A program as a run stores it. `files`: SHA-256 of the program and of those of its arguments that are files, so that the
 * scores of a changed program are stored separately.
 */
const StoredProgram = z.object({
  command: z.string().min(1),
  args: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
});
export type StoredProgram = z.infer<typeof StoredProgram>;

/** A command line, in which a backslash escapes a space, or a stored program. No shell is used. */
export const Program = z.union([
  StoredProgram,
  z.string().transform((line, context): StoredProgram => {
    const [command, ...args] = splitCommand(line);
    const file = command === undefined ? null : findProgram(command);
    if (command === undefined || file === null) {
      context.addIssue({ code: "custom", message: "cannot be started" });
      return z.NEVER;
    }
    const files = [file, ...args].flatMap((path) => {
      const hash = hashOfFile(path);
      return hash === null ? [] : [{ path, sha256: hash }];
    });
    return { command, args, files };
  }),
]);

/** Splits a command line at its spaces; a backslash before a space keeps it. */
export function splitCommand(line: string): string[] {
  // Loaded only here: few commands run a program.
  const { parseCommandString } = createRequire(import.meta.url)("execa") as typeof Execa;
  return parseCommandString(line.trim());
}

/** As it is typed in a shell. */
export function programText({ command, args }: Pick<StoredProgram, "command" | "args">): string {
  return [command, ...args].map(shellWord).join(" ");
}

/** The executable file of `command`, found on the PATH as the system does; null if there is none. */
export function findProgram(command: string): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = command.includes("/") ? [command] : folders.map((folder) => join(folder, command));
  return places.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // A missing file cannot be executed.
    return false;
  }
}

/** SHA-256 of a file; null if it is not a readable file. */
function hashOfFile(path: string): string | null {
  try {
    return statSync(path).isFile() ? sha256(readFileSync(path)) : null;
  } catch {
    // Most arguments are not files.
    return null;
  }
}
