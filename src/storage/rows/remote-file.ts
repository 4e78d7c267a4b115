import type { RemoteFile } from "../../core/contracts.ts";

/** A row of the table `remote_files`. */
export function remoteFile(row: Record<string, unknown>): RemoteFile {
  return {
    name: String(row.name),
    place: String(row.place),
    account: String(row.account),
    content: String(row.content),
    uri: row.uri === null ? null : String(row.uri),
    expires_at: Number(row.expires_at),
  };
}
