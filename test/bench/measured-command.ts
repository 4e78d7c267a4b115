import { execFile } from "node:child_process";
import { existsSync, globSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");
const PRELOAD = join(import.meta.dirname, "report-usage.mjs");
const BUILD = join(ROOT, "scripts/build.ts");

/** What a process used from its start to its end: seconds, seconds of CPU, and the most memory in MB. */
export interface ProcessUse {
  alive_s: number;
  cpu_s: number;
  peak_mb: number;
}

/** Folders that are compiled. */
const SOURCES = ["src", "evals", "graphs", "tools", "prompts"];

let built: Promise<string> | undefined;

/** The path of the command as users have it: compiled, if a source has changed since. */
export function packagedCommand(): Promise<string> {
  built ??= compile();
  return built;
}

async function compile(): Promise<string> {
  const made = timeOf(join(ROOT, "dist/bundle/src/app/index.js"));
  const files = globSync(`{${SOURCES.join(",")}}/**/*`, { cwd: ROOT });
  if (files.some((file) => timeOf(join(ROOT, file)) > made))
    await promisify(execFile)(process.execPath, [BUILD]);
  return join(ROOT, "bin/video-rrd.js");
}

/** 0 for a missing file. */
function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Runs a program for Node and measures its process. Throws with its output if it fails. */
export async function measuredCommand(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<ProcessUse> {
  const folder = await mkdtemp(join(tmpdir(), "video-rrd-usage-"));
  const file = join(folder, "usage.json");
  try {
    await promisify(execFile)(process.execPath, ["--import", PRELOAD, ...args], {
      cwd,
      env: { ...process.env, ...env, USAGE_FILE: file },
      maxBuffer: 2 ** 28,
    });
    if (!existsSync(file)) throw new Error(`${args[0]} did not report what it used.`);
    return JSON.parse(await readFile(file, "utf8")) as ProcessUse;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
