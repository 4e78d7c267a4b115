import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { QuestionView, VideoView } from "../../../src/app/service/api.ts";
import { openStore } from "../../../src/storage/open.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

interface List<T> {
  items: T[];
  next: string | null;
  total: number;
}

let rig: Rig;
let file: string;
/** Ids of the videos, in order of creation. */
const videos: string[] = [];

beforeAll(async () => {
  file = join(await tempFolder(), "tea.mp4");
  await makeShuffled(file, 2);
  rig = await startRig({ settings: { strategy: "random" } });
  for (const name of ["Zoë.mp4", "apple.mp4", "Äpfel.mp4", "100%_done.mp4", "zoe.mp4"])
    videos.push((await rig.upload(file, name)).id);
});
afterAll(() => rig.stop());

const list = <T>(path: string) => rig.json<List<T>>(200, "GET", `/api/v1/${path}`);
const names = async (query: string) =>
  (await list<VideoView>(`videos?${query}`)).items.map(({ name }) => name);

test("videos are sorted, filtered by name in any case and script, and by tag", async () => {
  expect(await names("")).toEqual(await names("sort=created&order=desc"));
  expect(await names("sort=name")).toEqual([
    ...["100%_done.mp4", "apple.mp4", "zoe.mp4", "Zoë.mp4", "Äpfel.mp4"],
  ]);
  expect(await names("q=ZOË")).toEqual(["Zoë.mp4"]);
  expect(await names(`q=${encodeURIComponent("%_")}`)).toEqual(["100%_done.mp4"]);
  const path = `/api/v1/videos/${videos[1]}`;
  const patch = { name: "pear.mp4", tags: ["lab ", "lab", "Ünï"] };
  expect(await rig.json(200, "PATCH", path, patch)).toMatchObject({
    ...{ name: "pear.mp4", tags: ["lab", "Ünï"] },
  });
  expect(await names("tag=lab")).toEqual(["pear.mp4"]);
  expect((await list<{ tag: string }>("tags")).items).toEqual([
    { tag: "lab", videos: 1 },
    { tag: "Ünï", videos: 1 },
  ]);
  expect(await rig.json(200, "PATCH", path, { tags: [] })).toMatchObject({
    ...{ name: "pear.mp4", tags: [] },
  });
  expect((await list("videos?tag=lab")).total).toBe(0);
});

test("questions of all videos are listed and filtered", async () => {
  const [one = "", two = ""] = videos;
  const options = ["red", "blue"];
  const red = await rig.ask(one, { text: "Which COLOUR?", options });
  const tea = await rig.ask(two, { text: "", goal: "Make tea" });
  await Promise.all([rig.ended(red.id), rig.ended(tea.id)]);
  await rig.json(200, "PUT", `/api/v1/questions/${red.id}/review`, {
    ...{ verdict: "corrected", answer: "B" },
  });
  const ids = async (query: string) => {
    const { items, total } = await list<QuestionView>(`questions?${query}`);
    expect(total).toBe(items.length);
    return items.map(({ id }) => id);
  };
  expect(await ids("")).toEqual([tea.id, red.id]);
  const { items } = await list<{ video_name: string }>("questions");
  expect(items.map((item) => item.video_name)).toContain("pear.mp4");
  expect(await ids("order=asc")).toEqual([red.id, tea.id]);
  expect(await ids(`video=${two}`)).toEqual([tea.id]);
  expect(await ids("q=colour")).toEqual([red.id]);
  expect(await ids("q=tea&state=answered&strategy=random")).toEqual([tea.id]);
  expect(await ids("verdict=corrected")).toEqual([red.id]);
  expect(await ids("verdict=none")).toEqual([tea.id]);
  expect(await ids("state=failed")).toEqual([]);
  expect(await ids(`since=${tea.created_at}&until=2100-01-01T00:00:00%2B02:00`)).toEqual([tea.id]);
  expect((await list<VideoView>("videos?sort=questions&limit=1")).items[0]?.questions).toBe(1);
});

test("a list that changes while it is paged neither skips nor repeats what stays", async () => {
  const data = await tempFolder();
  const store = await openStore(data);
  const video = { hash: "a".repeat(64), container: "mp4", width: 1, height: 1 };
  const put = (n: number) =>
    store.service.putUpload({
      id: `video-${String(n).padStart(12, "0")}`,
      ...{ owner: "", name: `n${n % 3}`, size: 1, created_at: n % 4 },
      video: { ...video, duration_s: n % 5 },
    });
  let made = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("created", "name", "duration", "questions"),
      fc.constantFrom("asc", "desc"),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.record({ add: fc.boolean(), which: fc.nat(99) }), { maxLength: 8 }),
      async (sort, order, limit, changes) => {
        while (made < 20) await put(made++);
        const ids = async () => (await store.service.uploads()).map(({ id }) => id);
        const before = await ids();
        const removed = new Set<string>();
        const seen: string[] = [];
        let after = null;
        do {
          const page = { order, limit, after } as const;
          const { rows, last } = await store.service.listUploads({ owner: "" }, sort, page);
          seen.push(...rows.map(({ row }) => row.id));
          after = last;
          const change = changes.pop();
          const now = await ids();
          const id = now[(change?.which ?? 0) % now.length];
          if (change?.add) await put(made++);
          else if (change !== undefined && id !== undefined) {
            removed.add(id);
            await store.service.dropUpload(id);
          }
        } while (after !== null);
        expect(new Set(seen).size).toBe(seen.length);
        const stayed = before.filter((id) => !removed.has(id));
        expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
  await store.close();
});

