import { fileURLToPath } from "node:url";
import { execa } from "execa";

export const CLI = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** The real program in a process of its own, in `folder`; `onStart` gets its pid, to kill it by. */
export async function runCli(
  folder: string,
  args: readonly string[],
  onStart = (_pid: number) => {},
): Promise<Ended> {
  const child = execa(process.execPath, [CLI, ...args], {
    cwd: folder,
    reject: false,
    stripFinalNewline: false,
  });
  if (child.pid !== undefined) onStart(child.pid);
  const { exitCode, stdout, stderr } = await child;
  return { code: exitCode ?? null, out: stdout, err: stderr };
}
