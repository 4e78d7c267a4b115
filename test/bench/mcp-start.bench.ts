import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI } from "../support/command-line.ts";
import { below, timed } from "./measured.ts";

const ROUNDS = 9;
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    ...{ protocolVersion: "2025-06-18", capabilities: {} },
    clientInfo: { name: "bench", version: "1" },
  },
};

/** Runs Node with `input` until it ends, or until the first line of its output. */
function run(args: readonly string[], folder: string, input?: string): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (!output.includes("\n")) return;
      child.stdin.end();
      done();
    });
    child.once("error", failed);
    child.once("exit", () => (input === undefined ? done() : failed(new Error("no reply"))));
    if (input === undefined) child.stdin.end();
    else child.stdin.write(input);
  });
}

/** Milliseconds from the start of `video-rrd mcp` to its reply to `initialize`, compared with those of `node -e 0`. */
export async function bench() {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-bench-"));
  const times: { bare: number; server: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const bare = await timed(() => run(["-e", "0"], folder));
      const request = `${JSON.stringify(INITIALIZE)}\n`;
      const server = await timed(() => run([CLI, "mcp", "--allow-folder", "."], folder, request));
      // The first round fills the disk's cache.
      if (round > 0) times.push({ bare: bare * 1000, server: server * 1000 });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const median = (of: (time: (typeof times)[number]) => number) =>
    times.map(of).sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  const ratio = median(({ bare, server }) => server / bare);
  return [
    below(
      "initialize, after node -e 0",
      median(({ bare, server }) => server - bare),
      "ms",
      500,
    ),
    { name: "the same as a ratio", value: ratio, unit: "times", bar: "none", ok: true },
  ];
}
