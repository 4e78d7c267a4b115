import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { makeShuffled, procedureModel } from "../support/shuffled.ts";
import { tempFolder } from "../support/temp.ts";

/* The server behind LangGraph Studio, with its own client, on a real video. */

const PLACES = [2, 3, 1];
const root = fileURLToPath(new URL("../../", import.meta.url));

let models: ModelServer;
let dev: ChildProcess;
let client: Client;
let said = "";

beforeAll(async () => {
  models = await startModelServer(procedureModel(PLACES));
  const folder = await tempFolder();
  await makeShuffled(join(folder, "tea.mp4"), PLACES.length);
  // The server keeps its threads in the folder of the configuration.
  await cp(join(root, "langgraph.json"), join(folder, "langgraph.json"));
  for (const name of ["node_modules", "package.json", "src", "graphs", "tools", "prompts", "evals"])
    await symlink(join(root, name), join(folder, name));
  const settings = {
    model: "openai:scripted",
    recognition: { frames: 12, max_side: 64 },
    runtime: { base_url: models.url, data: join(folder, "store") },
  };
  await writeFile(join(folder, "settings.yaml"), JSON.stringify(settings));
  const port = await freePort();
  dev = spawn(
    join(root, "node_modules/.bin/langgraphjs"),
    ["dev", "--no-browser", "--host", "127.0.0.1", "--port", `${port}`],
    {
      cwd: folder,
      detached: true,
      env: {
        ...process.env,
        OPENAI_API_KEY: "sk-test",
        VIDEO_RRD_SETTINGS: "settings.yaml",
        LANGSMITH_TRACING: "false",
      },
    },
  );
  dev.stdout?.on("data", (data) => (said += data));
  dev.stderr?.on("data", (data) => (said += data));
  const apiUrl = `http://127.0.0.1:${port}`;
  client = new Client({ apiUrl });
  await vi.waitFor(async () => expect((await fetch(`${apiUrl}/ok`)).ok, said).toBe(true), {
    timeout: 100_000,
    interval: 200,
  });
});
afterAll(async () => {
  const ended = once(dev, "exit");
  if (dev.exitCode === null) {
    process.kill(-(dev.pid as number), "SIGKILL");
    await ended;
  }
  await models.close();
});

const input = { video: "tea.mp4", question: { text: "In which order?", goal: "Make tea" } };

test("the graph shows recognition, search and reasoning, and the schemas are served", async () => {
  const [assistant] = await client.assistants.search();
  const id = assistant?.assistant_id ?? "";
  const { nodes } = await client.assistants.getGraph(id, { xray: true });
  const names = nodes.map((node) => node.id);
  expect(names).toEqual(
    expect.arrayContaining([
      "rrd:recognise:caption",
      "rrd:search and reason:search",
      "rrd:search and reason:reason",
      "rrd:review evidence",
      "agent:turn",
    ]),
  );
  const schemas = await client.assistants.getSchemas(id);
  expect(Object.keys(schemas.input_schema?.properties ?? {})).toEqual([
    ...["video", "question", "settings", "review"],
  ]);
  expect(Object.keys(schemas.output_schema?.properties ?? {})).toEqual(["answer", "evidence"]);
  const inner = await client.assistants.getSubgraphs(id, { recurse: true });
  expect(Object.keys(inner)).toContain("rrd|recognise");
});

test("a run streams its stages and events, and pauses until it is resumed with a correction", async () => {
  const { thread_id } = await client.threads.create();
  const modes: string[] = [];
  for await (const { event, data } of client.runs.stream(thread_id, "video-qa", {
    input: { ...input, review: "evidence" },
    streamMode: ["updates", "custom"],
    streamSubgraphs: true,
  })) {
    const [mode = "", ...path] = event.split("|");
    if (mode === "updates") modes.push(...Object.keys(data as object));
    if (mode === "custom") modes.push(`${path.length} ${(data as { type: string }).type}`);
  }
  expect(modes).toEqual(expect.arrayContaining(["segment", "caption", "0 call", "0 evidence"]));
  const paused = await client.threads.getState(thread_id);
  const [id] = paused.tasks
    .flatMap(({ interrupts }) => interrupts)
    .flatMap(({ value }) => (value as { evidence: { id: string }[] }).evidence)
    .map((item) => item.id);
  const corrections = [{ do: "change", id, change: { text: "A kettle is filled." } }];
  await client.runs.wait(thread_id, "video-qa", { command: { resume: { corrections } } });
  expect(models.chats().at(-1)?.texts.join("\n")).toContain("Clip 1: A kettle is filled.");
  const { values } = await client.threads.getState<{ answer: object }>(thread_id);
  expect(values.answer).toMatchObject({ status: "answered", usage: { calls: 4 } });
});

test("a cancelled run stops its model calls", async () => {
  models.answer(() => new Promise(() => undefined));
  const { thread_id } = await client.threads.create();
  const before = models.chats().length;
  const { run_id } = await client.runs.create(thread_id, "video-qa", {
    input: { ...input, settings: { seed: 1, recognition: { frames: 9 } } },
  });
  await vi.waitFor(() => expect(models.chats().length).toBeGreaterThan(before), 60_000);
  await client.runs.cancel(thread_id, run_id, true);
  expect((await client.runs.get(thread_id, run_id)).status).not.toBe("running");
  await vi.waitFor(() =>
    expect(
      models
        .chats()
        .slice(before)
        .every(({ aborted }) => aborted),
    ).toBe(true),
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
