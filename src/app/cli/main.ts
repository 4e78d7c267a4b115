import "../registry.ts";
import { Command, CommanderError } from "commander";
import { Failure, isFailure, systemCode } from "../../core/errors.ts";
import { version } from "../../core/version.ts";
import { COMMANDS } from "./commands.ts";
import { withModules } from "./module-arguments.ts";
import { EXIT, exitCodeOf, say } from "./output.ts";

/** Runs one command line and sets `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.off("error", allowClosed).on("error", allowClosed);
  try {
    const named = await withModules(argv, createProgram);
    await createProgram().parseAsync(named, { from: "user" });
  } catch (error) {
    if (isFailure(error)) {
      say(error.message);
      process.exitCode = exitCodeOf(error);
      return;
    }
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

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

/** A reader such as `head` may close the pipe early. The command still runs to its end and sets its exit code. */
function allowClosed(error: Error): void {
  if (systemCode(error) !== "EPIPE") throw error;
}

if (import.meta.main) await main(process.argv.slice(2));
