import { afterAll, beforeAll, expect, test } from "vitest";
import { addKey } from "../../../src/app/service/auth.ts";
import { NO_LIMITS } from "../../../src/app/service/options.ts";
import { openStore } from "../../../src/storage/open.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

interface Key {
  name: string;
  roles: string[];
  cost_a_day: number | null;
}

let rig: Rig;
let olga: ReturnType<typeof client>;

const withKey = (key: string) => client(rig.url, { authorization: `Bearer ${key}` });

beforeAll(async () => {
  const data = await tempFolder();
  const store = await openStore(data);
  const secret = await addKey(store.service, "olga", NO_LIMITS, ["operate"]);
  await store.close();
  rig = await startRig({ data, auth: { by: "keys" } });
  olga = withKey(secret);
});
afterAll(() => rig.stop());

test("an operator creates a key that works at once, lists keys without secrets, and removes it", async () => {
  const given = { name: "rita", roles: ["review"], cost_a_day: 2 };
  const made = await olga.json<Key & { secret: string }>(201, "POST", "/api/v1/keys", given);
  expect(made).toMatchObject({ ...given, in_flight: null, bytes: null });
  const rita = withKey(made.secret);
  expect(await rita.json(200, "GET", "/api/v1/service")).toMatchObject({
    caller: "rita",
    roles: ["review"],
    limits: { cost_a_day: 2 },
  });
  const { items } = await olga.json<{ items: Key[] }>(200, "GET", "/api/v1/keys");
  expect(items.map(({ name }) => name)).toEqual(["olga", "rita"]);
  expect(JSON.stringify(items)).not.toContain("vrrd_");
  expect((await rita.send("GET", "/api/v1/keys")).status).toBe(403);
  expect((await rita.send("POST", "/api/v1/keys", { name: "eve" })).status).toBe(403);

  await olga.json(204, "DELETE", "/api/v1/keys/rita");
  expect((await rita.send("GET", "/api/v1/service")).status).toBe(401);
  const { items: log } = await olga.json<{ items: { action: string; details: object }[] }>(
    200,
    "GET",
    "/api/v1/audit",
  );
  expect(log.map(({ action, details }) => [action, details])).toEqual([
    ["key.removed", { name: "rita" }],
    ["key.added", { name: "rita", roles: ["review"] }],
  ]);
});

test("a secret is in no stored response: the same request with an Idempotency-Key is refused, not repeated", async () => {
  const headers = { "idempotency-key": "once" };
  const send = () => olga.send("POST", "/api/v1/keys", { name: "bob" }, headers);
  const first = await send();
  expect([first.status, first.headers.get("cache-control")]).toEqual([201, "no-store"]);
  const second = await send();
  expect([second.status, await second.text()]).toEqual([409, expect.not.stringContaining("vrrd_")]);
});

test("wrong requests are refused with what to do", async () => {
  for (const [method, path, body, status] of [
    ["POST", "/api/v1/keys", { name: "a b" }, 422],
    ["POST", "/api/v1/keys", { name: "x", roles: [] }, 422],
    ["POST", "/api/v1/keys", { name: "x", roles: ["admin"] }, 422],
    ["POST", "/api/v1/keys", { name: "olga" }, 409],
    ["DELETE", "/api/v1/keys/olga", undefined, 409],
    ["DELETE", "/api/v1/keys/nobody", undefined, 404],
  ] as const)
    expect([method, path, body, (await olga.send(method, path, body)).status]).toEqual([
      ...[method, path, body, status],
    ]);
  const open = await startRig();
  try {
    expect(await open.json(409, "POST", "/api/v1/keys", { name: "x" })).toMatchObject({
      kind: "no-keys",
    });
  } finally {
    await open.stop();
  }
});
