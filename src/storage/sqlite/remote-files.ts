import type { DatabaseSync } from "node:sqlite";
import type { RemoteFile, RemoteFiles } from "../../core/contracts.ts";
import { hasEnded, thisProcess } from "../process-identity.ts";
import { remoteFile } from "../rows/remote-file.ts";
import { guard, transaction } from "./transaction.ts";

/** Records of files at model providers. A killed process no longer uses its files: others may find or release them. */
export function createRemoteFiles(db: DatabaseSync): RemoteFiles {
  const { host, pid, started } = thisProcess();
  const find = db.prepare(
    `SELECT * FROM remote_files WHERE content = ? AND place = ? AND account = ? AND leaving = 0
     ORDER BY uri IS NULL, expires_at DESC LIMIT 1`,
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO remote_files (name, place, account, content, uri, expires_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const hold = db.prepare(
    "INSERT OR IGNORE INTO remote_holds (place, name, host, pid, started) VALUES (?, ?, ?, ?, ?)",
  );
  const letGo = db.prepare(
    "DELETE FROM remote_holds WHERE place = ? AND host = ? AND pid = ? AND started = ?",
  );
  const ofAccount = db.prepare("SELECT * FROM remote_files WHERE place = ? AND account = ?");
  const holders = db.prepare(
    "SELECT host, pid, started FROM remote_holds WHERE place = ? AND name = ?",
  );
  const leave = db.prepare("UPDATE remote_files SET leaving = 1 WHERE place = ? AND name = ?");
  const drop = db.prepare("DELETE FROM remote_files WHERE place = ? AND name = ?");
  const dropHolds = db.prepare("DELETE FROM remote_holds WHERE place = ? AND name = ?");

  function isHeld({ place, name }: RemoteFile): boolean {
    return holders
      .all(place, name)
      .some(
        (row) =>
          !hasEnded({ host: String(row.host), pid: Number(row.pid), started: String(row.started) }),
      );
  }

  return {
    async find({ place, account, content }) {
      const row = guard("looking up an upload", () => find.get(content, place, account));
      return row === undefined ? undefined : remoteFile(row);
    },
    async put({ name, place, account, content, uri, expires_at }) {
      transaction(db, "noting an upload", () => {
        put.run(name, place, account, content, uri, expires_at);
        hold.run(place, name, host, pid, started);
      });
    },
    async hold({ place, name }) {
      guard("noting an upload", () => hold.run(place, name, host, pid, started));
    },
    async release(place, account) {
      return transaction(db, "releasing uploads", () => {
        letGo.run(place, host, pid, started);
        const files = ofAccount
          .all(place, account)
          .map(remoteFile)
          .filter((file) => !isHeld(file));
        for (const file of files) leave.run(file.place, file.name);
        return files;
      });
    },
    async drop({ place, name }) {
      transaction(db, "forgetting an upload", () => {
        drop.run(place, name);
        dropHolds.run(place, name);
      });
    },
  };
}
