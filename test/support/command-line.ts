import { fileURLToPath } from "node:url";
import { execa } from "execa";

export const CLI = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));

export interface ExitResult {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the real program in its own process, in `folder`; `onStart` gets its pid. */
export async function runCli(
  folder: string,
  args: readonly string[],
  onStart = (_pid: number) => {},
): Promise<ExitResult> {
  const child = execa(process.execPath, [CLI, ...args], {
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
  });
  if (child.pid !== undefined) onStart(child.pid);
  const { exitCode, stdout, stderr } = await child;
  return { code: exitCode ?? null, out: stdout, err: stderr };
}
