import createApi, { type Client as Api } from "openapi-fetch";
import type { components, paths } from "./api-types.ts";
import { type QuestionEvent, readEvents } from "./events.ts";
import { retry } from "./outage.ts";
import { ApiProblem, dataOf } from "./problem.ts";
import { type UploadOptions, uploadFile } from "./upload.ts";

export type { components, paths } from "./api-types.ts";
export type { QuestionEvent } from "./events.ts";
export { ApiProblem, type Problem } from "./problem.ts";
export type { UploadOptions } from "./upload.ts";

/** A video of the service. */
export type Video = components["schemas"]["Video"];
/** A question with its state and answer. */
export type Question = components["schemas"]["Question"];
/** What an answer is based on. */
export type EvidenceList = components["schemas"]["EvidenceList"];

/** How often a question is sent if the requests fail. */
const ASK_TRIES = 4;

/** How to reach a service. */
export interface ClientOptions {
  /** Address of the service, for example `http://127.0.0.1:8787`. */
  url: string;
  /** The token or key, if the service requires one. */
  token?: string;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

type ListPath = {
  [Path in keyof paths]: paths[Path] extends {
    get: { responses: { 200: { content: { "application/json": ListOf<unknown> } } } };
  }
    ? Path
    : never;
}[keyof paths];
interface ListOf<Item> {
  items: Item[];
  next: string | null;
  total: number;
}
type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation }
  ? Operation
  : never;
type ItemOf<Path extends ListPath> =
  Get<Path> extends {
    responses: { 200: { content: { "application/json": ListOf<infer Item> } } };
  }
    ? Item
    : never;
type QueryOf<Path extends ListPath> =
  Get<Path> extends { parameters: { query?: infer Query } }
    ? Omit<NonNullable<Query>, "cursor">
    : never;

/** A client of the HTTP API of `video-rrd serve`. */
export interface Client {
  /** Every path of the API, typed: `client.api.GET("/api/v1/videos/{id}", ...)`. It returns `{ data, error, response }`. */
  api: Api<paths>;
  /** All items of a list, page after page. Throws `ApiProblem`. */
  list<Path extends ListPath>(
    path: Path,
    query?: QueryOf<Path>,
  ): AsyncGenerator<ItemOf<Path>, void, undefined>;
  /**
   * Uploads a file in parts, and continues after a broken connection where the service has it. Throws `ApiProblem` if the
   * service refuses it.
   */
  upload(file: Blob, options: UploadOptions): Promise<Video>;
  /**
   * Asks a question once: after a broken connection or an error of the service, the request is sent again with the same
   * `Idempotency-Key`, up to three times. Throws `ApiProblem`.
   */
  ask(video: string, question: components["schemas"]["NewQuestion"]): Promise<Question>;
  /**
   * The events of a question from `after` on, until it ends. A broken stream is resumed, for a minute if nothing new comes.
   * Throws `ApiProblem`, and the last error of the connection.
   */
  events(
    question: string,
    options?: { after?: number; signal?: AbortSignal },
  ): AsyncGenerator<QuestionEvent, void, undefined>;
  /** Waits until a question has ended. Throws `ApiProblem`. */
  ended(question: string, options?: { signal?: AbortSignal }): Promise<Question>;
}

/**
 * Creates a client of a service. Throws `TypeError` for a URL or a token with which no request can be made.
 *
 * @example
 * const client = createClient({ url: "http://127.0.0.1:8787" });
 * const video = await client.upload(await openAsBlob("lesson.mp4"), { name: "lesson.mp4" });
 * const { id } = await client.ask(video.id, { text: "What is x?" });
 * const { answer } = await client.ended(id);
 */
export function createClient({ url, token, fetch: given = fetch }: ClientOptions): Client {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const base = url.replace(/\/+$/, "");
  checkOptions(base, headers);
  const api = createApi<paths>({ baseUrl: base, headers, fetch: given });
  const send = (path: string, init: RequestInit) =>
    given(`${base}${path}`, {
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
    });

  async function* list<Path extends ListPath>(path: Path, query?: QueryOf<Path>) {
    let cursor: string | null = null;
    do {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...query, cursor }))
        if (value != null) parameters.set(name, String(value));
      const response = await send(`${path}?${parameters}`, {});
      if (!response.ok) throw await ApiProblem.of(response);
      const page = (await response.json()) as ListOf<ItemOf<Path>>;
      yield* page.items;
      cursor = page.next;
    } while (cursor !== null);
  }

  const events: Client["events"] = (question, options) => readEvents(send, question, options);

  return {
    api,
    list,
    events,
    upload: (file, options) => uploadFile(api, send, file, options),
    async ask(video, question) {
      // One key for all tries: a question whose response was lost is not asked again.
      const header = { "idempotency-key": crypto.randomUUID() };
      const params = { path: { id: video }, header };
      return retry(
        async () =>
          dataOf(await api.POST("/api/v1/videos/{id}/questions", { params, body: question })),
        { tries: ASK_TRIES },
      );
    },
    async ended(question, options) {
      for await (const _event of events(question, options));
      return dataOf(
        await api.GET("/api/v1/questions/{id}", { params: { path: { id: question } } }),
      );
    },
  };
}

/** Not left to the requests: `fetch` reports such an error in the same way as a broken connection, after which they are repeated. */
function checkOptions(base: string, headers: { authorization?: string }): void {
  try {
    new Headers(headers);
  } catch {
    // The error of `Headers` quotes the token.
    throw new TypeError(
      "Invalid `token`: it has a character that a header cannot have, such as a line break.",
    );
  }
  try {
    new Request(`${base}/`);
  } catch {
    throw new TypeError(
      "Invalid `url`: use the address of the service without a user name, for example http://127.0.0.1:8787.",
    );
  }
}
