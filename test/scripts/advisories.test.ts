import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { advisoriesFor, shippedPackages } from "../../scripts/advisories.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/advisories.ts");

/** Speaks the protocol of npm's registry. */
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  asked = { method: request.method, url: request.url, body: JSON.parse(body) };
  answer(response);
});
let asked: { method?: string; url?: string; body: Record<string, string[]> };
let answer: (response: ServerResponse) => void;
let url: string;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/npm`;
});
afterAll(() => server.close());
beforeEach(() => {
  answer = (response) => response.end("{}");
});

async function run(...args: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

test("the packages that ship are checked, each version once", async () => {
  const lock = {
    packages: {
      "": { version: "1.0.0" },
      "node_modules/a": { version: "1.0.0" },
      "node_modules/@s/b": { version: "2.0.0", optional: true },
      "node_modules/a/node_modules/@s/b": { version: "1.5.0" },
      "node_modules/c/node_modules/@s/b": { version: "1.5.0" },
      "node_modules/other-name": { version: "3.0.0", name: "real" },
      "node_modules/tool": { version: "4.0.0", dev: true },
      "node_modules/here": { link: true },
    },
  };
  expect(shippedPackages(JSON.stringify(lock))).toEqual(
    new Map([
      ["a", ["1.0.0"]],
      ["@s/b", ["2.0.0", "1.5.0"]],
      ["real", ["3.0.0"]],
    ]),
  );
  expect((await run("--registry", url)).code).toBe(0);
  expect([asked.method, asked.url]).toEqual(["POST", "/npm/-/npm/v1/security/advisories/bulk"]);
  const read = async (name: string) =>
    JSON.parse(await readFile(join(import.meta.dirname, "../..", name), "utf8"));
  const { dependencies, devDependencies } = await read("package.json");
  const { packages } = await read("package-lock.json");
  for (const [name, version] of Object.entries(dependencies))
    expect(asked.body[name]).toContain(version);
  expect(asked.body.hono?.every((version) => /^\d/.test(version))).toBe(true);
  // One that a shipped package can use as well is checked.
  const onlyHere = Object.keys(devDependencies).filter(
    (name) => packages[`node_modules/${name}`].dev,
  );
  expect(onlyHere.length).toBeGreaterThan(0);
  expect(onlyHere.filter((name) => name in asked.body)).toEqual([]);
});

test("an advisory is reported with its package and exit code 1", async () => {
  const advisory = {
    id: 7,
    title: "Bad header",
    severity: "high",
    url: "https://example.org/advisory",
    vulnerable_versions: "<99",
  };
  answer = (response) => response.end(JSON.stringify({ hono: [advisory] }));
  const told = await run("--registry", url);
  expect([told.code, told.out]).toEqual([
    1,
    expect.stringMatching(/^high: hono \S+ \(<99\): Bad header\. https:\S+\n1 advisories for \d+/),
  ]);
  expect(await advisoriesFor(new Map([["hono", ["4.0.0"]]]), url)).toEqual([
    expect.objectContaining({ name: "hono", versions: ["4.0.0"], vulnerable: "<99" }),
  ]);
});

test("an unreachable registry is reported with its own exit code", async () => {
  const refusals: [RegExp, (response: ServerResponse) => void][] = [
    [/answered 405/, (response) => response.writeHead(405).end()],
    [/not a list/, (response) => response.end("<html>")],
    [/not a list/, (response) => response.end('{"hono":[{"id":1}]}')],
  ];
  const packages = new Map([["hono", ["4.0.0"]]]);
  for (const [why, refuse] of refusals) {
    answer = refuse;
    await expect(advisoriesFor(packages, url)).rejects.toThrow(why);
  }
  const { code, out, err } = await run("--registry", "http://127.0.0.1:1", "--json");
  expect([code, JSON.parse(out).findings]).toEqual([3, null]);
  expect(err).toMatch(/^Could not check \d+ packages/);
  expect((await run("--registry", "nowhere")).code).toBe(2);
});
