import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { execa, type ResultPromise } from "execa";
import { oneLine } from "../../src/core/errors.ts";
import type { ServerAddress } from "./servers-file.ts";

/** Milliseconds that a server has to end after its input is closed, and again after SIGTERM. */
const GRACE_MS = 1000;
const MOST_BYTES = 16 * 2 ** 20;
const STDERR_KEPT = 4096;

/** Groups of processes that run. They end with this process, however it exits. */
const running = new Set<number>();
process.on("exit", () => {
  for (const pid of running) killGroup(pid, "SIGKILL");
});

/**
 * A server as a child process in a group of its own, so that what it started (`npx` starts a shell, which starts the
 * server) ends with it. If this process is killed, the server sees the end of its input.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #address: ServerAddress & { transport: "stdio" };
  readonly #received = new ReadBuffer({ maxBufferSize: MOST_BYTES });
  #child: ResultPromise | undefined;
  #ended: Promise<void> = Promise.resolve();
  #stderr = "";

  constructor(address: ServerAddress & { transport: "stdio" }) {
    this.#address = address;
  }

  /** The first error and the last lines of its standard error, or how it ended. */
  lastWords(): string {
    const lines = this.#stderr.split(/[\r\n]+/).filter((line) => line.trim() !== "");
    const last = lines.slice(-3);
    const error = lines.find((line) => /^\s*\w*Error\b/.test(line));
    const shown = error === undefined || last.includes(error) ? last : [error, ...last];
    return oneLine(shown.join(" / "), 400);
  }

  async start(): Promise<void> {
    const { command, args, env, folder } = this.#address;
    const child = execa(command, args, {
      ...{ stdin: "pipe", stdout: "pipe", stderr: "pipe", buffer: false, reject: false },
      ...{ cwd: folder, env: { ...getDefaultEnvironment(), ...env }, extendEnv: false },
      detached: process.platform !== "win32",
    } as const);
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    child.stdout.on("data", (bytes: Buffer) => this.#receive(bytes));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    for (const stream of [child.stdin, child.stdout])
      stream.on("error", (error) => this.onerror?.(error));
    const exited = new Promise<void>((done) => child.nodeChildProcess.once("exit", () => done()));
    // What it started and left behind would keep its pipes open.
    exited.then(() => this.#kill("SIGKILL"));
    let problem = "";
    this.#ended = child.then(({ originalMessage, code, exitCode }) => {
      if (pid !== undefined) running.delete(pid);
      if (pid === undefined)
        problem = code === "ENOENT" ? whatIsMissing(command, folder) : (originalMessage ?? "");
      else if (this.#stderr === "" && exitCode !== undefined)
        this.#stderr = `it ended with exit code ${exitCode}`;
      this.onclose?.();
    });
    if (pid !== undefined) return;
    await this.#ended;
    throw new Error(problem);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#child ?? {};
    if (stdin == null || stdin.destroyed || stdin.writableEnded) throw new Error("it has ended");
    await new Promise<void>((done, failed) =>
      stdin.write(serializeMessage(message), (error) => (error ? failed(error) : done())),
    );
  }

  async close(): Promise<void> {
    if (this.#child === undefined) return;
    this.#child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const stop = new AbortController();
      const waiting = delay(GRACE_MS, "running", { signal: stop.signal }).catch(() => "ended");
      const state = await Promise.race([this.#ended.then(() => "ended"), waiting]);
      stop.abort();
      if (state === "ended") return;
      this.#kill(signal);
    }
    await this.#ended;
  }

  #receive(bytes: Buffer): void {
    try {
      this.#received.append(bytes);
    } catch (error) {
      this.onerror?.(error as Error);
      this.#kill("SIGKILL");
      return;
    }
    for (;;) {
      try {
        const message = this.#received.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // Some servers print words between messages.
        this.onerror?.(error as Error);
      }
    }
  }

  #kill(signal: NodeJS.Signals): void {
    const { pid } = this.#child ?? {};
    if (pid !== undefined) killGroup(pid, signal);
  }
}

/** The system reports a missing working folder as a missing program. */
function whatIsMissing(command: string, folder: string): string {
  return existsSync(folder)
    ? `there is no program ${JSON.stringify(command)}; check its "command"`
    : `there is no folder ${folder}; check its "cwd"`;
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}
