import { CommanderError } from "commander";
import { isFailure, systemCode } from "../../core/errors.ts";
import { unfinishedWork } from "../../core/unfinished-work.ts";
import { COMMANDS } from "./commands.ts";
import { keepCompiledCode } from "./compile-cache.ts";
import { mayNameModules } from "./may-name-modules.ts";
import { keepHeapSmall } from "./small-heap.ts";

/** Runs one command line and sets `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv[0]?.startsWith("-") === false) keepHeapSmall();
  keepCompiledCode();
  for (const stream of [process.stdout, process.stderr])
    stream.off("error", allowClosed).on("error", allowClosed);
  // An MCP client waits for the reply to its first request while everything else is loaded.
  const early = servesMcp(argv)
    ? await (await import("../mcp/stdio.ts")).connectEarly()
    : undefined;
  const { createProgram } = await import("./program.ts");
  const { EXIT, exitCodeOf, say, sayFailure } = await import("./output.ts");
  const onExit = (code: number) => {
    const unfinished = unfinishedWork();
    if (unfinished === null || (code !== EXIT.ok && code !== UNSETTLED)) return;
    say(unfinished);
    process.exitCode = EXIT.failed;
  };
  process.once("exit", onExit);
  try {
    const named = mayNameModules(argv, COMMANDS)
      ? await (await import("./module-arguments.ts")).withModules(argv, createProgram)
      : argv;
    const program = await createProgram(named);
    await program.parseAsync(named, { from: "user" });
  } catch (error) {
    if (isFailure(error)) {
      sayFailure(error);
      process.exitCode = exitCodeOf(error);
      return;
    }
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  } finally {
    process.off("exit", onExit);
    await early?.close();
  }
}

/** Node's exit code if nothing is left that an `await` could wait for. */
const UNSETTLED = 13;

function servesMcp([command, ...rest]: readonly string[]): boolean {
  return command === "mcp" && !rest.some((word) => word === "--help" || word === "-h");
}

/** A reader such as `head` may close the pipe early. The command still runs to its end and sets its exit code. */
function allowClosed(error: Error): void {
  if (systemCode(error) !== "EPIPE") throw error;
}

if (import.meta.main) await main(process.argv.slice(2));
