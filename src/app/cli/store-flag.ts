import { type Command, Option } from "commander";
import { STORE_VARIABLE, setStoreAddress } from "../../storage/store-address.ts";

/** Commands that take the data folder as an argument and not as `--data-dir`. */
const BY_ARGUMENT = new Set(["audit", "usage"]);

/** Adds `--store` to a command that opens a store. The address is kept out of the settings, which are stored and shown. */
export function addStoreFlag(command: Command): void {
  for (const inner of command.commands) addStoreFlag(inner);
  const opens = command.options.some(({ long }) => long === "--data-dir");
  if (!opens && !BY_ARGUMENT.has(command.name())) return;
  command.addOption(
    new Option(
      "--store <address>",
      `keep the rows of the store in PostgreSQL, such as postgres://user@host/database; files stay in the data folder (default: $${STORE_VARIABLE} or the file in $${STORE_VARIABLE}_FILE, which keep a password out of the list of processes; without them SQLite in the data folder)`,
    ),
  );
}

/** Makes the `--store` of a command that of every store that it opens. */
export function applyStoreFlag(program: Command): void {
  program.hook("preAction", (_, command) => setStoreAddress(command.opts().store));
}
