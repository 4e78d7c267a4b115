import type { Command } from "commander";
import type { AuditEntry, AuditFilter, NewAuditEntry } from "../../core/audit.ts";
import type { Store } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { spreadsheetCell } from "../../core/spreadsheet-cell.ts";
import { readAge, readInstant } from "./ages.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printable, printJson, run, say, table } from "./output.ts";

/** Entries that are read at once. */
const PAGE = 1000;
const COLUMNS = [
  "at",
  "who",
  "address",
  "action",
  "video",
  "name",
  "question",
  "evidence",
] as const;
/** Who a command acts for. */
const OPERATOR = { who: "command line", address: "" };

interface Flags {
  since?: string;
  until?: string;
  who?: string;
  action?: string;
  video?: string;
  json?: boolean;
  csv?: boolean;
  pruneOlderThan?: string;
}

export function configureAudit(command: Command): void {
  command
    .argument("<data>", "the data folder")
    .option("--since <instant>", "only entries from this date, instant or age: 2026-11-01, 30d")
    .option("--until <instant>", "only entries before this date, instant or age")
    .option("--who <name>", "only entries of this key")
    .option("--action <name>", "only entries of this action, such as video.deleted")
    .option("--video <id>", "only entries of this video")
    .option("--json", "print one JSON value")
    .option("--csv", "print a CSV file")
    .option(
      "--prune-older-than <age>",
      "remove older entries instead, such as 365d; the log notes it",
    )
    .action((data: string, flags: Flags) =>
      run(async () => {
        if (flags.json && flags.csv)
          throw new Failure(
            "wrong-usage",
            "--json and --csv exclude each other. Pass one of them.",
          );
        const filter = filterOf(flags);
        const age = flags.pruneOlderThan;
        const before = age === undefined ? null : Date.now() - readAge("--prune-older-than", age);
        const store = await openDataFolder(data);
        try {
          if (before !== null) await prune(store, before, flags.json ?? false);
          else {
            const entries = await entriesOf(store, filter);
            await show(entries, flags);
            if (entries.length === 0 && flags.action !== undefined)
              await sayActions(store, flags.action);
          }
          return EXIT.ok;
        } finally {
          await store.close();
        }
      }),
    );
  withExamples(
    command,
    "audit .video-rrd --since 7d",
    "audit .video-rrd --since 2026-11-01 --action video.deleted --csv",
    "audit .video-rrd --prune-older-than 365d",
  );
}

/** Notes what a command did in the audit log. */
export async function auditCommand(
  { audit }: Store,
  entry: Omit<NewAuditEntry, "at" | "who" | "address">,
): Promise<void> {
  await audit.append({ ...OPERATOR, ...entry, at: Date.now() });
}

function filterOf({ since, until, ...rest }: Flags): AuditFilter {
  const { who, action, video } = rest;
  return {
    ...{ who, action, video },
    since: since === undefined ? undefined : readInstant("--since", since),
    until: until === undefined ? undefined : readInstant("--until", until),
  };
}

async function entriesOf({ audit }: Store, filter: AuditFilter): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let before: number | null = null; ; before = entries.at(-1)?.id ?? null) {
    const page = await audit.list(filter, PAGE, before);
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}

/** The name may be mistyped. Versions differ in their actions, so that no list can refuse it. */
async function sayActions(store: Store, action: string): Promise<void> {
  const names = new Set((await entriesOf(store, {})).map((entry) => entry.action));
  if (names.has(action) || names.size === 0) return;
  const known = [...names].sort().map(printable).join(", ");
  say(`No entry of the log has the action ${JSON.stringify(action)}. Actions in it: ${known}.`);
}

async function show(entries: readonly AuditEntry[], { json, csv }: Flags): Promise<void> {
  const rows = entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }));
  if (json) printJson({ items: rows, total: rows.length });
  else if (csv) {
    const { stringify } = await import("csv-stringify/sync");
    const cells = rows.map((row) => ({ ...row, details: JSON.stringify(row.details) }));
    process.stdout.write(
      stringify(cells, {
        header: true,
        columns: [...COLUMNS, "details"],
        cast: { string: spreadsheetCell },
      }),
    );
  } else if (rows.length === 0) print("No entries.");
  else {
    const shown = ["at", "who", "address", "action", "name"] as const;
    const cells = rows.map((row) => shown.map((column) => printable(row[column] ?? "")));
    print(table([[...shown], ...cells]));
  }
}

async function prune({ audit }: Store, before: number, json: boolean): Promise<void> {
  const removed = await audit.prune(before, OPERATOR);
  const instant = new Date(before).toISOString();
  if (json) printJson({ removed, before: instant });
  else print(`Removed ${removed} ${removed === 1 ? "entry" : "entries"} from before ${instant}.`);
}
