import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask } from "../../../graphs/ask.ts";
import { parseRequestSettings } from "../../../src/app/service/request-settings.ts";
import type { Store } from "../../../src/core/contracts.ts";
import { openStore } from "../../../src/storage/open.ts";
import { processesNaming } from "../../app/mcp/rig.ts";
import { agentTurns, call, composeFilm } from "../../support/agent-film.ts";
import { startToolsOverHttp } from "../../support/mcp-tools-http.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

const PROGRAM = join(import.meta.dirname, "../../support/mcp-tools-server.ts");

let model: ModelServer;
let store: Store;
let folder: string;
let film: string;
let calls: string;

beforeAll(async () => {
  folder = await tempFolder();
  film = await composeFilm(folder);
  model = await startModelServer(() => "A");
  store = await openStore(join(folder, "store"));
  calls = join(folder, "calls.jsonl");
  process.env.TEST_CALLS = calls;
  process.env.TEST_SECRET = "sk-station";
  process.env.GOOGLE_API_KEY ??= "a-key";
});
afterAll(async () => {
  await model.close();
  await store.close();
});
beforeEach(async () => {
  model.reset();
  await writeFile(calls, "");
});

let files = 0;
async function serversFile(server: object, name = "weather"): Promise<string> {
  const file = join(folder, `servers-${++files}.json`);
  await writeFile(file, JSON.stringify({ mcpServers: { [name]: server } }));
  return file;
}

/** The server as a program; its folder is in its command line, so that what is left running is found. */
const program = (more: Record<string, unknown> = {}) => ({
  command: process.execPath,
  args: [PROGRAM, folder],
  ...more,
  env: {
    CALLS_FILE: "$TEST_CALLS",
    SECRET: `$${"{TEST_SECRET}"}`,
    ...((more.env as object) ?? {}),
  },
});

let asked = 0;
/** Each question differs, because replies are stored by request. */
const askFilm = (mcp: string, settings: object = {}) =>
  ask(film, `Which colour fills the screen at 0:13? (${++asked})`, {
    store,
    settings: {
      ...{ strategy: "agent", model: "openai:scripted", search: { verify: false } },
      recognition: { max_side: 160, ocr: "off", subtitles: "off" },
      ...settings,
      runtime: { base_url: model.url, mcp },
    },
  });

