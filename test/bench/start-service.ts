import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { packagedCommand } from "./measured-command.ts";

export interface Served {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts the packaged `video-rrd serve` in a process of its own, so that its memory and latency can be measured. */
export async function startService(
  data: string,
  flags: readonly string[] = [],
  errors: "ignore" | "inherit" = "ignore",
): Promise<Served> {
  const stdio: StdioOptions = ["ignore", "pipe", errors];
  const child = spawn(
    process.execPath,
    [await packagedCommand(), "serve", "--port", "0", "--data-dir", data, ...flags],
    { stdio },
  );
  const exit = once(child, "exit");
  if (child.stdout === null) throw new Error("The service has no output.");
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const url = /http:\/\/[\w.:]+/.exec(String(value))?.[0];
  if (url === undefined) throw new Error("The service did not start.");
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}
