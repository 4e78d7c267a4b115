import type { Command } from "commander";
import type { Store } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { KEY_ROLES, type KeyRole, ROLE_SUMMARIES } from "../service/options.ts";
import { auditCommand } from "./audit.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printJson, run, say, table } from "./output.ts";
import { typedNumber, wholeNumber } from "./setting-flags.ts";

interface Limits {
  dataDir: string;
  inFlight?: string;
  costADay?: string;
  bytes?: string;
  role?: string[];
  admin?: boolean;
}

/** Adds `keys add`, `keys list` and `keys remove`. A secret is printed once; the store has its hash. */
export function configureKeys(keys: Command): void {
  withExamples(keys, "keys add ann --in-flight 3 --cost-a-day 5", "keys list", "keys remove ann");
  const add = keys
    .command("add")
    .description("create a key and print its secret, which is not stored")
    .argument("<name>", "name of the caller")
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .option("--in-flight <number>", "maximum queued and running questions")
    .option(
      "--cost-a-day <dollars>",
      "maximum dollars a day (UTC), by the known prices; concurrent questions share them",
    )
    .option(
      "--bytes <number>",
      "maximum bytes of all videos of this key and the data derived from them",
    )
    .option(
      "--role <role...>",
      `what the key may do: ${KEY_ROLES.map((role) => `${role} (${ROLE_SUMMARIES[role]})`).join("; ")}; default: ask`,
    )
    .option("--admin", "the same as --role operate")
    .action((name: string, options: Limits) =>
      withStore(newDataFolder, options.dataDir, async (store) => {
        const { addKey } = await import("../service/auth.ts");
        const { inFlight, costADay, bytes } = options;
        const limits = {
          in_flight: inFlight === undefined ? null : positive("--in-flight", inFlight),
          cost_a_day: costADay === undefined ? null : dollars("--cost-a-day", costADay),
          bytes: bytes === undefined ? null : wholeNumber("--bytes", bytes),
        };
        const roles = rolesIn(options);
        const secret = await addKey(store.service, name, limits, roles);
        await auditCommand(store, { action: "key.added", details: { name, roles } });
        print(secret);
        say(`This is the key of ${name}. It cannot be shown again.`);
      }),
    );
  withExamples(
    add,
    "keys add ann --in-flight 3 --cost-a-day 5",
    "keys add rita --role review",
    "keys add olga --role operate",
  );
  const list = keys
    .command("list")
    .description("list the keys and their limits")
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .option("--json", "print JSON")
    .action((options: { dataDir: string; json?: boolean }) =>
      withStore(openDataFolder, options.dataDir, async (store) => {
        const { parseKey } = await import("../service/auth.ts");
        const rows = (await store.service.keys()).map((key) => ({
          name: key.name,
          ...parseKey(key),
        }));
        if (options.json) return printJson(rows);
        const cell = (value: number | null) => (value === null ? "any" : String(value));
        print(
          rows.length === 0
            ? "There are no keys."
            : table([
                ["name", "roles", "in flight", "dollars a day", "bytes"],
                ...rows.map((row) => [
                  row.name,
                  row.roles.join(", "),
                  cell(row.in_flight),
                  cell(row.cost_a_day),
                  cell(row.bytes),
                ]),
              ]),
        );
      }),
    );
  withExamples(list, "keys list --json");
  const remove = keys
    .command("remove")
    .description("remove a key; videos and answers of its owner stay in the store")
    .argument("<name>", "name of the caller")
    .option("--data-dir <folder>", "folder of the store", ".video-rrd")
    .action((name: string, options: { dataDir: string }) =>
      withStore(openDataFolder, options.dataDir, async (store) => {
        if (!(await store.service.dropKey(name)))
          throw new Failure(
            "not-found",
            `Unknown key ${JSON.stringify(name)}: \`video-rrd keys list\` shows all keys.`,
          );
        await auditCommand(store, { action: "key.removed", details: { name } });
        print(`Removed the key of ${name}. Requests with it are refused.`);
      }),
    );
  withExamples(remove, "keys remove ann");
}

/** The first key may be added before the service has started. */
async function newDataFolder(folder: string): Promise<Store> {
  const { openStore } = await import("../../storage/open.ts");
  return openStore(folder);
}

function withStore(
  open: (folder: string) => Promise<Store>,
  folder: string,
  body: (store: Store) => Promise<void>,
): Promise<void> {
  return run(async () => {
    const store = await open(folder);
    try {
      await body(store);
      return EXIT.ok;
    } finally {
      await store.close();
    }
  });
}

function rolesIn({ role, admin }: Pick<Limits, "role" | "admin">): KeyRole[] {
  if (admin && role !== undefined)
    throw new Failure(
      "wrong-usage",
      "--admin and --role exclude each other. Pass --role operate, which includes the other roles.",
    );
  if (admin) return ["operate"];
  return (role ?? ["ask"]).map((given) => {
    const known = KEY_ROLES.find((name) => name === given);
    if (known !== undefined) return known;
    throw new Failure(
      "wrong-usage",
      `Invalid --role ${JSON.stringify(given)}: use one or more of ${KEY_ROLES.join(", ")}.`,
      { flag: "--role", given },
    );
  });
}

function positive(flag: string, given: string): number {
  const number = wholeNumber(flag, given);
  if (number > 0) return number;
  throw new Failure("wrong-usage", `Invalid ${flag} 0: use a whole number from 1.`, { flag });
}

function dollars(flag: string, given: string): number {
  const number = typedNumber(given);
  if (typeof number === "number" && Number.isFinite(number) && number >= 0) return number;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use dollars from 0, for example 20.`,
    { flag, given },
  );
}
