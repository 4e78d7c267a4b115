import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionView, VideoView } from "../../../src/app/service/api.ts";
import type { NextReview, RatingList } from "../../../src/app/service/api-reviews.ts";
import { addKey } from "../../../src/app/service/auth.ts";
import { type KeyRole, NO_LIMITS, type ServiceOptions } from "../../../src/app/service/options.ts";
import { parseStoredQuestion } from "../../../src/app/service/question-record.ts";
import { addRating } from "../../../src/app/service/ratings.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeClip } from "../../support/clips.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";
import { client, type Rig, startRig } from "./rig.ts";

type Client = ReturnType<typeof client>;
let server: ModelServer;
let rig: Rig;
let video: VideoView;
const ids: string[] = [];
const keys = new Map<string, Client>();
const as = (name: string) => keys.get(name) as Client;

const TEAM: Record<string, KeyRole[]> = {
  ann: ["ask"],
  rita: ["review"],
  rob: ["review"],
  rosa: ["review"],
  olga: ["operate"],
};

function rigSettings() {
  return {
    model: "openai:scripted",
    strategy: "direct",
    recognition: { frames: 1 },
    runtime: { base_url: server.url },
  };
}

async function start(own: Partial<ServiceOptions>): Promise<Rig> {
  const data = own.data ?? (await tempFolder());
  const store = await openStore(data);
  const secrets = new Map<string, string>();
  for (const [name, roles] of Object.entries(TEAM))
    secrets.set(name, await addKey(store.service, name, NO_LIMITS, roles));
  await store.close();
  const started = await startRig({ auth: { by: "keys" }, settings: rigSettings(), ...own, data });
  for (const [name, secret] of secrets)
    keys.set(name, client(started.url, { authorization: `Bearer ${secret}` }));
  return started;
}

const next = (name: string, query = "") =>
  as(name).json<NextReview>(200, "GET", `/api/v1/reviews/next${query}`);
const rate = (name: string, id: string, body: object) =>
  as(name).json<RatingList>(201, "POST", `/api/v1/questions/${id}/ratings`, body);

beforeAll(async () => {
  server = await startModelServer(() => "Answer: B");
  rig = await start({ reviews: { raters: 2, blind: true } });
  video = await as("ann").upload(await makeClip(await tempFolder(), "x.mp4", { frames: 25 }));
  for (const text of ["What is x?", "What is y?", "What is z?"]) {
    const { id } = await as("ann").ask(video.id, { text, options: ["3", "4"] });
    ids.push((await as("ann").ended(id)).id);
  }
});
afterAll(async () => {
  await rig.stop();
  await server.close();
});

test("a queue gives each rater what is left, blind, and shows how far the review is", async () => {
  const first = await next("rita");
  expect(first.item).toMatchObject({ id: ids[0], blind: true, question: null, ratings: [] });
  expect(first.item?.asked.options).toHaveLength(2);
  expect(first.progress).toEqual({ total: 3, settled: 0, conflicts: 0, mine: 0, raters: 2 });
  // A blind rater cannot look up the answer, but watches the video.
  for (const path of ["", "/evidence", "/ratings", "/events", "/export?as=json"])
    expect([
      path,
      (await as("rita").send("GET", `/api/v1/questions/${ids[0]}${path}`)).status,
    ]).toEqual([path, 403]);
  expect((await as("rita").send("GET", `/api/v1/videos/${video.id}/media`)).status).toBe(200);
  // An answer is given to as many raters at once as it needs.
  expect((await next("rob")).item?.id).toBe(ids[0]);
  expect((await next("rosa")).item?.id).toBe(ids[1]);

  // A review that is refused ends nothing: the corrected one is as blind.
  await as("rita").json(422, "POST", `/api/v1/questions/${ids[0]}/ratings`, { answer: "C" });
  const own = await rate("rita", ids[0] ?? "", { answer: "b" });
  expect(own.items).toMatchObject([
    { rater: "rita", verdict: "approved", answer: "B", blind: true },
  ]);
  expect(own.items[0]?.seconds).toBeGreaterThanOrEqual(0);
  expect(own.question).toMatchObject({ review: null, ratings: 1, conflict: false });
  expect((await next("rita")).item?.id).toBe(ids[1]);
  expect((await next("rita", `?after=${ids[1]}`)).item?.id).toBe(ids[2]);

  const both = await rate("rob", ids[0] ?? "", { answer: "B", seconds: 7.5 });
  expect(both.question).toMatchObject({
    review: { verdict: "approved", answer: "B", by: "rita, rob" },
    ratings: 2,
  });
  expect(both.items[1]?.seconds).toBe(7.5);
  expect((await next("rob")).progress).toMatchObject({ total: 3, settled: 1, mine: 1 });
});

