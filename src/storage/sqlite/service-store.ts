import type { DatabaseSync } from "node:sqlite";
import type { QuestionRow, ServiceStore } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { editedSets } from "../rows/edited-sets.ts";
import { questionRow, uploadRow } from "../rows/service-rows.ts";
import { createIdempotentRequests, eraseResponses } from "./idempotency.ts";
import { QUESTION_COLUMNS } from "./question-columns.ts";
import { createRatings } from "./ratings.ts";
import { createServiceLists } from "./service-lists.ts";
import { guard, transaction } from "./transaction.ts";
import { createUsageLedger } from "./usage-ledger.ts";

export function createServiceStore(db: DatabaseSync): ServiceStore {
  const putUpload = db.prepare(
    `INSERT INTO uploads (id, owner, name, size, created_at, hash, json) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, size = excluded.size, hash = excluded.hash, json = excluded.json`,
  );
  const oneUpload = db.prepare("SELECT * FROM uploads WHERE id = ?");
  const ownUploads = db.prepare("SELECT * FROM uploads WHERE owner = ? ORDER BY rowid");
  const allUploads = db.prepare("SELECT * FROM uploads ORDER BY rowid");
  const uploadSizes = db.prepare(
    "SELECT id, owner, size, hash FROM uploads WHERE json IS NULL OR json_valid(json) ORDER BY rowid",
  );
  const sameUploads = db.prepare("SELECT * FROM uploads WHERE hash = ? ORDER BY rowid");
  const dropUpload = db.prepare("DELETE FROM uploads WHERE id = ?");
  const dropTags = db.prepare("DELETE FROM upload_tags WHERE upload = ?");
  const columns = Object.keys(QUESTION_COLUMNS);
  const putAsked = db.prepare(
    `INSERT INTO asked (id, upload, owner, open, created_at, json, ${columns.join(", ")})
     SELECT id, upload, owner, open, created_at, json, ${Object.values(QUESTION_COLUMNS).join(", ")}
     FROM (SELECT ? AS id, ? AS upload, ? AS owner, ? AS open, ? AS created_at, ? AS json) WHERE true
     ON CONFLICT (id) DO UPDATE SET open = excluded.open, json = excluded.json,
     ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}`,
  );
  const oneAsked = db.prepare("SELECT * FROM asked WHERE id = ?");
  const askedOf = db.prepare("SELECT * FROM asked WHERE upload = ? ORDER BY rowid");
  const openAsked = db.prepare("SELECT * FROM asked WHERE open = 1 ORDER BY rowid");
  const dropAsked = db.prepare("DELETE FROM asked WHERE id = ?");
  const dropRatings = db.prepare("DELETE FROM ratings WHERE question = ?");
  const dropEvents = db.prepare("DELETE FROM events WHERE question = ?");
  const onVideo = db.prepare(
    "SELECT asked.id FROM asked JOIN uploads ON uploads.id = asked.upload WHERE uploads.hash = ?",
  );
  const answeredOn = db.prepare(
    `SELECT asked.json FROM asked JOIN uploads ON uploads.id = asked.upload
     WHERE uploads.hash = ? AND asked.owner = ? ORDER BY asked.created_at, asked.id`,
  );
  const addKey = db.prepare(
    "INSERT OR IGNORE INTO keys (name, hash, created_at, json) VALUES (?, ?, ?, ?)",
  );
  const allKeys = db.prepare("SELECT * FROM keys ORDER BY rowid");
  const dropKey = db.prepare("DELETE FROM keys WHERE name = ?");
  const spend = db.prepare(
    `INSERT INTO spent (owner, day, dollars) VALUES (?, ?, ?)
     ON CONFLICT (owner, day) DO UPDATE SET dollars = dollars + excluded.dollars`,
  );
  const spent = db.prepare("SELECT dollars FROM spent WHERE owner = ? AND day = ?");

  const erase = eraseResponses(db);

  function forgetAsked(ids: readonly string[]): void {
    for (const id of ids) {
      erase(id);
      dropEvents.run(id);
      dropRatings.run(id);
      dropAsked.run(id);
    }
  }

  function writeQuestion({ id, upload, owner, open, created_at, json }: QuestionRow): void {
    putAsked.run(id, upload, owner, open ? 1 : 0, created_at, json);
  }

  /** Replaces a question; false, and nothing is written, if it was removed. */
  function editQuestion(row: QuestionRow): boolean {
    if (oneAsked.get(row.id) === undefined) return false;
    writeQuestion(row);
    return true;
  }

  return {
    ...createServiceLists(db),
    ...createIdempotentRequests(db),
    ...createRatings(db, editQuestion),
    ...createUsageLedger(db),
    async putUpload({ id, owner, name, size, created_at, video }) {
      const json = video === null ? null : JSON.stringify(video);
      guard("noting an upload", () =>
        putUpload.run(id, owner, name, size, created_at, video?.hash ?? null, json),
      );
    },
    async upload(id) {
      const row = guard("looking up an upload", () => oneUpload.get(id));
      return row === undefined ? undefined : uploadRow(row)[0];
    },
    async uploads(owner) {
      return guard("listing uploads", () =>
        owner === undefined ? allUploads.all() : ownUploads.all(owner),
      ).flatMap(uploadRow);
    },
    async uploadSizes() {
      return guard("listing uploads", () => uploadSizes.all()).map(({ id, owner, size, hash }) => ({
        ...{ id: String(id), owner: String(owner), size: Number(size) },
        video: hash === null ? null : String(hash),
      }));
    },
    async uploadsOf(video) {
      return guard("listing uploads", () => sameUploads.all(video)).flatMap(uploadRow);
    },
    async dropUpload(id) {
      transaction(db, "removing an upload", () => {
        forgetAsked(askedOf.all(id).map((row) => String(row.id)));
        erase(id);
        dropTags.run(id);
        dropUpload.run(id);
      });
    },
    async putQuestion(row) {
      guard("noting a question", () => writeQuestion(row));
    },
    async editQuestion(row) {
      return transaction(db, "noting a question", () => editQuestion(row));
    },
    async dropQuestion(id) {
      transaction(db, "removing a question", () => forgetAsked([id]));
    },
    async question(id) {
      const row = guard("looking up a question", () => oneAsked.get(id));
      return row === undefined ? undefined : questionRow(row);
    },
    async openQuestions() {
      return guard("listing questions", () => openAsked.all()).map(questionRow);
    },
    async editedSets(video, owner) {
      return editedSets(guard("listing edited evidence", () => answeredOn.all(video, owner)));
    },
    async forget(video) {
      transaction(db, "forgetting questions", () =>
        forgetAsked(onVideo.all(video).map((row) => String(row.id))),
      );
    },
    async addKey({ name, hash, created_at, json }) {
      const { changes } = guard("keeping a key", () => addKey.run(name, hash, created_at, json));
      if (Number(changes) === 0)
        throw new Failure(
          "wrong-usage",
          `A key named ${JSON.stringify(name)} exists already. Use another name, or remove that key first.`,
          { name },
        );
    },
    async keys() {
      return guard("listing keys", () => allKeys.all()).map((row) => ({
        name: String(row.name),
        hash: String(row.hash),
        created_at: Number(row.created_at),
        json: String(row.json),
      }));
    },
    async dropKey(name) {
      return Number(guard("removing a key", () => dropKey.run(name)).changes) > 0;
    },
    async spend(owner, day, dollars) {
      guard("noting what was spent", () => spend.run(owner, day, dollars));
    },
    async spent(owner, day) {
      return Number(guard("reading what was spent", () => spent.get(owner, day))?.dollars ?? 0);
    },
  };
}
