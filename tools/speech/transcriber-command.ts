import { readFileSync, statSync } from "node:fs";
import { Failure } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";
import { findProgram, splitCommand } from "../../src/core/program.ts";

/** Begins the value of `--transcriber` that names a program. */
export const COMMAND_PREFIX = "command:";

/** Paths for the placeholders of a command, which are replaced within its arguments. */
export interface CommandPlaceholders {
  /** WAV file with the sound: one channel, 16,000 samples per second, 16 bits. */
  audio: string;
  /** File for the transcript, without an extension; the program may add one. */
  output: string;
  /** Folder of both, which is removed afterwards. */
  folder: string;
}

/** A program that transcribes a sound file, with its arguments before the paths are filled in. */
export interface TranscriberCommand {
  command: string;
  args: string[];
}

/** A command as `--transcriber` takes it. */
export const TRANSCRIBER_EXAMPLE =
  "command:whisper {audio} --output_dir {folder} --output_format json";

/** Whether the value of `--transcriber` names a program. */
export function isTranscriberCommand(given: string): boolean {
  return given.startsWith(COMMAND_PREFIX);
}

/**
 * Splits a command at its spaces; a backslash before a space keeps it. No shell reads it. `{language}` is replaced by
 * the language. Throws `Failure` `wrong-setting` for a command without a program or `{audio}`, with quotes, with an
 * unknown placeholder, with `{language}` but no language, or the other way round.
 */
export function parseTranscriberCommand(
  given: string,
  language: string | null,
): TranscriberCommand {
  const invalid = (problem: string) =>
    new Failure("wrong-setting", `Invalid --transcriber ${JSON.stringify(given)}: ${problem}.`, {
      given,
    });
  const [command, ...args] = splitCommand(given.slice(COMMAND_PREFIX.length));
  if (command === undefined) throw invalid(`name a program, for example "${TRANSCRIBER_EXAMPLE}"`);
  if (args.some((arg) => /^["']/.test(arg)))
    throw invalid("no shell reads it, so quotes have no effect; write a backslash before a space");
  if (!args.some((arg) => arg.includes("{audio}")))
    throw invalid(
      `write {audio} where the program expects the sound file, as in "${TRANSCRIBER_EXAMPLE}"`,
    );
  const unknown = args
    .flatMap((arg) => arg.match(/\{[a-z_]{1,40}\}/g) ?? [])
    .find((name) => !["{audio}", "{output}", "{folder}", LANGUAGE].includes(name));
  if (unknown !== undefined)
    throw invalid(`${unknown} is not known; use {audio}, {output}, {folder} and {language}`);
  if (language === null) {
    if (args.some((arg) => arg.includes(LANGUAGE)))
      throw invalid(`pass the language for ${LANGUAGE} with --speech-language, for example en`);
    return { command, args };
  }
  if (!args.some((arg) => arg.includes(LANGUAGE)))
    throw new Failure(
      "wrong-setting",
      `Invalid --speech-language ${language}: the command of --transcriber does not take it. Write ${LANGUAGE} in the command where the program expects the language, or leave it out.`,
      { given, language },
    );
  return { command, args: args.map((arg) => arg.replaceAll(LANGUAGE, language)) };
}

const LANGUAGE = "{language}";

/** The arguments with paths for the placeholders. */
export function fillPlaceholders(args: readonly string[], paths: CommandPlaceholders): string[] {
  return args.map((arg) =>
    arg.replace(
      /\{(audio|output|folder)\}/g,
      (_all, name: keyof CommandPlaceholders) => paths[name],
    ),
  );
}

/**
 * What tells a command from a changed one: its words, and for the program and each argument that is a file, the content
 * of a small file, or size and time of a large one such as the weights of a model. Throws `Failure` `wrong-setting` if
 * the program is missing or cannot be run.
 */
export function identifyCommand({ command, args }: TranscriberCommand): unknown {
  const program = findProgram(command);
  if (program === null)
    throw new Failure(
      "wrong-setting",
      `Cannot start the transcriber ${command}: it is missing or cannot be run. Install it, or name another program with --transcriber.`,
      { command },
    );
  return { command, args, files: [program, ...args].map(identifyFile) };
}

/** Up to this size, the content counts: a copied script is the same, and one that was edited is another. */
const SMALL_BYTES = 2 ** 20;

function identifyFile(path: string): unknown {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info?.isFile()) return null;
  return info.size <= SMALL_BYTES
    ? sha256(readFileSync(path))
    : { size: info.size, modified_ms: Math.trunc(info.mtimeMs) };
}
