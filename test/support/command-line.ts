import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

const SOURCE = fileURLToPath(new URL("../../src/app/cli/main.ts", import.meta.url));
/** The program that tests start: what `npm run build` made if BUILT is 1, which starts faster; otherwise its source. */
export const CLI =
  process.env.BUILT === "1"
    ? fileURLToPath(new URL("../../bin/video-rrd.js", import.meta.url))
    : SOURCE;
const INDEX = fileURLToPath(new URL("../../src/app/index.ts", import.meta.url));
const SHELL = fileURLToPath(new URL("docs/shell.ts", import.meta.url));

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
  env: Readonly<Record<string, string>> = {},
): Promise<ExitResult> {
  const child = execa(process.execPath, [CLI, ...args], {
    cwd: folder,
    env,
    reject: false,
    stripFinalNewline: false,
  });
  if (child.pid !== undefined) onStart(child.pid);
  const { exitCode, stdout, stderr } = await child;
  return { code: exitCode ?? null, out: stdout, err: stderr };
}

let shell: Promise<{ child: ChildProcess; socket: string; calls: string }> | undefined;

/**
 * Runs the real program in a process that runs one command after another: loading the code is most of a short command's
 * time. For commands that end by themselves and name no modules, which would stay loaded.
 */
export async function runCommand(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ExitResult> {
  shell ??= startShell();
  const { socket, calls } = await shell;
  const call = await mkdtemp(join(calls, "call-"));
  const list = (items: readonly string[]) => items.map((item) => `${item}\0`).join("");
  const all = { ...process.env, ...env, PWD: folder };
  await writeFile(join(call, "args"), list(args));
  await writeFile(
    join(call, "env"),
    list(Object.entries(all).map(([name, value]) => `${name}=${value}`)),
  );
  const code = await post(socket, "/run", call);
  const [out, err] = await Promise.all(
    ["out", "err"].map((name) => readFile(join(call, name), "utf8")),
  );
  await rm(call, { recursive: true });
  return { code: Number(code), out: out ?? "", err: err ?? "" };
}

async function startShell() {
  const calls = await mkdtemp(join(tmpdir(), "video-rrd-commands-"));
  process.once("exit", () => rmSync(calls, { recursive: true, force: true }));
  await mkdir(calls, { recursive: true });
  const socket = join(calls, "socket");
  const child = fork(SHELL, [socket, SOURCE, INDEX], { cwd: calls, execArgv: [] });
  await new Promise<void>((ready, failed) => {
    child.once("message", () => ready());
    child.once("exit", (code) => failed(new Error(`The process of commands ended with ${code}.`)));
  });
  // It ends when this process does.
  child.unref();
  child.channel?.unref();
  return { child, socket, calls };
}

function post(socketPath: string, path: string, body: string): Promise<string> {
  return new Promise((done, failed) => {
    const sent = request({ socketPath, path, method: "POST", agent: false }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      done(text);
    });
    sent.once("error", failed);
    sent.end(body);
  });
}
