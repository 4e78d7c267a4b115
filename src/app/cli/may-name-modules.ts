/** The flag of files that are loaded for their definitions, whatever their kind. */
export const MODULE_FLAG = "--module";

/** Commands that read settings from a YAML file: from this flag, or (null) from their first argument. */
export const YAML_FROM: Readonly<Record<string, string | null>> = { eval: "--config", sweep: null };

/**
 * Whether a command line may name files of users: most do not, and need not be taken apart. A command that uses no
 * definitions names none: `.ts` is also the extension of an MPEG transport stream.
 */
export function mayNameModules(
  argv: readonly string[],
  commands: readonly { name: string; definitions?: false }[],
): boolean {
  const word = argv.find((token) => commands.some(({ name }) => name === token));
  const command = commands.find(({ name }) => name === word);
  if (command === undefined || command.definitions === false) return false;
  const flags = [MODULE_FLAG, ...Object.values(YAML_FROM)];
  return argv.some(
    (token) =>
      /\.m?[tj]s\b/.test(token) ||
      YAML_FROM[token] === null ||
      flags.some((flag) => flag !== null && token.startsWith(flag)),
  );
}
