import type { Command } from "commander";

/** Adds examples at the end of the help of a command. */
export function withExamples(command: Command, ...lines: string[]): Command {
  return command.addHelpText(
    "after",
    `\nExample${lines.length > 1 ? "s" : ""}:\n${lines.map((line) => `  $ video-rrd ${line}`).join("\n")}\n`,
  );
}
