import { expect, test } from "vitest";
import { startService } from "../../src/service/serve.ts";
import { openStore } from "../../src/storage/open.ts";
import { tempFolder } from "../support/temp.ts";
import { startRig } from "./rig.ts";

test("a question that is kept damaged keeps no service from starting", async () => {
  const data = await tempFolder();
  const store = await openStore(data);
  const row = { upload: "none", owner: "", open: true, created_at: 1, json: "{}" };
  await store.desk.putAsked({ ...row, id: "damaged-question" });
  await store.close();
  const rig = await startRig({ data });
  expect(await rig.json(200, "GET", "/readyz")).toMatchObject({ ready: true });
  const logged = rig.logged.map((line) => JSON.parse(line) as { msg: string; question?: string });
  expect(logged.find(({ question }) => question === "damaged-question")).toBeDefined();
  await rig.stop();
});

test("a port in use is said before anything is asked, and leaves the folder free", async () => {
  const rig = await startRig();
  const data = await tempFolder();
  const port = Number(new URL(rig.url).port);
  const taken = startService({ data, port, log: { level: "silent" } });
  await expect(taken).rejects.toMatchObject({ kind: "wrong-usage" });
  const other = await startRig({ data });
  await other.stop();
  await rig.stop();
});
