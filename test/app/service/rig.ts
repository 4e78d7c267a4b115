import { readFile } from "node:fs/promises";
import { Writable } from "node:stream";
import { expect } from "vitest";
import type { EvidenceList, QuestionView, VideoView } from "../../../src/app/service/api.ts";
import { DEFAULT_TIMEOUTS, type ServiceOptions } from "../../../src/app/service/options.ts";
import { startService } from "../../../src/app/service/serve.ts";
import type { Event } from "../../../src/core/events.ts";
import { tempFolder } from "../../support/temp.ts";

export interface Rig {
  url: string;
  data: string;
  /** Log lines. */
  logged: string[];
  stop(): Promise<void>;
  /** A request with JSON, whatever comes back. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>;
  /** The JSON of a response with the status expected. */
  json<T>(status: number, method: string, path: string, body?: unknown): Promise<T>;
  /** Uploads a file in one request. */
  upload(file: string, name?: string): Promise<VideoView>;
  ask(video: string, asked: object): Promise<QuestionView>;
  /** Waits until the question has ended. */
  ended(id: string): Promise<QuestionView>;
  evidence(id: string): Promise<EvidenceList>;
  /** All videos of the caller, newest first. */
  videos(): Promise<VideoView[]>;
  /** All questions about a video, oldest first. */
  questions(video: string): Promise<QuestionView[]>;
}

/** A real service on a free port, in a new folder unless one is given. */
export async function startRig(given: Partial<ServiceOptions> = {}): Promise<Rig> {
  const data = given.data ?? (await tempFolder());
  const logged: string[] = [];
  const to = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const service = await startService({
    port: 0,
    timeouts: { ...DEFAULT_TIMEOUTS, grace_ms: 200 },
    log: { level: "info", to },
    ...given,
    data,
  });
  const rig = client(service.url);
  return { ...rig, data, logged, stop: service.stop };
}

/** The same for a service that runs elsewhere. */
export function client(url: string, own: Record<string, string> = {}) {
  const send: Rig["send"] = (method, path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...own,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        // Most tests edit whatever version there is.
        ...(method === "GET" ? {} : { "if-match": "*" }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  async function json<T>(status: number, method: string, path: string, body?: unknown): Promise<T> {
    const response = await send(method, path, body);
    const text = await response.text();
    expect([response.status, response.status === status ? "" : text]).toEqual([status, ""]);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
  return {
    url,
    send,
    json,
    async upload(file: string, name = "a video.mp4"): Promise<VideoView> {
      const response = await fetch(`${url}/api/v1/videos`, {
        method: "POST",
        headers: {
          ...own,
          "x-file-name": encodeURIComponent(name),
          "content-type": "application/octet-stream",
        },
        body: new Uint8Array(await readFile(file)),
      });
      const text = await response.text();
      expect([response.status, response.ok ? "" : text]).toEqual([201, ""]);
      return JSON.parse(text) as VideoView;
    },
    ask: (video: string, asked: object) =>
      json<QuestionView>(202, "POST", `/api/v1/videos/${video}/questions`, asked),
    async ended(id: string): Promise<QuestionView> {
      for await (const _event of events(url, id, 0, own));
      return json<QuestionView>(200, "GET", `/api/v1/questions/${id}`);
    },
    videos: async () =>
      (await json<{ items: VideoView[] }>(200, "GET", "/api/v1/videos?limit=200")).items,
    questions: async (video: string) => {
      const path = `/api/v1/questions?video=${video}&order=asc&limit=200`;
      return (await json<{ items: QuestionView[] }>(200, "GET", path)).items;
    },
    evidence: (id: string) => json<EvidenceList>(200, "GET", `/api/v1/questions/${id}/evidence`),
  };
}

/** Events of a question as its stream brings them, to its end or to the end of the connection. */
export async function* events(
  url: string,
  id: string,
  after = 0,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): AsyncGenerator<Event> {
  const response = await fetch(`${url}/api/v1/questions/${id}/events`, {
    headers: { ...headers, ...(after > 0 ? { "last-event-id": String(after) } : {}) },
    signal,
  });
  expect(response.status).toBe(200);
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      if (field("event") === "end") return;
      const data = field("data");
      if (data === undefined) continue;
      const event = JSON.parse(data) as Event;
      expect(field("id")).toBe(String(event.seq));
      yield event;
    }
  }
}
