import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const CLI = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** The real program in a process of its own, in `folder`; `onStart` gets its pid, to kill it by. */
export function runCli(
  folder: string,
  args: readonly string[],
  onStart = (_pid: number) => {},
): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk;
  });
  if (child.pid !== undefined) onStart(child.pid);
  return new Promise((done) => child.once("close", (code) => done({ code, out, err })));
}
