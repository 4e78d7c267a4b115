import type { Command } from "commander";
import { withExamples } from "./example.ts";
import { EXIT, run, say } from "./output.ts";
import { addSettingFlags, givenSettings, isForQuestions } from "./setting-flags.ts";

interface Flags {
  allowFolder: string[];
  allowModel: string[];
}

export function configureMcp(command: Command): void {
  command
    .option(
      "--allow-folder <folder>",
      "folder whose videos and runs the client may read, with everything below; may be repeated; default: none",
      (folder: string, before: string[]) => [...before, folder],
      [],
    )
    .option(
      "--allow-model <name...>",
      "models that a client may name in addition to those of this command",
      [],
    );
  addSettingFlags(command, isForQuestions);
  withExamples(
    command,
    "mcp --allow-folder ~/Videos",
    "mcp --allow-folder ~/Videos --allow-folder ~/runs --model openai:gpt-4.1 --cost-limit 0.5",
  );
  command.action((flags: Flags) =>
    run(async (signal) => {
      const { connectStdio } = await import("../mcp/stdio.ts");
      const connection = await connectStdio();
      const { createLocalSession } = await import("../mcp/local-session.ts");
      const session = await createLocalSession({
        folders: flags.allowFolder,
        models: flags.allowModel,
        settings: givenSettings(command),
        roots: connection.roots,
        log: say,
      });
      if (flags.allowFolder.length === 0)
        say(
          "No folder is allowed: clients can open no file. Pass --allow-folder, for example --allow-folder ~/Videos.",
        );
      await connection.serve(session.open, signal);
      await session.close();
      return EXIT.ok;
    }),
  );
}
