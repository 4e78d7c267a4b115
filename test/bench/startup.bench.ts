import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { below, type Measured, timed } from "./measured.ts";
import { packagedCommand } from "./measured-command.ts";

const ROUNDS = 9;

/** How long commands of the package take that do nothing, compared with Node alone; the runs of both alternate. */
export async function bench(): Promise<Measured[]> {
  const node = ["-e", "0"];
  const command = await packagedCommand();
  const version = await ratio([command, "--version"], node);
  const help = await ratio([command, "ask", "--help"], node);
  return [
    below("`--version` / `node -e 0`", version, "times", 4),
    below("`ask --help`, with every definition / `node -e 0`", help, "times", 10),
  ];
}

/** The median of the ratios of neighbouring runs, after one run that fills the cache of compiled code. */
async function ratio(args: readonly string[], base: readonly string[]): Promise<number> {
  const start = (of: readonly string[]) => promisify(execFile)(process.execPath, [...of]);
  await start(args);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    ratios.push((await timed(() => start(args))) / (await timed(() => start(base))));
  return ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] as number;
}
