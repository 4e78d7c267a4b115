import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { addKey } from "../../../src/app/service/auth.ts";
import { startService } from "../../../src/app/service/serve.ts";
import { openStore } from "../../../src/storage/open.ts";
import { runCli } from "../../support/command-line.ts";
import { tempFolder } from "../../support/temp.ts";
import { startRig } from "./rig.ts";

test("a damaged question does not prevent the service from starting", async () => {
  const data = await tempFolder();
  const store = await openStore(data);
  const row = { upload: "none", owner: "", open: true, created_at: 1, json: "{}" };
  await store.service.putQuestion({ ...row, id: "damaged-question" });
  await store.close();
  const rig = await startRig({ data });
  expect(await rig.json(200, "GET", "/readyz")).toMatchObject({ ready: true });
  const logged = rig.logged.map((line) => JSON.parse(line) as { msg: string; question?: string });
  expect(logged.find(({ question }) => question === "damaged-question")).toBeDefined();
  await rig.stop();
});

test("damaged rows of any table do not prevent a start, and repair removes them", async () => {
  const data = await tempFolder();
  const store = await openStore(data);
  const limits = { in_flight: null, cost_a_day: null, bytes: null };
  const secret = await addKey(store.service, "ann", limits);
  await addKey(store.service, "bob", limits);
  const row = { owner: "ann", name: "a.mp4", size: 3, created_at: Date.now(), video: null };
  await store.service.putUpload({ ...row, id: "damaged-upload" });
  await store.service.putQuestion({
    ...row,
    id: "damaged-question",
    upload: "x",
    open: true,
    json: "{}",
  });
  await store.close();
  await mkdir(join(data, "uploads/damaged-upload"), { recursive: true });
  await writeFile(join(data, "uploads/damaged-upload/damaged-upload"), "abc");
  const db = new DatabaseSync(join(data, "store.db"));
  db.exec("UPDATE uploads SET json = 'not json'");
  db.exec("UPDATE asked SET json = 'not json'");
  db.exec("UPDATE keys SET json = 'not json' WHERE name = 'bob'");
  db.close();

  const rig = await startRig({ data, auth: { by: "keys" } });
  const own = { authorization: `Bearer ${secret}` };
  expect((await rig.send("GET", "/api/v1/videos", undefined, own)).status).toBe(200);
  const logged = rig.logged.map((line) => JSON.parse(line) as { table?: string; msg: string });
  expect(logged.flatMap(({ table }) => table ?? [])).toEqual(["uploads", "asked", "keys"]);
  expect(logged.find(({ table }) => table === "uploads")?.msg).toContain("video-rrd repair");
  await rig.stop();
  // The file of an unreadable row may be the only copy of a video.
  expect(await readdir(join(data, "uploads"))).toEqual(["damaged-upload"]);

  const listed = await runCli(data, ["repair", "--data-dir", data]);
  expect([listed.code, listed.out]).toEqual([1, expect.stringContaining("damaged-upload")]);
  const removed = await runCli(data, ["repair", "--data-dir", data, "--remove", "--json"]);
  const { rows, copy } = JSON.parse(removed.out) as { rows: unknown[]; copy: string };
  expect([removed.code, rows.length]).toEqual([0, 3]);
  expect((await readFile(copy, "utf8")).trim().split("\n")).toHaveLength(3);
  const after = await runCli(data, ["repair", "--data-dir", data]);
  expect([after.code, after.out]).toEqual([0, "No damaged rows.\n"]);
});

test("a port in use is reported before anything is asked, and the folder stays free", async () => {
  const rig = await startRig();
  const data = await tempFolder();
  const port = Number(new URL(rig.url).port);
  const taken = startService({ data, port, log: { level: "silent" } });
  await expect(taken).rejects.toMatchObject({ kind: "wrong-usage" });
  const other = await startRig({ data });
  await other.stop();
  await rig.stop();
});

test("forget refuses to run next to a running service, and prints what to do", async () => {
  const rig = await startRig();
  const hash = "a".repeat(64);
  const refused = await runCli(rig.data, ["forget", hash, "--data-dir", rig.data]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("A service is using");
  await rig.stop();
  const done = await runCli(rig.data, ["forget", hash, "--data-dir", rig.data]);
  expect([done.code, done.err]).toEqual([0, ""]);
});
