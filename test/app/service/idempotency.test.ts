import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionView, UploadView, VideoView } from "../../../src/app/service/api.ts";
import type { UsageView } from "../../../src/app/service/api-usage.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let bytes: Buffer;
let video: string;
const settings = { strategy: "random" };
const asked = { text: "Which?", options: ["one", "two"] };

beforeAll(async () => {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  bytes = await readFile(file);
  rig = await startRig({ settings });
  video = (await rig.upload(file)).id;
});
afterAll(() => rig.stop());

const ask = (key: string, body: object = asked, of = video) =>
  rig.send("POST", `/api/v1/videos/${of}/questions`, body, { "idempotency-key": key });
const store = (key: string, body: Uint8Array) =>
  fetch(`${rig.url}/api/v1/videos`, {
    method: "POST",
    headers: { "x-file-name": "tea.mp4", "idempotency-key": key },
    body: new Uint8Array(body),
  });

test("concurrent twins create one question, and get one response, which a restart keeps", async () => {
  const before = (await rig.questions(video)).length;
  const twins = await Promise.all([1, 2, 3].map(() => ask("k1")));
  const bodies = (await Promise.all(twins.map((one) => one.json()))) as QuestionView[];
  expect(twins.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
  expect(twins.map(({ headers }) => headers.get("location"))).toEqual(
    bodies.map(({ id }) => `/api/v1/questions/${id}`),
  );
  expect(twins.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(2);
  await rig.ended(bodies[0]?.id ?? "");
  await rig.stop();
  rig = await startRig({ settings, data: rig.data });
  const again = await ask("k1");
  expect([again.status, await again.json()]).toEqual([202, bodies[0]]);
  expect(await rig.questions(video)).toHaveLength(before + 1);
  const other = await ask("k1", { ...asked, text: "What?" });
  expect([other.status, await other.json()]).toEqual([
    422,
    expect.objectContaining({ kind: "key-reused" }),
  ]);
});

test("a request whose response was lost in a crash is not run a second time", async () => {
  const first = (await (await ask("crash")).json()) as QuestionView;
  await rig.ended(first.id);
  await rig.stop();
  const opened = await openStore(rig.data);
  const known = await opened.service.idempotent("", "crash");
  if (known === undefined) throw new Error("no record");
  await opened.service.putIdempotent({ ...known, response: null });
  await opened.close();
  rig = await startRig({ settings, data: rig.data });
  expect(((await (await ask("crash")).json()) as QuestionView).id).toBe(first.id);
});

test("of a table whose response was lost in a crash, only the rows that were not asked are asked again", async () => {
  const rows = ["one", "two", "three"].map((question) => ({ video, question, task: "open" }));
  const send = async () => {
    const headers = { "idempotency-key": "table" };
    const response = await rig.send("POST", "/api/v1/questions/bulk", { rows }, headers);
    expect(response.status).toBe(202);
    return (await response.json()) as { items: { row: string; id: string }[] };
  };
  const first = await send();
  for (const { id } of first.items) await rig.ended(id);
  const before = await rig.questions(video);
  await rig.stop();
  const opened = await openStore(rig.data);
  const known = await opened.service.idempotent("", "table");
  if (known === undefined) throw new Error("no record");
  await opened.service.putIdempotent({ ...known, response: null });
  const [, , third] = first.items;
  await opened.service.dropQuestion(third?.id ?? "");
  const range = { owner: "", since: "2020-01-01", until: "2100-01-01" };
  const [used] = await opened.service.usage(range, "key");
  await opened.close();
  rig = await startRig({ settings, data: rig.data });
  expect(await send()).toEqual(first);
  await rig.ended(third?.id ?? "");
  const after = await rig.questions(video);
  expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  const { total } = await rig.json<UsageView>(200, "GET", "/api/v1/usage?since=2020-01-01");
  expect(total.questions).toBe((used?.questions ?? 0) + 1);
});

test("a refused request may be sent again with its key", async () => {
  const wrong = await ask("k2", { text: "x", settings: { strategy: "nothing" } });
  expect(wrong.status).toBe(422);
  expect((await ask("k2")).status).toBe(202);
  expect((await ask("not a key")).status).toBe(422);
});

test("a video is stored once; another file of the same size is another request", async () => {
  const [one, two] = await Promise.all([store("file", bytes), store("file", bytes)]);
  const view = (await one.json()) as VideoView;
  expect(await two.json()).toEqual(view);
  const other = Buffer.concat([bytes.subarray(0, bytes.length - 8), randomBytes(8)]);
  expect((await store("file", other)).status).toBe(422);
  const begun = async () => {
    const upload = { name: "x", size: 9 };
    const headers = { "idempotency-key": "parts" };
    return (await (
      await rig.send("POST", "/api/v1/uploads", upload, headers)
    ).json()) as UploadView;
  };
  expect(await begun()).toEqual(await begun());

  // What a response says about a deleted video is erased with it.
  const question = (await (await ask("of-it", asked, view.id)).json()) as QuestionView;
  await rig.ended(question.id);
  await rig.json(204, "DELETE", `/api/v1/videos/${view.id}`);
  expect((await store("file", bytes)).status).toBe(410);
  expect((await ask("of-it", asked, view.id)).status).toBe(410);
});

test("old keys are forgotten", async () => {
  const { id } = (await (await ask("old")).json()) as QuestionView;
  await rig.ended(id);
  await rig.stop();
  const opened = await openStore(rig.data);
  const known = await opened.service.idempotent("", "old");
  if (known === undefined) throw new Error("no record");
  await opened.service.putIdempotent({ ...known, created_at: Date.now() - 24.1 * 3_600_000 });
  expect(await opened.service.countIdempotent("")).toBeGreaterThan(3);
  await opened.close();
  rig = await startRig({ settings, data: rig.data });
  expect(((await (await ask("old")).json()) as QuestionView).id).not.toBe(id);
});
