import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll } from "vitest";
import { CLI } from "../../support/command-line.ts";
import { client } from "./rig.ts";

const running = new Set<ChildProcess>();

/** `video-rrd serve` in its own process, with the scripted model at `model`. */
export async function serveCommand(
  data: string,
  model: string,
  more: readonly string[] = [],
  wrapped: readonly string[] = [],
  options: Pick<SpawnOptions, "env" | "detached"> = {},
) {
  const own = ["serve", "--port", "0", "--data-dir", data, "--model", "openai:scripted"];
  const flags = ["--base-url", model, "--frames", "12", "--max-side", "64", ...more];
  const [command = "", ...args] = [...wrapped, process.execPath, CLI, ...own, ...flags];
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const exit = once(child, "exit").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  const url = /http:\/\/[\w.:]+/.exec(String(value))?.[0];
  if (url === undefined) throw new Error(`The service did not start: ${said}`);
  return { ...client(url), line: String(value), child, exit, said: () => said };
}

afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});
