import { Command, CommanderError } from "commander";
import { COMMANDS } from "./commands/list.ts";
import { EXIT } from "./commands/output.ts";
import { version } from "./version.ts";

/** Runs one command line; sets `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("video-rrd")
    .description(
      "Answers questions about videos by decomposition: recognise, search for the evidence, reason, and cite what was seen and when.",
    )
    .version(version())
    .exitOverride()
    .showHelpAfterError("(see --help)");
  for (const add of COMMANDS) add(program);
  program.addHelpText("after", "\nExample:\n  $ video-rrd demo\n");
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

if (import.meta.main) await main(process.argv.slice(2));
