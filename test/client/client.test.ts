import { openAsBlob } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ApiProblem, type Client, createClient, type Question } from "../../src/client/index.ts";
import { type Rig, startRig } from "../app/service/rig.ts";
import { makeShuffled } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

let rig: Rig;
let client: Client;
let file: Blob;
const asked = { text: "Which?", options: ["one", "two"] };

beforeAll(async () => {
  const path = join(await tempFolder(), "tea.mp4");
  await makeShuffled(path, 2);
  file = await openAsBlob(path);
  rig = await startRig({
    settings: { strategy: "random" },
    auth: { by: "token", token: "a-long-enough-token" },
  });
  client = createClient({ url: rig.url, token: "a-long-enough-token" });
});
afterAll(() => rig.stop());

test("a question is asked, followed and answered with types from the description of the API", async () => {
  const video = await client.upload(file, { name: "tea.mp4" });
  const question: Question = await client.ask(video.id, asked);
  const seen: number[] = [];
  for await (const { seq, at } of client.events(question.id)) {
    expect(new Date(at).toISOString()).toBe(at);
    seen.push(seq);
  }
  expect(seen).toEqual(seen.map((_, place) => place + 1));
  const { answer } = await client.ended(question.id);
  // @ts-expect-error The answer of a question may be missing.
  expect(answer.status).toBe("answered");
  expect(["A", "B"]).toContain(answer?.answer);

  const { data: list, response } = await client.api.GET("/api/v1/questions/{id}/evidence", {
    params: { path: { id: question.id } },
  });
  const edited = await client.api.POST("/api/v1/questions/{id}/evidence", {
    params: {
      path: { id: question.id },
      header: { "if-match": response.headers.get("etag") ?? "" },
    },
    body: { kind: "text", start_s: 0, end_s: 1, text: "a cup" },
  });
  expect(edited.data?.base).toBe(list?.set);
});

test("all pages of a list are read", async () => {
  const videos: string[] = [];
  for (const name of ["a", "b", "c"]) videos.push((await client.upload(file, { name })).id);
  const listed: string[] = [];
  for await (const { id } of client.list("/api/v1/videos", { limit: 2, order: "asc" }))
    listed.push(id);
  expect(listed.filter((id) => videos.includes(id))).toEqual(videos);
});

