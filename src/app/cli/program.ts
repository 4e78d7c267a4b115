import "../registry.ts";
import { Command } from "commander";
import { Failure } from "../../core/errors.ts";
import { version } from "../../core/version.ts";
import { COMMANDS } from "./commands.ts";

/** The command-line program with all commands. Throws `Failure` `wrong-usage` if a definition brings a flag of another. */
export function createProgram(): Command {
  const program = new Command("video-rrd")
    .description(
      "Answers questions about videos by decomposition: recognise, search for evidence, reason, and cite the evidence with its times.",
    )
    .version(version())
    .exitOverride()
    .showHelpAfterError("(see --help)");
  try {
    for (const add of COMMANDS) add(program);
  } catch (error) {
    throw flagFailure(error) ?? error;
  }
  program.addHelpText("after", "\nExample:\n  $ video-rrd demo\n");
  return program;
}

/** The failure for a setting of a user's definition whose flag a command has already; null for another error. */
function flagFailure(error: unknown): Failure | null {
  const [, command, flag] =
    /to command '(.+?)' due to conflicting flag '(.+?)'/.exec(String(error)) ?? [];
  if (flag === undefined) return null;
  return new Failure(
    "wrong-usage",
    `Invalid flag ${flag} of a setting: the command ${command} has another flag of this name. Choose another name.`,
    { flag, command },
    { cause: error },
  );
}
