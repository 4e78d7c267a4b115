import type { QuestionRow, ServiceStore } from "../../core/contracts.ts";
import { Failure } from "../../core/errors.ts";
import { editedSets } from "../rows/edited-sets.ts";
import { foldText } from "../rows/fold-text.ts";
import { questionFacts } from "../rows/question-facts.ts";
import { questionRow, uploadRow } from "../rows/service-rows.ts";
import { createAddedBatches } from "./added-batches.ts";
import type { Database, Send } from "./database.ts";
import { createIdempotentRequests } from "./idempotency.ts";
import { createRatings } from "./ratings.ts";
import { createServiceLists } from "./service-lists.ts";
import { createUsageLedger } from "./usage-ledger.ts";

const ON_VIDEO =
  "SELECT asked.id FROM asked JOIN uploads ON uploads.id = asked.upload WHERE uploads.hash = $1";

export function createServiceStore(db: Database): ServiceStore {
  const batches = createAddedBatches(db);
  const uploads = async (sql: string, values: readonly string[]) =>
    (await db.rows("listing uploads", sql, values)).flatMap(uploadRow);

  return {
    ...createServiceLists(db),
    ...createIdempotentRequests(db),
    ...createRatings(db, editQuestion),
    ...createUsageLedger(db, batches),
    async putUpload({ id, owner, name, size, created_at, video }) {
      await db.run(
        "noting an upload",
        `INSERT INTO uploads (id, owner, name, name_key, size, created_at, hash, duration_s, json)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key, size = excluded.size,
           hash = excluded.hash, duration_s = excluded.duration_s, json = excluded.json`,
        [
          ...[id, owner, name, foldText(name), size, created_at],
          ...[video?.hash ?? null, video?.duration_s ?? null],
          video === null ? null : JSON.stringify(video),
        ],
      );
    },
    async upload(id) {
      const row = await db.row("looking up an upload", "SELECT * FROM uploads WHERE id = $1", [id]);
      return row === undefined ? undefined : uploadRow(row)[0];
    },
    uploads: (owner) =>
      owner === undefined
        ? uploads("SELECT * FROM uploads ORDER BY number", [])
        : uploads("SELECT * FROM uploads WHERE owner = $1 ORDER BY number", [owner]),
    async uploadSizes() {
      const sql = "SELECT id, owner, size, hash FROM uploads ORDER BY number";
      return (await db.rows("listing uploads", sql)).map(({ id, owner, size, hash }) => ({
        ...{ id: String(id), owner: String(owner), size: Number(size) },
        video: hash === null ? null : String(hash),
      }));
    },
    uploadsOf: (video) => uploads("SELECT * FROM uploads WHERE hash = $1 ORDER BY number", [video]),
    async dropUpload(id) {
      await db.transaction("removing an upload", async (send) => {
        // No process adds a question meanwhile.
        await send("SELECT 1 FROM uploads WHERE id = $1 FOR UPDATE", [id]);
        await forgetAsked(send, "SELECT id FROM asked WHERE upload = $1", id);
        await eraseResponses(send, "SELECT $1::text", id);
        await send("DELETE FROM upload_tags WHERE upload = $1", [id]);
        await send("DELETE FROM uploads WHERE id = $1", [id]);
      });
    },
    async putQuestion(row) {
      await db.transaction("noting a question", (send) => writeQuestion(send, row));
    },
    editQuestion: (row) => db.transaction("noting a question", (send) => editQuestion(send, row)),
    async dropQuestion(id) {
      await db.transaction("removing a question", (send) =>
        forgetAsked(send, "SELECT $1::text", id),
      );
    },
    async question(id) {
      const row = await db.row("looking up a question", "SELECT * FROM asked WHERE id = $1", [id]);
      return row === undefined ? undefined : questionRow(row);
    },
    async openQuestions() {
      const sql = "SELECT * FROM asked WHERE open = 1 ORDER BY number";
      return (await db.rows("listing questions", sql)).map(questionRow);
    },
    async editedSets(video, owner) {
      const sql = `SELECT asked.json FROM asked JOIN uploads ON uploads.id = asked.upload
        WHERE uploads.hash = $1 AND asked.owner = $2 ORDER BY asked.created_at, asked.id`;
      return editedSets(await db.rows("listing edited evidence", sql, [video, owner]));
    },
    async forget(video) {
      await db.transaction("forgetting questions", (send) => forgetAsked(send, ON_VIDEO, video));
    },
    async addKey({ name, hash, created_at, json }) {
      const { count } = await db.run(
        "keeping a key",
        "INSERT INTO keys (name, hash, created_at, json) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
        [name, hash, created_at, json],
        "once",
      );
      if (count === 0)
        throw new Failure(
          "wrong-usage",
          `A key named ${JSON.stringify(name)} exists already. Use another name, or remove that key first.`,
          { name },
        );
    },
    async keys() {
      const rows = await db.rows("listing keys", "SELECT * FROM keys ORDER BY number");
      return rows.map((row) => ({
        name: String(row.name),
        hash: String(row.hash),
        created_at: Number(row.created_at),
        json: String(row.json),
      }));
    },
    async dropKey(name) {
      const sql = "DELETE FROM keys WHERE name = $1";
      return (await db.run("removing a key", sql, [name], "once")).count > 0;
    },
    async spend(owner, day, dollars, batch) {
      await db.run(
        "noting what was spent",
        `WITH added AS (INSERT INTO added_batches (id) VALUES ($4) ON CONFLICT DO NOTHING RETURNING id)
         INSERT INTO spent (owner, day, dollars) SELECT $1, $2, $3 FROM added
         ON CONFLICT (owner, day) DO UPDATE SET dollars = spent.dollars + excluded.dollars`,
        [owner, day, dollars, batch],
      );
      await batches.sweep();
    },
    async spent(owner, day) {
      const sql = "SELECT dollars FROM spent WHERE owner = $1 AND day = $2";
      return Number((await db.row("reading what was spent", sql, [owner, day]))?.dollars ?? 0);
    },
  };
}

