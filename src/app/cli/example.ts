import type { Command } from "commander";

/** Every command's help ends with examples. */
export function withExamples(command: Command, ...lines: string[]): Command {
  return command.addHelpText(
    "after",
    `\nExample${lines.length > 1 ? "s" : ""}:\n${lines.map((line) => `  $ video-rrd ${line}`).join("\n")}\n`,
  );
}
