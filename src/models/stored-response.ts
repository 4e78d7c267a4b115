/**
 * A response whose body has arrived. It can be read again and again, and costs a tenth of a `Response` with a stream,
 * which it has only for those who ask for `body`. It takes `headers` as they are, without a copy.
 */
export function storedResponse(body: string | Uint8Array<ArrayBuffer>, init: Init): Response {
  made ??= storedResponses();
  return new made(body, init) as unknown as Response;
}

/** Whether it was made here. */
export function isStored(response: Response): boolean {
  return made !== undefined && response instanceof made;
}

type Body = string | Uint8Array<ArrayBuffer>;
type Head = Pick<Response, "ok" | "status" | "statusText">;

const BYTE_ORDER_MARK = "\ufeff";

type Init = { status: number; statusText?: string; headers: Headers };

let made: (new (body: Body, init: Init) => Head) | undefined;

/** Made at the first reply: `Response` is loaded when it is named. */
function storedResponses(): NonNullable<typeof made> {
  // Its types declare methods as properties, which methods cannot override.
  const Base = Response as unknown as new (body: null, init: ResponseInit) => Head;

  return class StoredResponse extends Base {
    readonly #body: Body;
    readonly #headers: Headers;

    constructor(body: Body, { headers, ...init }: Init) {
      super(null, init);
      this.#body = body;
      this.#headers = headers;
    }

    /** As given: `Response` would copy and check each. */
    get headers(): Headers {
      return this.#headers;
    }

    async text(): Promise<string> {
      const body = this.#body;
      if (typeof body === "string") return body;
      const { buffer, byteOffset, length } = body;
      const text = Buffer.from(buffer, byteOffset, length).toString("utf8");
      return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    }

    async json(): Promise<unknown> {
      return JSON.parse(await this.text()) as unknown;
    }

    async bytes(): Promise<Uint8Array<ArrayBuffer>> {
      const body = this.#body;
      return typeof body === "string" ? new Uint8Array(Buffer.from(body)) : new Uint8Array(body);
    }

    async arrayBuffer(): Promise<ArrayBuffer> {
      return (await this.bytes()).buffer;
    }

    async blob(): Promise<Blob> {
      return new Blob([this.#body], { type: this.headers.get("content-type") ?? "" });
    }

    get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
      return this.#body.length === 0 ? null : new Response(this.#body).body;
    }

    clone(): Response {
      const { status, statusText } = this;
      return storedResponse(this.#body, {
        status,
        statusText,
        headers: new Headers(this.#headers),
      });
    }
  };
}