/** Inserts or replaces a question; who runs it stays. */
export async function writeQuestion(send: Send, row: QuestionRow): Promise<void> {
  const { id, upload, owner, open, created_at, json } = row;
  const facts = questionFacts(json);
  await send(
    `INSERT INTO asked (id, upload, owner, open, created_at, json, state, strategy, model, verdict, search_text, review)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (id) DO UPDATE SET open = excluded.open, json = excluded.json, state = excluded.state,
       strategy = excluded.strategy, model = excluded.model, verdict = excluded.verdict,
       search_text = excluded.search_text, review = excluded.review`,
    [
      ...[id, upload, owner, open ? 1 : 0, created_at, json],
      ...[facts.state, facts.strategy, facts.model, facts.verdict, facts.search_text, facts.review],
    ],
  );
}

/** Replaces a question; false, and nothing is written, if it was removed. */
async function editQuestion(send: Send, row: QuestionRow): Promise<boolean> {
  const { count } = await send("SELECT 1 FROM asked WHERE id = $1 FOR UPDATE", [row.id]);
  if (count === 0) return false;
  await writeQuestion(send, row);
  return true;
}

/** Removes the questions whose ids a query selects, with what belongs to them; the questions themselves last. */
async function forgetAsked(send: Send, ids: string, about: string): Promise<void> {
  // Nobody reviews one meanwhile.
  await send(`SELECT 1 FROM asked WHERE id IN (${ids}) ORDER BY id FOR UPDATE`, [about]);
  await eraseResponses(send, ids, about);
  await send(`DELETE FROM events WHERE question IN (${ids})`, [about]);
  await send(`DELETE FROM ratings WHERE question IN (${ids})`, [about]);
  await send(`DELETE FROM asked WHERE id IN (${ids})`, [about]);
}

/** Erases the responses about deleted uploads or questions. */
async function eraseResponses(send: Send, ids: string, about: string): Promise<void> {
  await send(`UPDATE idempotent SET body = NULL WHERE about IN (${ids})`, [about]);
}
