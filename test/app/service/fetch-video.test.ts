import type { LookupAddress } from "node:dns";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { platform } from "node:os";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fetchVideo } from "../../../src/app/service/fetch-video.ts";
import { isPublic, type Resolve } from "../../../src/app/service/guarded-agent.ts";

/*
 * Two servers of this machine: one that counts as public, and one that must never hear of anything. They listen on the
 * same port, so that only the address tells them apart.
 */

const PUBLIC = "127.0.0.2";
const INSIDE = "127.0.0.1";
const FILM = Buffer.from("a film");

const servers: Server[] = [];
let port = 0;
let inside: string[] = [];
let outside: string[] = [];

async function listen(address: string, at: number, handler: RequestListener): Promise<number> {
  const server = createServer(handler);
  servers.push(server);
  await new Promise<void>((done, failed) => {
    server.once("error", failed).listen(at, address, done);
  });
  return (server.address() as AddressInfo).port;
}

/** Where the public server redirects, by path. */
const TO = (): Record<string, string> => ({
  "/film": "/film.mp4",
  "/to-the-name": `http://films.example:${port}/film.mp4`,
  "/private": `http://${INSIDE}:${port}/secret`,
  "/private-v6": `http://[::ffff:${INSIDE}]:${port}/secret`,
  "/private-number": `http://2130706433:${port}/secret`,
  "/private-name": `http://inside.example:${port}/secret`,
  "/mixed": `http://mixed.example:${port}/secret`,
  "/metadata": "http://169.254.169.254/latest/meta-data/",
  "/other-host": "http://evil.example/film.mp4",
  "/without-scheme": "//evil.example/film.mp4",
  "/other-port": `http://films.example:${port + 1}/film.mp4`,
  "/with-a-dot": `http://films.example.:${port}/film.mp4`,
  "/password": `http://films.example@evil.example:${port}/`,
  "/user": `http://ann:secret@films.example:${port}/film.mp4`,
  "/file": "file:///etc/passwd",
  "/data": "data:video/mp4;base64,AAAA",
  "/ftp": `ftp://films.example:${port}/film.mp4`,
  "/script": "javascript:alert(1)",
  "/broken": "http://[",
  "/again": "/again",
  ...Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`/hop${i}`, i === 0 ? "/film.mp4" : `/hop${i - 1}`]),
  ),
});

beforeAll(async () => {
  port = await listen(PUBLIC, 0, (request, response) => {
    outside.push(request.url ?? "");
    // Each request resolves the name again.
    response.setHeader("connection", "close");
    const location = TO()[request.url ?? ""];
    if (location === undefined) response.end(FILM);
    else response.writeHead(302, { location }).end();
  });
  await listen(INSIDE, port, (request, response) => {
    inside.push(request.url ?? "");
    response.end("secret");
  });
});
afterAll(() => servers.forEach((server) => void server.close()));
beforeEach(() => {
  inside = [];
  outside = [];
});

const found = (...addresses: string[]): LookupAddress[] =>
  addresses.map((address) => ({ address, family: 4 }));

/** Names and their addresses; `names` holds one answer for each time that a name is looked up, the last one again and again. */
function resolver(names: Record<string, string[][]> = {}): Resolve {
  const all: Record<string, string[][]> = {
    "films.example": [[PUBLIC]],
    "inside.example": [[INSIDE]],
    "mixed.example": [[INSIDE, "10.0.0.1"]],
    ...names,
  };
  return (name, _options, done) => {
    const answers = all[name];
    const next = answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
    if (next === undefined)
      done(Object.assign(new Error(`ENOTFOUND ${name}`), { code: "ENOTFOUND" }), []);
    else done(null, found(...next));
  };
}

async function get(path: string, resolve = resolver(), hosts: string[] = ALLOWED()) {
  const allow = (address: string) => address === PUBLIC || isPublic(address);
  try {
    const { body } = await fetchVideo(`http://films.example:${port}${path}`, hosts, allow, resolve);
    const read: Buffer[] = [];
    for await (const chunk of body) read.push(chunk as Buffer);
    return Buffer.concat(read).toString();
  } catch (error) {
    const { cause, message } = error as { cause: { kind: string }; message: string };
    expect(message).toMatch(/^[A-Z][^\n]{1,200}\.$/);
    return cause.kind;
  }
}

