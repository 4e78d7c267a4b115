import { z } from "zod";
import {
  type QuestionControl,
  REPLICA_ROLES,
  type Replica,
  type Replicas,
  type ServiceChange,
} from "../../core/replicas.ts";
import type { QuestionRow } from "../../core/service-rows.ts";
import { questionRow } from "../rows/service-rows.ts";
import type { Database } from "./database.ts";
import type { Listen } from "./listener.ts";
import { ALIVE } from "./memo-schema.ts";
import { hasGone, type Processes, removeProcesses } from "./processes.ts";
import { CHANGES } from "./replica-schema.ts";
import { createReviewLeases } from "./review-leases.ts";
import { writeQuestion } from "./service-store.ts";
import { createSessions } from "./sessions.ts";

const RUNNING = `SELECT 1 FROM processes WHERE processes.id = asked.holder AND ${ALIVE}`;
const DOING = "sharing questions among services";

/** Services as rows that end with their process. */
export function createReplicas(
  db: Database,
  processes: Processes,
  schema: string,
  listen: Listen,
): Replicas {
  const me = processes.id;
  let joined = false;

  async function list(except: string | null): Promise<Replica[]> {
    const rows = await db.rows(
      DOING,
      `SELECT replicas.*, processes.* FROM replicas JOIN processes ON processes.id = replicas.process
       WHERE ${ALIVE} AND ($1::text IS NULL OR processes.id <> $1) ORDER BY process`,
      [except],
    );
    return rows
      .filter((row) => !hasGone(row))
      .map(({ role, folder, blobs }) => ({
        role: REPLICA_ROLES.find((one) => one === role) ?? "service",
        folder: String(folder),
        blobs: blobs === null ? null : String(blobs),
      }));
  }

  return {
    async join({ role, folder, blobs }) {
      if (!joined) processes.stay();
      joined = true;
      await processes.renew();
      await db.run(
        DOING,
        `INSERT INTO replicas (process, role, folder, blobs) VALUES ($1, $2, $3, $4)
         ON CONFLICT (process) DO UPDATE SET role = excluded.role, folder = excluded.folder, blobs = excluded.blobs`,
        [me, role, folder, blobs],
      );
      return list(me);
    },
    async leave() {
      await db.run(DOING, "DELETE FROM replicas WHERE process = $1", [me]);
    },
    list: () => list(null),
    async plan() {
      const row = await db.row(DOING, "SELECT json FROM service_plan");
      return row === undefined ? null : String(row.json);
    },
    async putPlan(json) {
      if (json === null) await db.run(DOING, "DELETE FROM service_plan");
      else
        await db.run(
          DOING,
          "INSERT INTO service_plan (json) VALUES ($1) ON CONFLICT (one) DO UPDATE SET json = excluded.json",
          [json],
        );
    },
    async claim(most) {
      const sql = "SELECT * FROM claim_question($1, $2, $3)";
      let row = await db.row(DOING, sql, [me, most, processes.margin_ms]);
      if (row?.known !== true) {
        await processes.renew();
        row = await db.row(DOING, sql, [me, most, processes.margin_ms]);
      }
      if (row?.claimed == null) return null;
      const claimed = await db.row(DOING, "SELECT * FROM asked WHERE id = $1", [
        String(row.claimed),
      ]);
      return claimed === undefined
        ? null
        : {
            row: questionRow(claimed),
            cancelled: claimed.cancelled === true,
            starts: Number(claimed.starts),
          };
    },
    async claimOne(id) {
      await processes.renew();
      const sql = `UPDATE asked SET holder = $1 WHERE id = $2 AND open = 1 AND (holder = $1 OR NOT EXISTS (${RUNNING}))`;
      return (await db.run(DOING, sql, [me, id])).count > 0;
    },
    put: (row: QuestionRow) =>
      db.transaction("noting a question", async (send) => {
        const held = "SELECT 1 FROM asked WHERE id = $1 AND holder = $2 AND open = 1 FOR UPDATE";
        if ((await send(held, [row.id, me])).count === 0) {
          // A repeated transaction may have ended the question already.
          const same = "SELECT 1 FROM asked WHERE id = $1 AND holder = $2 AND json = $3";
          return (await send(same, [row.id, me, row.json])).count > 0;
        }
        await writeQuestion(send, row);
        return true;
      }),
    async control(ids) {
      const sql = "SELECT id, cancelled FROM asked WHERE id = ANY ($1::text[]) AND holder = $2";
      const rows = await db.rows(DOING, sql, [ids, me]);
      const held = new Map(rows.map((row) => [String(row.id), row.cancelled === true]));
      return new Map(
        ids.map((id): [string, QuestionControl] => {
          const cancelled = held.get(id);
          return [id, cancelled === undefined ? "lost" : cancelled ? "cancel" : "run"];
        }),
      );
    },
    async keepOnly(ids) {
      const sql =
        "UPDATE asked SET holder = NULL, starts = greatest(starts - 1, 0) WHERE holder = $1 AND open = 1 AND id <> ALL ($2::text[])";
      await db.run(DOING, sql, [me, ids]);
    },
    async cancel(id) {
      await db.run(DOING, "UPDATE asked SET cancelled = true WHERE id = $1 AND open = 1", [id]);
    },
    async cancelUpload(upload) {
      const mark =
        "UPDATE asked SET cancelled = true WHERE upload = $1 AND open = 1 AND NOT cancelled";
      await db.run(DOING, mark, [upload]);
      const sql = `SELECT count(*) AS n FROM asked WHERE upload = $1 AND open = 1 AND holder <> $2 AND EXISTS (${RUNNING})`;
      return Number((await db.row(DOING, sql, [upload, me]))?.n);
    },
    add: (rows) =>
      db.transaction("noting questions", async (send) => {
        const uploads = [...new Set(rows.map(({ upload }) => upload))].sort();
        const lock = "SELECT 1 FROM uploads WHERE id = ANY ($1::text[]) ORDER BY id FOR KEY SHARE";
        if ((await send(lock, [uploads])).count < uploads.length) return false;
        for (const row of rows) await writeQuestion(send, row);
        return true;
      }),
    async countOpen(owner) {
      const sql = "SELECT count(*) AS n FROM asked WHERE owner = $1 AND open = 1";
      return Number((await db.row(DOING, sql, [owner]))?.n);
    },
    async countWaiting() {
      const sql = `SELECT count(*) AS n FROM asked WHERE open = 1 AND NOT EXISTS (${RUNNING})`;
      return Number((await db.row(DOING, sql))?.n);
    },
    async sweep() {
      const sql = `SELECT * FROM processes WHERE ${ALIVE} AND id <> $1
        AND id IN (SELECT process FROM replicas UNION SELECT holder FROM asked WHERE open = 1)`;
      const gone = (await db.rows(DOING, sql, [me])).filter(hasGone);
      await removeProcesses(
        db,
        gone.map(({ id }) => String(id)),
      );
    },
    watch: (onChange) =>
      listen(CHANGES, (payload) => {
        if (payload.startsWith(`${schema} `)) onChange(changeOf(payload.slice(schema.length + 1)));
      }),
    sessions: createSessions(db),
    reviews: createReviewLeases(db),
  };
}

const Payload = z.tuple([z.string(), z.string(), z.string().nullable()]);

function changeOf(payload: string): ServiceChange {
  const [owner, video, question] = Payload.parse(JSON.parse(payload));
  return { owner, video, question };
}