test("two raters who disagree are a conflict that a third settles; a review can be taken back", async () => {
  const id = ids[1] ?? "";
  await rate("rita", id, { answer: "B" });
  const against = await rate("rob", id, { answer: "A", note: "it says 3" });
  expect(against.question).toMatchObject({ review: null, conflict: true, ratings: 2 });
  expect((await next("rosa")).progress).toMatchObject({ conflicts: 1, settled: 1 });
  const listed = await as("ann").json<{ items: QuestionView[] }>(
    ...([200, "GET", "/api/v1/questions?verdict=conflict"] as const),
  );
  expect(listed.items.map((one) => one.id)).toEqual([id]);
  // Neither of the two is asked again; the third sees what they said.
  expect((await next("rob", "?of=conflict")).item).toBeNull();
  const third = await next("rosa", "?of=conflict");
  expect(third.item).toMatchObject({
    id,
    blind: false,
    ratings: [{ rater: "rita" }, { rater: "rob" }],
  });
  const settled = await rate("rosa", id, { verdict: "corrected", answer: "A" });
  expect(settled.question).toMatchObject({
    review: { verdict: "corrected", answer: "A", by: "rosa" },
    conflict: false,
    ratings: 3,
  });
  expect(settled.items.at(-1)).toMatchObject({ settles: true, blind: false });
  const path = `/api/v1/questions/${id}/ratings`;
  const taken = settled.items.at(-1)?.id;
  await as("rob").json(404, "DELETE", `${path}/${taken}`);
  const undone = await as("rosa").json<RatingList>(200, "DELETE", `${path}/${taken}`);
  expect(undone.question).toMatchObject({ review: null, conflict: true });
  expect(undone.items).toHaveLength(3);
  expect(undone.items.at(-1)?.undone_at).toMatch(/^20/);
  await as("rosa").json(409, "DELETE", `${path}/${taken}`);
  // One of the two changes their mind: they agree, and the first verdict is kept in the list.
  const agreed = await rate("rita", id, { answer: "A" });
  expect(agreed.question).toMatchObject({
    review: { by: "rob, rita", answer: "A" },
    conflict: false,
  });
  expect(agreed.items).toHaveLength(4);
});

test("under blind reviews, a reviewer exports no answers of other keys", async () => {
  for (const of of [
    "as=jsonl",
    "as=csv",
    "as=rows",
    "as=sidecar",
    `as=sidecar&video=${video.id}`,
  ]) {
    const path = `/api/v1/export?scope=all&${of}`;
    expect(await as("rita").json(403, "GET", path)).toMatchObject({ kind: "blind-review" });
  }
  const lines = async (name: string, scope: string) => {
    const exported = await as(name).send("GET", `/api/v1/export?as=jsonl&scope=${scope}`);
    return (await exported.text()).split("\n").filter(Boolean).length;
  };
  expect([await lines("rita", "own"), await lines("ann", "own")]).toEqual([0, 3]);
  expect(await lines("olga", "all")).toBe(3);
});

test("roles and names of raters are checked", async () => {
  const id = ids[2] ?? "";
  expect(
    await as("rita").json(403, "POST", "/api/v1/uploads", { name: "x", size: 5 }),
  ).toMatchObject({
    kind: "role-missing",
    detail: expect.stringContaining("`ask`"),
  });
  await as("rita").json(403, "DELETE", `/api/v1/videos/${video.id}`);
  await as("rita").json(403, "POST", `/api/v1/questions/${id}/reason-again`);
  await as("ann").json(403, "GET", "/api/v1/reviews/next?scope=all");
  await as("rita").json(422, "POST", `/api/v1/questions/${id}/ratings`, {
    answer: "B",
    rater: "rob",
  });
  await as("rita").json(422, "POST", `/api/v1/questions/${id}/ratings`, { answer: "C" });
  await as("rita").json(422, "POST", `/api/v1/questions/${id}/ratings`, {});
  // Two raters still have it in review, so that the queue has none for the owner, who may review the own answers.
  expect((await next("ann")).item).toBeNull();
  const own = await rate("ann", id, { answer: "B" });
  expect(own.items).toMatchObject([{ rater: "ann", verdict: "approved", blind: false }]);
});

test("without keys, raters give their names, and one review settles an answer", async () => {
  const single = await startRig({ settings: rigSettings() });
  const { id: about } = await single.upload(
    await makeClip(await tempFolder(), "y.mp4", { frames: 25 }),
  );
  const { id } = await single.ended(
    (await single.ask(about, { text: "?", options: ["3", "4"] })).id,
  );
  const path = `/api/v1/questions/${id}/ratings`;
  const one = await single.json<RatingList>(201, "POST", path, {
    verdict: "approved",
    rater: "uma",
  });
  expect(one.question.review).toMatchObject({ verdict: "approved", by: "uma" });
  const two = await single.json<RatingList>(201, "POST", path, { answer: "A", rater: "vic" });
  expect(two.question).toMatchObject({ review: null, conflict: true });
  const last = await single.json<RatingList>(201, "POST", path, { answer: "A", rater: "wim" });
  expect(last.question.review).toMatchObject({ verdict: "corrected", answer: "A", by: "wim" });
  await single.stop();

  // A review that meets the deletion of the video does not bring its question back.
  const { service, close } = await openStore(single.data);
  const row = await service.question(id);
  if (row === undefined) throw new Error("no question");
  await service.dropUpload(about);
  const late = addRating(
    service,
    parseStoredQuestion(row),
    { verdict: "approved" },
    { name: "uma", seconds: null, blind: false },
    { raters: 1, blind: false },
  );
  await expect(late).rejects.toMatchObject({ status: 404 });
  expect([await service.question(id), await service.ratingsOf(id)]).toEqual([undefined, []]);
  await close();
});
