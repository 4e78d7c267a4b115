import { Command } from "commander";
import { Failure } from "../../core/errors.ts";
import { version } from "../../core/version.ts";
import { COMMANDS } from "./commands.ts";
import { addStoreFlag, applyStoreFlag } from "./store-flag.ts";

/**
 * The command-line program. Every command has its name and summary; only those that are asked for have arguments, flags
 * and code, since loading all of them, with the definitions from which flags follow, takes longer than many commands run.
 *
 * @param argv a command line, whose command is made ready; "all" for every command
 * @throws `Failure` `wrong-usage` if a definition brings a flag of another
 */
export async function createProgram(argv: readonly string[] | "all"): Promise<Command> {
  const program = new Command("video-rrd")
    .description(
      "Answers questions about videos by decomposition: recognise, search for evidence, reason, and cite the evidence with its times.",
    )
    .version(version())
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .showHelpAfterError("(see --help)");
  const asked = argv === "all" ? argv : argv.find(isCommand);
  for (const { name, summary, definitions, configure } of COMMANDS) {
    const command = program.command(name).description(summary);
    if (asked !== "all" && asked !== name) continue;
    if (definitions !== false) await import("../registry.ts");
    try {
      await configure(command);
      addStoreFlag(command);
    } catch (error) {
      throw flagFailure(error) ?? error;
    }
  }
  applyStoreFlag(program);
  program.addHelpText("after", "\nExample:\n  $ video-rrd demo\n");
  return program;
}

function isCommand(word: string): boolean {
  return COMMANDS.some(({ name }) => name === word);
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