const received = async (): Promise<{ tool: string; given: unknown; secret: string | null }[]> =>
  (await readFile(calls, "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const resultsIn = (request: SeenRequest | undefined) =>
  (request?.toolResults ?? []).map(({ text }) => text);
const answer = call("answer", { answer: "green", evidence: ["E1"] });

test.each([
  ["agent", "openai:scripted"],
  ["agent", "google-genai:scripted"],
  ["react", "openai:scripted"],
])(
  "%s with %s calls a tool of a server; what it says is quoted as data",
  async (strategy, name) => {
    const mcp = await serversFile(program({ pure: ["forecast"] }));
    const right = { city: `Ulm ${strategy} ${name}`, days: 2 };
    model.answer(
      agentTurns([
        call("weather__forecast", { city: "U" }),
        call("weather__forecast", { ...right, seen: "blue" }),
        strategy === "react" ? "It rains. Answer: green" : answer,
      ]),
    );
    const search = strategy === "react" ? { search: {} } : {};
    await askFilm(mcp, { strategy, model: name, ...search });
    const [first, , last] = model.chats();
    const offered = first?.tools.find((tool) => tool.name === "weather__forecast");
    expect(offered).toMatchObject({
      description: "The weather of a city.",
      parameters: { properties: { city: { type: "string" } }, required: ["city"] },
    });
    for (const tool of first?.tools ?? []) expect(tool.name).toMatch(/^[A-Za-z_][\w-]{0,63}$/);
    // Wrong arguments do not reach the server, nor does a member that only our own tools have.
    expect(await received()).toEqual([{ tool: "forecast", given: right, secret: "sk-station" }]);
    const [refused = "", told = ""] = resultsIn(last);
    expect(refused).toMatch(/<<<data\n.*city.* 2 characters/);
    expect(told).toContain(`<<<data\n${right.city}: rain.`);
    expect(told.replace(/<<<data\n[\s\S]*?\ndata>>>/g, "")).not.toContain("Ignore");
  },
);

test("only results of pure tools are stored; others are asked for again", async () => {
  const mcp = await serversFile(program({ pure: ["forecast"] }));
  const turn = {
    toolCalls: ["weather__forecast", "weather__count", "weather__count"].map((name) => ({
      name,
      arguments: name.endsWith("count") ? {} : { city: "Bonn" },
    })),
  };
  for (let question = 0; question < 2; question++) {
    model.answer(agentTurns([turn, turn, answer]));
    await askFilm(mcp);
  }
  const names = (await received()).map(({ tool }) => tool);
  expect(names.filter((tool) => tool === "forecast")).toHaveLength(1);
  expect(names.filter((tool) => tool === "count")).toHaveLength(8);
  expect(resultsIn(model.chats().at(-1)).join("\n")).toMatch(/call 1.*call 2.*call 3.*call 4/s);
});

test("text is cut, and pictures are shrunk, limited, and counted as frames", async () => {
  const mcp = await serversFile(program());
  model.answer(agentTurns([call("weather__radar", {}), answer]));
  const { answer: given } = await askFilm(mcp, {
    budget: { frames: 27 },
    search: { verify: false, cells: 24 },
  });
  const last = model.chats().at(-1);
  const [told = ""] = resultsIn(last);
  expect(told).toContain("[cut: the result has");
  expect(told.length).toBeLessThan(21_000);
  expect(told).toContain("not shown: no frames are left");
  const labels = (last?.texts ?? []).join("\n").match(/Picture \d of weather__radar/g);
  expect(labels).toEqual([
    "Picture 1 of weather__radar",
    "Picture 2 of weather__radar",
    "Picture 3 of weather__radar",
  ]);
  expect(given.limits_met).toContain("frames");
});

test("errors, timeouts and the end of a server are results of the call, and the next call works", async () => {
  const mcp = await serversFile(program({ timeout_s: 0.3 }));
  const turns = ["storm", "wait", "crash", "forecast"].map((name) =>
    call(`weather__${name}`, name === "forecast" ? { city: "Kiel" } : {}),
  );
  model.answer(agentTurns([...turns, answer]));
  const { answer: given } = await askFilm(mcp);
  expect(given).toMatchObject({ status: "answered", answer: "green" });
  const [storm, wait, crash, forecast] = resultsIn(model.chats().at(-1));
  expect(storm).toContain("the mast is broken");
  expect(wait).toContain("The MCP server weather failed to run wait: Request timed out");
  expect(crash).toContain("Connection closed");
  expect(forecast).toContain("Kiel: rain");
  expect(await processesNaming(folder)).toEqual([]);
});

test("what a server writes before it fails to start again is not told to the model", async () => {
  const once = `[ -e "$0/ran" ] && { echo "cannot use sk-station" >&2; exit 1; }; touch "$0/ran"; exec "$@"`;
  const { command, args, env } = program();
  const mcp = await serversFile({
    command: "sh",
    args: ["-c", once, folder, command, ...args],
    env,
  });
  const turns = [call("weather__crash", {}), call("weather__forecast", { city: "Kiel" })];
  model.answer(agentTurns([...turns, answer]));
  await askFilm(mcp);
  const [, forecast] = resultsIn(model.chats().at(-1));
  expect(forecast).toContain("The MCP server weather cannot be started");
  expect(JSON.stringify(model.chats())).not.toContain("sk-station");
});

test.each([
  [
    "a program that does not exist",
    { command: "no-such-program" },
    {},
    /weather cannot be started: there is no program "no-such-program"/,
  ],
  [
    "a server that refuses to start",
    { env: { REFUSE: "$TEST_SECRET" } },
    {},
    /ends: cannot open the station/,
  ],
  [
    "an address where nothing listens",
    { url: "http://127.0.0.1:9/mcp" },
    {},
    /cannot be reached: fetch failed/,
  ],
  [
    "a server with 1,000 tools",
    { env: { EXTRA: "$TEST_EXTRA" } },
    {},
    /has 1006 tools.*at most 40/,
  ],
  [
    "a tool that the server lacks",
    { tools: ["hail"] },
    {},
    /has no tool "hail"\. It has forecast, count/,
  ],
  [
    "a variable that is not set",
    { env: { KEY: "$NOT_SET_HERE" } },
    {},
    /variable NOT_SET_HERE is not set/,
  ],
  ["a secret in the file", { env: { KEY: "sk-123" } }, {}, /must name an environment variable/],
  ["an unknown member", { pur: [] }, {}, /unknown member "pur" of "weather"/],
  ["the old transport", { url: "http://127.0.0.1:9/sse", type: "sse" }, {}, /not supported/],
])("%s is a clear failure before anything is asked", async (_what, server, _more, message) => {
  process.env.TEST_EXTRA = "1000";
  const isWhole = "url" in server || "command" in server;
  const mcp = await serversFile(isWhole ? server : program(server));
  const error = await askFilm(mcp).catch((thrown: Error) => thrown);
  expect(String((error as Error).message)).toMatch(message);
  expect(String((error as Error).message)).not.toContain("sk-123");
  expect(model.chats()).toHaveLength(0);
  expect(await processesNaming(folder)).toEqual([]);
});

test.each([404, 400])(
  "a server over HTTP gets its headers, and a session that it forgot is made again (%s)",
  async (status) => {
    const reached: unknown[] = [];
    const onCall = (tool: string, given: unknown) => reached.push([tool, given]);
    const http = await startToolsOverHttp("sk-station", onCall, status);
    const headers = { "X-Station-Key": "$TEST_SECRET" };
    const mcp = await serversFile(
      { type: "http", url: http.url, headers, tools: ["forecast"] },
      "My Sky",
    );
    let offered: string[] = [];
    const lookUp = (city: string) => (request: SeenRequest) => {
      offered = request.tools.map(({ name }) => name).filter((name) => name.includes("forecast"));
      return call(offered[0] ?? "", { city });
    };
    const afterRestart = (request: SeenRequest) => {
      http.forget();
      return lookUp("Trier")(request);
    };
    model.answer(agentTurns([lookUp("Jena"), afterRestart, lookUp("Mainz"), answer]));
    await askFilm(mcp);
    expect(offered).toEqual([expect.stringMatching(/^My_Sky__forecast_[0-9a-f]{8}$/)]);
    expect(reached).toEqual([
      ["forecast", { city: "Jena" }],
      ["forecast", { city: "Mainz" }],
    ]);
    expect(http.sessions()).toBe(0);
    await http.close();
  },
);

test("optional parameters of a server in Python keep their types, and a schema that is not valid makes no tool unusable", async () => {
  const mcp = await serversFile(program({ tools: ["forecast"], env: { PYTHON: "$TEST_SECRET" } }));
  const days = (value: unknown) => call("weather__forecast", { city: "Bonn", days: value });
  model.answer(agentTurns([days("two"), days(2), answer]));
  await askFilm(mcp);
  const tools = model.chats()[0]?.tools ?? [];
  expect(tools.find(({ name }) => name === "weather__forecast")?.parameters).toMatchObject({
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  });
  expect(resultsIn(model.chats().at(-1))[0]).toMatch(/do not fit its schema/);
  expect(await received()).toMatchObject([{ given: { city: "Bonn", days: 2 } }]);
});

test("a caller cannot name servers, and a strategy without tools refuses them", async () => {
  for (const given of [{ "runtime.mcp": "x.json" }, { runtime: { mcp: "x.json" } }])
    expect(() => parseRequestSettings(given, { settings: {}, models: null })).toThrow(
      'cannot set "runtime.mcp"',
    );
  const mcp = await serversFile(program());
  await expect(
    askFilm(mcp, { strategy: "direct", search: undefined, recognition: {} }),
  ).rejects.toThrow("The strategy `direct` does not read `--mcp`");
});

test.each([false, true])("a call ends with the budget of seconds (pure: %s)", async (pure) => {
  const mcp = await serversFile(program({ pure: pure ? ["wait"] : [] }));
  model.answer(agentTurns([call("weather__wait", {}), answer]));
  const began = performance.now();
  const { answer: given } = await askFilm(mcp, { budget: { seconds: 4 } });
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(given.status).not.toBe("error");
  expect(given.limits_met).toContain("seconds");
});
