import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EvidenceList, QuestionView } from "../../../src/app/service/api.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

let rig: Rig;
let video: string;
let question: string;

beforeAll(async () => {
  const file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  rig = await startRig({ settings: { strategy: "random" } });
  video = (await rig.upload(file)).id;
  question = (await rig.ask(video, { text: "Which?", options: ["one", "two"] })).id;
  await rig.ended(question);
});
afterAll(() => rig.stop());

/** A request exactly as given: no header is added. */
const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  fetch(`${rig.url}/api/v1/${path}`, {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test("an edit that is based on an old version is refused with the current one, and one without a version too", async () => {
  const path = `questions/${question}/evidence`;
  const item = { kind: "text", start_s: 0, end_s: 1, text: "a cup" };
  const first = await send("GET", path, {});
  const tag = first.headers.get("etag") ?? "";
  expect(tag.replace(/^W\//, "")).toBe(`"${((await first.json()) as EvidenceList).set}"`);
  const mine = await send("POST", path, { "if-match": tag }, item);
  expect(mine.status).toBe(201);
  const list = (await mine.json()) as EvidenceList;
  expect(mine.headers.get("etag")).toContain(list.set);
  const theirs = await send("POST", path, { "if-match": tag }, { ...item, text: "a pot" });
  expect([theirs.status, await theirs.json()]).toEqual([
    412,
    expect.objectContaining({ kind: "changed", current: list }),
  ]);
  const [one] = list.items;
  expect((await send("DELETE", `${path}/${one?.id}`, {})).status).toBe(428);
  const reject = { "if-match": `"x", W/"${list.set}"` };
  expect((await send("DELETE", `${path}/${one?.id}`, reject)).status).toBe(200);
});

test("of two reviews of one version, the second is refused with the first", async () => {
  const path = `questions/${question}/review`;
  const body = { verdict: "corrected", answer: "B" };
  expect((await send("PUT", path, {}, body)).status).toBe(428);
  const both = await Promise.all(
    ["one", "two"].map((note) => send("PUT", path, { "if-match": '"none"' }, { ...body, note })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const { review } = await rig.json<QuestionView>(200, "GET", `/api/v1/questions/${question}`);
  const refused = await both.find(({ ok }) => !ok)?.json();
  expect(refused).toMatchObject({ kind: "changed", current: review });
  const again = await send("PUT", path, { "if-match": `"${review?.reviewed_at}"` }, body);
  expect(again.status).toBe(200);
});

test("an edit of a video that names an old version is refused with the current one; one without a version is not", async () => {
  const path = `videos/${video}`;
  const tag = (await send("GET", path, {})).headers.get("etag") ?? "";
  expect((await send("PATCH", path, {}, { name: "first.mp4" })).status).toBe(200);
  const current = (await send("GET", path, {})).headers.get("etag") ?? "";
  const late = await send("PATCH", path, { "if-match": tag }, { name: "second.mp4" });
  expect([late.status, await late.json()]).toEqual([
    412,
    expect.objectContaining({
      kind: "changed",
      current: expect.objectContaining({ id: video, name: "first.mp4" }),
    }),
  ]);
  const edits = await Promise.all(
    ["third.mp4", "fourth.mp4"].map((name) =>
      send("PATCH", path, { "if-match": current }, { name }),
    ),
  );
  expect(edits.map(({ status }) => status).sort()).toEqual([200, 412]);
  const next = edits.find(({ ok }) => ok)?.headers.get("etag") ?? "";
  expect((await send("PATCH", path, { "if-match": next }, { name: "fifth.mp4" })).status).toBe(200);
});

test("a video is not deleted if the request names an old version; without a version it is", async () => {
  const file = join(await tempFolder(), "gone.mp4");
  await makeShuffled(file, 2);
  const [first, second] = [(await rig.upload(file)).id, (await rig.upload(file)).id];
  const path = `videos/${first}`;
  const tag = (await send("GET", path, {})).headers.get("etag") ?? "";
  const named = await send("PATCH", path, {}, { name: "kept.mp4" });
  const late = await send("DELETE", path, { "if-match": tag });
  expect([late.status, await late.json()]).toEqual([
    412,
    expect.objectContaining({ kind: "changed", current: await named.json() }),
  ]);
  const current = named.headers.get("etag") ?? "";
  expect((await send("DELETE", path, { "if-match": `"x", ${current}` })).status).toBe(204);
  expect((await send("GET", path, {})).status).toBe(404);
  expect((await send("DELETE", `videos/${second}`, {})).status).toBe(204);
});

test("what the caller has is not sent again until it changes", async () => {
  for (const path of ["videos", `videos/${video}`, `questions/${question}`, "questions?limit=1"]) {
    const tag = (await send("GET", path, {})).headers.get("etag") ?? "";
    const same = await send("GET", path, { "if-none-match": tag });
    expect([path, same.status, await same.text()]).toEqual([path, 304, ""]);
    await rig.json(200, "PATCH", `/api/v1/videos/${video}`, { name: `of ${path}` });
    // Lists of questions name the videos.
    const now = path === `questions/${question}` ? 304 : 200;
    expect((await send("GET", path, { "if-none-match": tag })).status).toBe(now);
  }
});

/** The response as it was sent: `fetch` hides the coding. */
function raw(path: string, encoding: string, method = "GET") {
  return new Promise<{ coding: string | undefined; body: string }>((resolve, reject) => {
    request(
      `${rig.url}${path}`,
      { method, headers: { "accept-encoding": encoding } },
      (response) => {
        const coding = response.headers["content-encoding"];
        const body = coding === "gzip" ? response.pipe(createGunzip()) : response;
        text(body).then((read) => resolve({ coding, body: read }), reject);
      },
    )
      .on("error", reject)
      .end();
  });
}

test("JSON and pages are compressed; media, event streams and sign-ins are not", async () => {
  const service = await raw("/api/v1/service", "gzip, br");
  expect(service.coding).toBe("gzip");
  expect(JSON.parse(service.body)).toEqual(await rig.json(200, "GET", "/api/v1/service"));
  expect((await raw("/", "gzip")).coding).toBe("gzip");
  expect((await raw("/openapi.json", "gzip;q=0.5, identity;q=0.1")).coding).toBe("gzip");
  for (const [path, encoding] of [
    ["/api/v1/service", "identity"],
    [`/api/v1/videos/${video}/media`, "gzip"],
    [`/api/v1/videos/${video}/thumbnail?t_s=1`, "gzip"],
    [`/api/v1/questions/${question}/events`, "gzip"],
  ] as const)
    expect([path, (await raw(path, encoding)).coding]).toEqual([path, undefined]);
  expect((await raw("/api/v1/session", "gzip", "POST")).coding).toBeUndefined();
});
