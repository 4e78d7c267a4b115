import { type ChildProcess, fork, spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SHELL = fileURLToPath(new URL("shell.ts", import.meta.url));

export interface ExitResult {
  code: number;
  out: string;
  err: string;
}

export interface Runner {
  /** Runs shell commands in a folder until one fails. */
  shell(commands: string, folder: string): Promise<ExitResult>;
  /** Parses a command line as the program does, without running it. */
  parse(command: string, folder: string): Promise<ExitResult>;
  /** Runs a TypeScript file that imports "video-rrd". */
  module(file: string, folder: string): Promise<ExitResult>;
  /** Starts a service and waits until it is ready. Its port replaces 8787 in later commands. */
  background(commands: string, folder: string): Promise<void>;
  /** Ends everything that `background` started. */
  endBackground(): Promise<void>;
  close(): Promise<void>;
}

export interface RunnerOptions {
  /** Folder of the project. */
  root: string;
  /** An empty folder for the runner's own files. */
  folder: string;
  env: Record<string, string>;
  /** Replacements for the addresses that pages name. */
  addresses: Record<string, string>;
}

/**
 * Puts the programs that pages name first on the PATH. `video-rrd` runs in one process for all commands, because loading
 * the code is most of a short command's time; `npm` runs the project's scripts and installs nothing.
 */
export async function startRunner({
  root,
  folder,
  env,
  addresses,
}: RunnerOptions): Promise<Runner> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
    exports: { ".": { types: string } };
  };
  const cli = join(root, (manifest.scripts.cli ?? "").replace(/^node /, ""));
  const index = join(
    root,
    manifest.exports["."].types.replace("./dist/", "").replace(".d.ts", ".ts"),
  );
  const bin = join(folder, "bin");
  const calls = join(folder, "calls");
  const socket = join(folder, "socket");
  for (const made of [bin, calls]) await mkdir(made);
  const port = await freePort();
  await program(join(bin, "video-rrd"), videoRrd(cli, socket, calls));
  await program(join(bin, "npm"), npm(manifest.scripts));

  const child = fork(SHELL, [socket, cli, index], { cwd: folder, env: { ...process.env, ...env } });
  await new Promise<void>((ready, failed) => {
    child.once("message", () => ready());
    child.once("exit", (code) =>
      failed(new Error(`The process that runs commands ended with ${code}.`)),
    );
  });
  const shellEnv = {
    ...process.env,
    ...env,
    PATH: `${bin}:${process.env.PATH}`,
    DOCS_PORT: String(port),
  };
  const started: ChildProcess[] = [];

  const sh = (commands: string, cwd: string, more: Record<string, string> = {}) =>
    new Promise<ExitResult>((done) => {
      const text = Object.entries(addresses).reduce(
        (before, [named, used]) => before.replaceAll(named, used),
        commands.replaceAll("8787", String(port)),
      );
      const child = spawn("sh", ["-eu", "-c", text], { cwd, env: { ...shellEnv, ...more } });
      let [out, err] = ["", ""];
      child.stdout.on("data", (data) => {
        out += data;
      });
      child.stderr.on("data", (data) => {
        err += data;
      });
      child.once("close", (code) =>
        done({ code: code ?? -1, out: out.replaceAll(String(port), "8787"), err }),
      );
    });

  return {
    shell: sh,
    parse: (command, cwd) => sh(command, cwd, { DOCS_WORK: "parse" }),
    async module(file, cwd) {
      await writeFile(file, (await readFile(file, "utf8")).replaceAll("8787", String(port)));
      return sh(`video-rrd '${file}'`, cwd, { DOCS_WORK: "module" });
    },
    async background(commands, cwd) {
      const child = spawn("sh", ["-eu", "-c", `exec ${commands.trim()}`], {
        ...{ cwd, env: shellEnv, detached: true, stdio: ["ignore", "ignore", "pipe"] },
      });
      started.push(child);
      let stderr = "";
      child.stderr?.on("data", (data) => {
        stderr += data;
      });
      for (let tries = 0; tries < 600; tries++) {
        if (child.exitCode !== null) break;
        const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
        if (reply?.ok) return;
        await new Promise((done) => setTimeout(done, 100));
      }
      throw new Error(`Not ready: ${commands}${stderr}`);
    },
    endBackground,
    async close() {
      await endBackground();
      const ended = new Promise((done) => child.once("exit", done));
      child.disconnect();
      await ended;
    },
  };

  async function endBackground(): Promise<void> {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.pid === undefined) continue;
      const ended = new Promise((done) => child.once("close", done));
      process.kill(-child.pid, "SIGTERM");
      await ended;
    }
  }
}

async function program(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o755);
}

const videoRrd = (cli: string, socket: string, calls: string) => `#!/bin/sh
work=\${DOCS_WORK:-run}
if [ "$work" = run ] && [ "\${1:-}" = serve ]; then
  exec '${process.execPath}' '${cli}' "$@" --port "$DOCS_PORT"
fi
call=$(mktemp -d '${calls}/XXXXXX')
: > "$call/args"
for arg in "$@"; do printf '%s\\0' "$arg" >> "$call/args"; done
env -0 > "$call/env"
code=$(curl -sS --unix-socket '${socket}' --data-binary "$call" "http://docs/$work") || exit 70
cat "$call/out"
cat "$call/err" >&2
exit "$code"
`;

/** `npm ci`, `npm install` and `npm test` do nothing; scripts that call video-rrd run; other scripts are errors. */
function npm(scripts: Record<string, string>): string {
  const program = scripts.cli ?? "";
  const cases = Object.entries(scripts)
    .filter(([, text]) => text === program || text.startsWith(`${program} `))
    .map(([name, text]) => `  ${name}) exec video-rrd${text.slice(program.length)} "$@" ;;`);
  return `#!/bin/sh
case "$1" in
  ci|install|test) exit 0 ;;
  run) shift; [ "$1" = --silent ] && shift ;;
  *) echo "npm $1 is not run by the test" >&2; exit 64 ;;
esac
script=$1
shift
[ "\${1:-}" = -- ] && shift
case "$script" in
${cases.join("\n")}
  *) echo "npm run $script is not a command of video-rrd" >&2; exit 64 ;;
esac
`;
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : 0));
    });
  });
}