/** What an operator may have allowed: by name, and carelessly by names and addresses that lead inside. */
const ALLOWED = () => [
  ...[`films.example:${port}`, "inside.example", "mixed.example", INSIDE, "[::ffff:7f00:1]"],
  ...["169.254.169.254", `${PUBLIC}:${port}`],
];

const onLinux = test.skipIf(platform() !== "linux");

test("a host that is allowed with the port that its URLs leave out is allowed", async () => {
  const refusalOf = (url: string) =>
    fetchVideo(url, ["films.example:80", "films.example:443"], () => false, resolver()).then(
      () => null,
      ({ cause }: { cause: { kind: string } }) => cause.kind,
    );
  expect(await refusalOf("http://films.example/film")).toBe("address-not-allowed");
  expect(await refusalOf("https://films.example/film")).toBe("address-not-allowed");
  expect(await refusalOf("https://films.example:8443/film")).toBe("host-not-allowed");
});

onLinux("redirects within the hosts that are allowed are followed, five of them", async () => {
  expect(await get("/film")).toBe("a film");
  expect(await get("/to-the-name")).toBe("a film");
  expect(await get("/hop4")).toBe("a film");
  outside = [];
  expect(await get("/hop5")).toBe("not-fetched");
  expect(await get("/again")).toBe("not-fetched");
  expect(outside).toHaveLength(12);
});

onLinux.each([
  ["/private", "address-not-allowed"],
  ["/private-v6", "address-not-allowed"],
  ["/private-number", "address-not-allowed"],
  ["/private-name", "address-not-allowed"],
  ["/mixed", "address-not-allowed"],
  ["/metadata", "address-not-allowed"],
  ["/other-host", "host-not-allowed"],
  ["/without-scheme", "host-not-allowed"],
  ["/other-port", "host-not-allowed"],
  ["/with-a-dot", "host-not-allowed"],
  ["/password", "wrong-url"],
  ["/user", "wrong-url"],
  ["/file", "wrong-url"],
  ["/data", "wrong-url"],
  ["/ftp", "wrong-url"],
  ["/script", "wrong-url"],
  ["/broken", "wrong-url"],
])(
  "a redirect %s is refused as %s before any request to an internal address",
  async (path, kind) => {
    expect(await get(path)).toBe(kind);
    expect([outside, inside]).toEqual([[path], []]);
  },
);

onLinux(
  "a name that leads outside first and inside then is refused at its second look",
  async () => {
    const rebinding = resolver({ "films.example": [[PUBLIC], [INSIDE]] });
    expect(await get("/film", rebinding)).toBe("address-not-allowed");
    expect([outside, inside]).toEqual([["/film"], []]);
  },
);

onLinux("of a name with addresses inside and outside only those outside are tried", async () => {
  expect(await get("/film", resolver({ "films.example": [[INSIDE, PUBLIC]] }))).toBe("a film");
  // Nothing listens there: the internal address would be tried next.
  const unreachable = resolver({ "films.example": [["127.0.0.3", INSIDE]] });
  const allow = (address: string) => address === "127.0.0.3";
  const url = `http://films.example:${port}/`;
  await expect(fetchVideo(url, ALLOWED(), allow, unreachable)).rejects.toMatchObject({
    cause: { kind: "not-fetched" },
  });
  expect(await get("/film", resolver({ "films.example": [[]] }))).toBe("address-not-allowed");
  expect(inside).toEqual([]);
});

onLinux("what is connected to counts, whatever was looked up", async () => {
  let looks = 0;
  const allow = () => looks++ === 0;
  const url = `http://films.example:${port}/film`;
  await expect(fetchVideo(url, ALLOWED(), allow, resolver())).rejects.toMatchObject({
    cause: { kind: "address-not-allowed" },
  });
});

test("addresses of this machine, of private networks and in unusual notations are not public", () => {
  const inside = [
    "127.0.0.1",
    "10.0.0.1",
    "172.16.5.5",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "not an address",
  ];
  expect(inside.filter(isPublic)).toEqual([]);
  expect(["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"].filter(isPublic)).toHaveLength(2);
  fc.assert(
    fc.property(fc.ipV4(), (address) => isPublic(address) === isPublic(`::ffff:${address}`)),
  );
});
