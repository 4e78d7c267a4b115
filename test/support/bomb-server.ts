import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createBrotliCompress, createDeflate, createGzip, gzipSync } from "node:zlib";

/*
 * A model server on loopback whose replies are attacks. The first segment of the path names the attack
 * (`http://127.0.0.1:PORT/gzip` as a base URL), or the model does (`openai:gzip` with the base URL of the server).
 * Bombs are generated while they are sent and do not end.
 */

const SPACES = Buffer.alloc(64 * 1024, " ");
const GIBIBYTE = 2 ** 30;

function* spaces(): Generator<Buffer> {
  for (;;) yield SPACES;
}

/** An endless series of gzip members, which decode as one text. */
function* gzips(member: Buffer): Generator<Buffer> {
  const members = Buffer.concat(Array<Buffer>(Math.ceil(10_000 / member.length)).fill(member));
  for (;;) yield members;
}

async function* slowSpaces(): AsyncGenerator<string> {
  for (;;) {
    yield " ";
    await sleep(10);
  }
}

const stream = (source: Iterable<Buffer | string> | AsyncIterable<Buffer | string>) =>
  Readable.from(source, { objectMode: false });

/** Tool arguments: 10 MB of empty objects, the most expensive JSON to parse. */
const HUGE_ARGUMENTS = `{"a":[${"{},".repeat(3_400_000)}{}]}`;
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const FINE =
  '{"choices":[{"message":{"role":"assistant","content":"B"}}],"candidates":[{"content":{"parts":[{"text":"B"}]}}]}';

/** A reply with `count` tool calls, in the protocol of the request. */
function call(response: ServerResponse, object: string, count = 1, text = JSON.stringify(object)) {
  const list = (one: string) => Array<string>(count).fill(one).join(",");
  const openai = `{"id":"a","function":{"name":"look","arguments":${text}}}`;
  const google = `{"functionCall":{"name":"look","args":${object}}}`;
  response.end(
    response.req.url?.includes(":generateContent")
      ? `{"candidates":[{"content":{"parts":[${list(google)}]}}]}`
      : `{"choices":[{"message":{"role":"assistant","tool_calls":[${list(openai)}]}}]}`,
  );
}

const ATTACKS = {
  spaces: (response) => stream(spaces()).pipe(response),
  "1-GiB": (response) => {
    response.setHeader("content-length", GIBIBYTE);
    stream(spaces()).pipe(response);
  },
  gzip: (response) => compressed(response, "gzip", createGzip({ level: 1 })),
  deflate: (response) => compressed(response, "deflate", createDeflate({ level: 1 })),
  br: (response) =>
    compressed(response, "br", createBrotliCompress({ params: { 1: 1 /* quality */ } })),
  "gzip-of-gzip": (response) => {
    response.setHeader("content-encoding", "gzip, gzip");
    stream(gzips(gzipSync(Buffer.alloc(16 * 2 ** 20, " "))))
      .pipe(createGzip({ level: 1 }))
      .pipe(response);
  },
  "empty-gzips": (response) => {
    response.setHeader("content-encoding", "gzip");
    stream(gzips(gzipSync(""))).pipe(response);
  },
  "bad-request": (response) => {
    response.statusCode = 400;
    stream(spaces()).pipe(response);
  },
  headers: (response) => {
    response.setHeader("x-filler", "a".repeat(100_000));
    response.end("{}");
  },
  slow: (response) => stream(slowSpaces()).pipe(response),
  /** To another origin: the same server under another name. */
  redirect: (response) => {
    const { url, socket } = response.req;
    response
      .writeHead(307, { location: `http://localhost:${socket.localPort}/stolen${url}` })
      .end();
  },
  /** The target of a redirect. */
  stolen: (response) => response.end(FINE),
  values: (response) => response.end(`[${"[],".repeat(5_000_000)}[]]`),
  nested: (response) => response.end(`\u{feff} ${nested(50_000)}`),
  "arguments-text": (response) => call(response, HUGE_ARGUMENTS),
  "arguments-object": (response) => call(response, HUGE_ARGUMENTS, 1, HUGE_ARGUMENTS),
  "arguments-300-kB": (response) => call(response, `{"words":"${"a".repeat(300_000)}"}`),
  "arguments-200-kB": (response) => call(response, `{"words":"${"a".repeat(200_000)}"}`),
  "arguments-nested": (response) => {
    const given = `{"a":${nested(50_000)}}`;
    call(response, given, 1, given);
  },
  "many-calls": (response) => call(response, "{}", 5000),
  fine: (response) => response.end(FINE),
} satisfies Record<string, (response: ServerResponse) => unknown>;
export type Attack = keyof typeof ATTACKS;

function compressed(response: ServerResponse, name: string, encoder: NodeJS.ReadWriteStream) {
  response.setHeader("content-encoding", name);
  stream(spaces()).pipe(encoder).pipe(response);
}

const isAttack = (name: string | undefined): name is Attack =>
  name !== undefined && Object.hasOwn(ATTACKS, name);

/** Bytes at the start and at the end of a request that are searched for its model. */
const ENDS = 4096;

/** Reads a request to its end without keeping it. */
async function attackOf(request: IncomingMessage): Promise<Attack> {
  const path = request.url ?? "";
  let start = "";
  let end = "";
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (start.length < ENDS) start += chunk.toString("latin1", 0, ENDS);
    end = (end + chunk.toString("latin1", Math.max(0, chunk.length - ENDS))).slice(-ENDS);
  }
  const names = [
    path.split("/")[1],
    /\/models\/([\w-]+):/.exec(path)?.[1],
    ...[start, end].map((text) => /"model":"([\w-]+)"/.exec(text)?.[1]),
  ];
  return names.find(isAttack) ?? "fine";
}

export async function startBombServer() {
  const seen: Attack[] = [];
  const open = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    open.add(response);
    response.on("close", () => open.delete(response)).on("error", () => {});
    response.setHeader("content-type", "application/json");
    // The client closed the connection.
    const name = await attackOf(request).catch(() => null);
    if (name === null) return;
    seen.push(name);
    ATTACKS[name](response);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    url: (attack: Attack) => `http://127.0.0.1:${port}/${attack}`,
    /** Requested attacks, in order. */
    seen,
    /** Number of replies that are being sent. */
    open: () => open.size,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
