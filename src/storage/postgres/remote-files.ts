import type { RemoteFiles } from "../../core/contracts.ts";
import { remoteFile } from "../rows/remote-file.ts";
import type { Database, Send } from "./database.ts";
import { ALIVE } from "./memo-schema.ts";
import { hasGone, type Processes } from "./processes.ts";

/** Records of files at model providers. A process uses a file while its row in `processes` is alive. */
export function createRemoteFiles(db: Database, processes: Processes): RemoteFiles {
  const places = new Map<string, () => void>();

  /** Keeps the row of this process alive while it uses files of a place. */
  async function stayFor(place: string): Promise<void> {
    if (!places.has(place)) places.set(place, processes.stay());
    await processes.renew();
  }

  async function hold(send: Send, place: string, name: string): Promise<void> {
    await send(
      "INSERT INTO remote_holds (place, name, process) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [place, name, processes.id],
    );
  }

  return {
    async find({ place, account, content }) {
      const row = await db.row(
        "looking up an upload",
        `SELECT * FROM remote_files WHERE content = $1 AND place = $2 AND account = $3 AND NOT leaving
         ORDER BY uri IS NULL, expires_at DESC LIMIT 1`,
        [content, place, account],
      );
      return row === undefined ? undefined : remoteFile(row);
    },
    async put({ name, place, account, content, uri, expires_at }) {
      await stayFor(place);
      await db.transaction("noting an upload", async (send) => {
        await send(
          `INSERT INTO remote_files (name, place, account, content, uri, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (place, name) DO UPDATE SET account = excluded.account, content = excluded.content,
             uri = excluded.uri, expires_at = excluded.expires_at, leaving = false`,
          [name, place, account, content, uri, expires_at],
        );
        await hold(send, place, name);
      });
    },
    async hold({ place, name }) {
      await stayFor(place);
      await db.transaction("noting an upload", (send) => hold(send, place, name));
    },
    async release(place, account) {
      const files = await db.transaction("releasing uploads", async (send) => {
        // Two processes that release at once must not both leave the file to the other.
        await send("SELECT 1 FROM remote_files WHERE place = $1 AND account = $2 FOR UPDATE", [
          place,
          account,
        ]);
        await send("DELETE FROM remote_holds WHERE place = $1 AND process = $2", [
          place,
          processes.id,
        ]);
        const { rows: holders } = await send(
          `SELECT name, processes.* FROM remote_holds JOIN processes ON processes.id = process
           WHERE place = $1 AND ${ALIVE}`,
          [place],
        );
        const held = holders.filter((row) => !hasGone(row)).map((row) => String(row.name));
        const { rows } = await send(
          `UPDATE remote_files SET leaving = true WHERE place = $1 AND account = $2 AND name <> ALL ($3::text[])
           RETURNING *`,
          [place, account, held],
        );
        return rows.map(remoteFile);
      });
      places.get(place)?.();
      places.delete(place);
      return files;
    },
    async drop({ place, name }) {
      await db.transaction("forgetting an upload", async (send) => {
        await send("DELETE FROM remote_files WHERE place = $1 AND name = $2", [place, name]);
        await send("DELETE FROM remote_holds WHERE place = $1 AND name = $2", [place, name]);
      });
    },
  };
}