test("a cursor continues its own list only; unknown parameters and values outside the range are refused", async () => {
  const first = await list<VideoView>("videos?limit=2&sort=name");
  expect(first).toMatchObject({ total: videos.length, next: expect.any(String) });
  const rest = await list<VideoView>(`videos?limit=9&sort=name&cursor=${first.next}`);
  expect([rest.items.length, rest.next]).toEqual([videos.length - 2, null]);
  const refused = async (path: string) => {
    const { detail } = await rig.json<{ detail: string }>(422, "GET", `/api/v1/${path}`);
    return detail;
  };
  expect(await refused(`videos?limit=2&cursor=${first.next}`)).toBe(
    "Invalid query string: `cursor` must be the `next` of a page with the same sort, order and filters.",
  );
  expect(await refused("videos?cursor=x")).toContain("`cursor` must be");
  expect(await refused("videos?limit=0")).toBe('Invalid query string: "limit" must be at least 1.');
  expect(await refused("videos?limit=201")).toContain("at most 200");
  expect(await refused("videos?page=2")).toBe("Invalid query string: it must be without `page`.");
  expect(await refused("service?x=1")).toContain("without `x`");
  expect(await refused("questions?since=yesterday")).toBe(
    'Invalid query string: "since" must be an RFC 3339 time, for example 2026-11-21T09:30:00Z.',
  );
  expect(await refused("questions?video=short")).toBe(
    'Invalid query string: "video" must be an id of this service.',
  );
});

test("several videos are deleted at once, and unknown ids are named", async () => {
  const gone = await Promise.all(["a", "b"].map((name) => rig.upload(file, name)));
  const ids = [...gone.map(({ id }) => id), "x".repeat(24)];
  expect(await rig.json(200, "POST", "/api/v1/videos/bulk-delete", { ids })).toEqual({
    deleted: ids.slice(0, 2),
    missing: ids.slice(2),
  });
  expect((await rig.videos()).length).toBe(videos.length);
});

test("what is created is named by Location, and old paths redirect or name the new one", async () => {
  const [video = ""] = videos;
  const options = ["red", "blue"];
  const asked = await rig.send("POST", `/api/v1/videos/${video}/questions`, { text: "x", options });
  const { id, created_at } = (await asked.json()) as QuestionView;
  expect(asked.headers.get("location")).toBe(`/api/v1/questions/${id}`);
  expect(created_at).toBe(new Date(created_at).toISOString());
  const old = await rig.send("GET", `/api/videos/${video}/thumbnail?t_s=1`);
  expect([old.status, old.headers.get("location")]).toEqual([
    308,
    `/api/v1/videos/${video}/thumbnail?t_s=1`,
  ]);
  const questions = await rig.send("GET", `/api/videos/${video}/questions`);
  expect(questions.headers.get("location")).toBe(`/api/v1/questions?video=${video}`);
  expect(await rig.json(410, "POST", "/api/videos")).toMatchObject({
    kind: "moved",
    detail: "The API has moved. Use /api/v1/videos; /docs describes it.",
  });
  expect(await rig.json(404, "GET", "/api/v1/nothing")).toMatchObject({
    ...{ kind: "not-found", detail: "Unknown path. /docs describes every path of the API." },
  });
});

test("a body that is not JSON and a missing member are named as that", async () => {
  const post = async (path: string, body: string, type: string) => {
    const headers = { "content-type": type };
    const response = await fetch(`${rig.url}${path}`, { method: "POST", headers, body });
    const { status, kind, detail } = (await response.json()) as Record<string, unknown>;
    return { status, kind, detail };
  };
  const questions = `/api/v1/videos/${videos[0]}/questions`;
  expect(await post(questions, '{"text": "What', "application/json")).toEqual({
    ...{ status: 400, kind: "bad-request" },
    detail: "Invalid request body: it is not valid JSON.",
  });
  expect(await post("/api/v1/videos", "bytes", "application/octet-stream")).toEqual({
    ...{ status: 422, kind: "wrong-request" },
    detail: 'Invalid header: "x-file-name" is missing.',
  });
});
