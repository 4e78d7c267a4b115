import { Failure } from "../../src/core/errors.ts";
import { hashOf } from "../../src/core/hash.ts";
import { shellWord } from "../../src/core/shell-word.ts";
import type { ServerRecord } from "../../tools/mcp/server-record.ts";

/** What a header records of MCP servers: nothing without any. */
export function serversForHeader(records: readonly ServerRecord[]): { mcp?: ServerRecord[] } {
  return records.length === 0 ? {} : { mcp: [...records] };
}

/**
 * Refuses to start servers that only a folder names, since their commands may be anybody's. Throws `Failure` `wrong-usage`.
 *
 * @param stored the file of servers in the folder's settings
 * @param given the file that was named for this command
 */
export function requireNamedServers(
  stored: unknown,
  given: string | null | undefined,
  folder: string,
): void {
  if (typeof stored !== "string" || given !== undefined) return;
  throw new Failure(
    "wrong-usage",
    `${folder} was made with MCP servers, which are started only if you name their file. Add --mcp ${shellWord(stored)}.`,
    { folder, path: stored },
  );
}

/** Refuses to continue with other tools than a run started with. Throws `Failure` `data-malformed`. */
export function checkServers(
  recorded: readonly ServerRecord[] | undefined,
  now: readonly ServerRecord[],
  folder: string,
): void {
  const before = new Map((recorded ?? []).map((record) => [record.name, record]));
  const after = new Map(now.map((record) => [record.name, record]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const changed = names.find(
    (name) => hashOf(before.get(name) ?? null) !== hashOf(after.get(name) ?? null),
  );
  if (changed === undefined) return;
  const how = !after.has(changed)
    ? "is missing"
    : !before.has(changed)
      ? "is new"
      : "has another version or other tools";
  throw new Failure(
    "data-malformed",
    `Cannot resume ${folder}: the MCP server ${changed} ${how} since the run started. Restore it, or start a new run.`,
    { folder, server: changed },
  );
}
