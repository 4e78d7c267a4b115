import type { Command } from "commander";
import { z } from "zod";
import { Failure } from "../../core/errors.ts";
import { USAGE_GROUPS, type UsageAmounts } from "../../core/usage-ledger.ts";
import type { UsageReport } from "../service/sum-usage.ts";
import { withExamples } from "./example.ts";
import { openDataFolder } from "./open-data-folder.ts";
import { EXIT, print, printJson, run, table } from "./output.ts";

interface Flags {
  since?: string;
  until?: string;
  by: string;
  key?: string;
  json?: boolean;
}

export function configureUsage(command: Command): void {
  command
    .argument("[data]", "data folder of the service", ".video-rrd")
    .option("--since <day>", "first day (UTC), such as 2026-11-01; default: 29 days before --until")
    .option("--until <day>", "last day (UTC); default: today")
    .option("--by <group>", `rows by ${USAGE_GROUPS.join(", ")}`, "day")
    .option("--key <name>", "only this key")
    .option("--json", "print one JSON value")
    .action((data: string, flags: Flags) =>
      run(async () => {
        const by = USAGE_GROUPS.find((group) => group === flags.by);
        if (by === undefined)
          throw new Failure(
            "wrong-usage",
            `Invalid --by ${JSON.stringify(flags.by)}: use one of ${USAGE_GROUPS.join(", ")}.`,
            { flag: "--by", given: flags.by },
          );
        const [since, until] = [day("--since", flags.since), day("--until", flags.until)];
        const { sumUsage } = await import("../service/sum-usage.ts");
        const store = await openDataFolder(data);
        try {
          const report = await sumUsage(store.service, flags.key ?? null, { since, until, by });
          if (flags.json) printJson(report);
          else print(render(report));
          return EXIT.ok;
        } finally {
          await store.close();
        }
      }),
    );
  withExamples(command, "usage", "usage --by model --since 2026-11-01", "usage --key ann --json");
}

function day(flag: string, given: string | undefined): string | undefined {
  if (given === undefined || z.iso.date().safeParse(given).success) return given;
  throw new Failure(
    "wrong-usage",
    `Invalid ${flag} ${JSON.stringify(given)}: use a day such as 2026-11-01.`,
    { flag, given },
  );
}

function render({ since, until, by, items, total }: UsageReport): string {
  if (items.length === 0) return `No questions from ${since} to ${until}.`;
  const amounts = ({ questions, calls, input, output, cost, paid }: UsageAmounts) => [
    ...[questions, calls, input, output].map(String),
    ...[cost, paid].map((dollars) => dollars.toFixed(4)),
  ];
  const note =
    total.unpriced === 0
      ? []
      : [`${total.unpriced} calls have no known price and are missing in the dollars.`];
  return [
    table([
      ["key", by === "key" ? "" : by, "questions", "calls", "input", "output", "cost", "paid"],
      ...items.map(({ key, group, ...row }) => [
        key ?? "(no key)",
        by === "key" ? "" : (group ?? "(no model)"),
        ...amounts(row),
      ]),
      ["total", "", ...amounts(total)],
    ]),
    "cost: dollars as if no reply had been stored before; paid: dollars spent",
    ...note,
  ].join("\n");
}