test("an upload continues where the service has it, after broken connections and by its id", async () => {
  let broken = 0;
  const unreliable: typeof fetch = async (input, init) => {
    if (init?.method === "PATCH" && broken++ < 2) throw new TypeError("broken");
    return fetch(input, init);
  };
  const token = "a-long-enough-token";
  const patient = createClient({ url: rig.url, token, fetch: unreliable });
  expect((await patient.upload(file, { name: "x" })).size).toBe(file.size);
  expect(broken).toBe(3);

  const upload = await client.api.POST("/api/v1/uploads", {
    body: { name: "resumed", size: file.size },
  });
  const id = upload.data?.id ?? "";
  await fetch(`${rig.url}/api/v1/uploads/${id}`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${token}`,
      "content-range": `bytes 0-99/${file.size}`,
    },
    body: file.slice(0, 100),
  });
  expect((await client.upload(file, { name: "x", resume: id })).name).toBe("resumed");
});

const methodOf = (...[input, init]: Parameters<typeof fetch>) =>
  input instanceof Request ? input.method : (init?.method ?? "GET");

test("an upload goes on after an outage in which the service cannot tell where to continue", async () => {
  const token = "a-long-enough-token";
  const sent: string[] = [];
  const away: typeof fetch = async (input, init) => {
    sent.push(methodOf(input, init));
    // The first response is lost, after the service has begun the upload.
    if (sent.length === 1) await fetch(input, init);
    if (sent.length !== 2 && sent.length < 7) throw new TypeError("broken");
    return fetch(input, init);
  };
  const patient = createClient({ url: rig.url, token, fetch: away });
  expect(await patient.upload(file, { name: "after an outage" })).toMatchObject({
    name: "after an outage",
    size: file.size,
  });
  expect(sent).toEqual(["POST", "POST", "PATCH", "GET", "PATCH", "GET", "PATCH"]);
});

test("an upload that is gone after an outage is given up at once", async () => {
  const token = "a-long-enough-token";
  const sent: string[] = [];
  const forgetful: typeof fetch = async (input, init) => {
    const method = methodOf(input, init);
    sent.push(method);
    if (method === "PATCH") {
      const headers = { authorization: `Bearer ${token}` };
      await fetch(String(input), { method: "DELETE", headers });
      throw new TypeError("broken");
    }
    return fetch(input, init);
  };
  const patient = createClient({ url: rig.url, token, fetch: forgetful });
  await expect(patient.upload(file, { name: "gone" })).rejects.toMatchObject({ status: 404 });
  expect(sent).toEqual(["POST", "PATCH", "GET"]);
});

test("after a connection is lost while the service inspects the file, the client waits for the decision", async () => {
  const token = "a-long-enough-token";
  const ranges: string[] = [];
  let looks = 0;
  /** The last part arrives, but not its response; then the service is still inspecting for a moment. */
  const losing: typeof fetch = async (input, init) => {
    if (init?.method === "PATCH") {
      ranges.push(new Headers(init.headers).get("content-range") ?? "");
      await (await fetch(input, init)).text();
      throw new TypeError("broken");
    }
    const response = await fetch(input, init);
    const isLook = input instanceof Request && input.method === "GET";
    if (!isLook || !input.url.includes("/uploads/") || looks++ > 0) return response;
    const id = input.url.split("/").at(-1);
    return Response.json({ id, offset: file.size, size: file.size, video: null });
  };
  const patient = createClient({ url: rig.url, token, fetch: losing });
  expect(await patient.upload(file, { name: "x" })).toMatchObject({ name: "x", size: file.size });
  expect([ranges, looks]).toEqual([[`bytes 0-${file.size - 1}/${file.size}`], 2]);

  looks = 0;
  const refused = patient.upload(new Blob(["no video"]), { name: "x" });
  await expect(refused).rejects.toMatchObject({
    status: 404,
    message: expect.stringMatching(/^The service received all \d+ bytes and refused the file/),
  });
});

test("a refusal is an error with the problem of the service", async () => {
  const stranger = createClient({ url: rig.url, token: "wrong" });
  const refused = stranger.ask("x".repeat(24), asked);
  await expect(refused).rejects.toBeInstanceOf(ApiProblem);
  await expect(refused).rejects.toMatchObject({ status: 401 });
  const missing = client.events("x".repeat(24)).next();
  await expect(missing).rejects.toMatchObject({ status: 404, problem: { kind: "not-found" } });
});

test("an upload is not continued with a file of another size", async () => {
  const upload = await client.api.POST("/api/v1/uploads", {
    body: { name: "grown", size: file.size - 1 },
  });
  const id = upload.data?.id ?? "";
  await expect(client.upload(file, { name: "x", resume: id })).rejects.toThrow(
    `Cannot continue the upload ${id}: it is of a file of ${file.size - 1} bytes, and this file has ${file.size}.`,
  );
});

test("a question whose response was lost is sent again with the same key, and asked once", async () => {
  const video = await client.upload(file, { name: "asked once" });
  const keys: (string | null)[] = [];
  const lossy: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (methodOf(input, init) !== "POST") return response;
    keys.push((input as Request).headers.get("idempotency-key"));
    if (keys.length === 1) throw new TypeError("broken");
    return response;
  };
  const patient = createClient({ url: rig.url, token: "a-long-enough-token", fetch: lossy });
  const question = await patient.ask(video.id, asked);
  expect(keys).toEqual([keys[0], keys[0]]);
  const ids: string[] = [];
  for await (const { id } of client.list("/api/v1/questions", { video: video.id })) ids.push(id);
  expect(ids).toEqual([question.id]);
});

/** The text of a stream, a status, a response, or null for a broken connection. */
type Reply = string | number | Response | null;

/** A client whose requests for events get these replies, one after the other, and then no connection. */
function clientOfStreams(replies: Reply[]) {
  const left = [...replies];
  const headers = { "content-type": "text/event-stream" };
  const given: typeof fetch = async () => {
    const next = left.shift() ?? null;
    if (next === null) throw new TypeError("broken");
    if (next instanceof Response) return next;
    return typeof next === "number"
      ? new Response("", { status: next })
      : new Response(next, { headers });
  };
  return createClient({ url: "http://service.invalid", fetch: given });
}

/** The sequence numbers that arrive, without waiting. */
async function seqsOf(replies: Reply[]): Promise<number[]> {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  try {
    const seqs: number[] = [];
    const reading = (async () => {
      for await (const { seq } of clientOfStreams(replies).events("q")) seqs.push(seq);
    })();
    let ended = false;
    const end = () => {
      ended = true;
    };
    reading.then(end, end);
    while (!ended) await vi.advanceTimersByTimeAsync(1000);
    await reading;
    return seqs;
  } finally {
    vi.useRealTimers();
  }
}

const message = (seq: number, text = "") => `data: ${JSON.stringify({ seq, text })}\n\n`;
const end = "event: end\ndata: {}\n\n";

test("events with line separators of Unicode arrive", async () => {
  expect(await seqsOf([message(1) + message(2, "a\u2028b\u2029c") + end])).toEqual([1, 2]);
});

test("a stream is opened again after errors of a proxy, and as long as the service says that it waits", async () => {
  expect(await seqsOf([message(1), 502, 503, null, message(2) + end])).toEqual([1, 2]);
  const waiting = Array.from({ length: 20 }, () => cutAfter(60_000));
  expect(await seqsOf([...waiting, message(1) + end])).toEqual([1]);
});

/** A stream with a comment, cut after so many milliseconds. */
function cutAfter(ms: number): Response {
  let sent = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (sent) {
          await new Promise((done) => setTimeout(done, ms));
          return controller.close();
        }
        sent = true;
        controller.enqueue(new TextEncoder().encode(": waiting\n\n"));
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

test("a stream that closes at once is given up after a minute, unless something new comes", async () => {
  const closed = {
    message: expect.stringMatching(/^The service closed the event stream of the question q before/),
  };
  for (const text of ["", ": waiting\n\n", message(1)]) {
    const again = (length: number) => Array.from({ length }, () => text);
    const first = message(1) + message(2);
    await expect(seqsOf([first, ...again(6), message(3) + end])).rejects.toMatchObject(closed);
    expect(await seqsOf([first, ...again(5), message(3), ...again(5), message(4) + end])).toEqual([
      1, 2, 3, 4,
    ]);
  }
});

test("a page in place of the stream is refused at once", async () => {
  const page = new Response("<h1>Sign in</h1>", { headers: { "content-type": "text/html" } });
  const refused = seqsOf([page, message(1) + end]);
  await expect(refused).rejects.toBeInstanceOf(ApiProblem);
  await expect(refused).rejects.toMatchObject({
    status: 200,
    message: expect.stringContaining("has the type text/html instead of text/event-stream"),
  });
});

test("a token or an address that no request can have is refused before a request", () => {
  const url = "http://service.invalid";
  expect(() => createClient({ url, token: "se\ncret" })).toThrow(/^Invalid `token`: it has [^"]+$/);
  for (const wrong of ["nowhere", "http://ann:secret@service.invalid"])
    expect(() => createClient({ url: wrong })).toThrow(/^Invalid `url`: use the address/);
});

test("a service that stays away for a minute is given up, and a refusal at once", async () => {
  await expect(seqsOf(Array.from({ length: 7 }, () => 502))).rejects.toMatchObject({ status: 502 });
  expect(await seqsOf([...Array.from({ length: 6 }, () => 502), message(1) + end])).toEqual([1]);
  await expect(seqsOf([404, message(1) + end])).rejects.toMatchObject({ status: 404 });
});

test("a pause before the next try ends with the signal", async () => {
  const abort = new AbortController();
  const next = clientOfStreams([null]).events("q", { signal: abort.signal }).next();
  setTimeout(() => abort.abort(new Error("enough")), 20);
  await expect(next).rejects.toThrow("enough");
});
