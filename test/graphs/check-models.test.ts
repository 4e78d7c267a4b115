import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { attributeStages } from "../../evals/attribution/attribution.ts";
import { testEvidence } from "../../evals/evidence-test/evidence-test.ts";
import { judgeResults } from "../../evals/judges/judge-run.ts";
import { resumeRun, startRun } from "../../evals/run/run.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { startSweep } from "../../evals/sweep/sweep.ts";
import { readSweep } from "../../evals/sweep/sweep-settings.ts";
import { ask } from "../../graphs/ask.ts";
import { checkModels, rolesOf, rolesOverEvidence } from "../../graphs/check-models.ts";
import { strategies } from "../../graphs/define-strategy.ts";
import { indexSettings } from "../../graphs/index-video.ts";
import { isFailure } from "../../src/core/errors.ts";
import { readSettings } from "../../src/core/settings.ts";
import { openStore } from "../../src/storage/open.ts";
import { makeRun } from "../evals/run/made-runs.ts";
import { mmrData, plainVideo, vcrData } from "../evals/run/run-fixtures.ts";
import { runCli, runCommand } from "../support/command-line.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

let server: ModelServer;
let folder: string;
let film: string;

beforeAll(async () => {
  server = await startModelServer(({ tools }) =>
    tools.length === 0
      ? "B"
      : { toolCalls: [{ name: "answer", arguments: { answer: "B", evidence: ["E1"] } }] },
  );
  folder = await tempFolder();
  film = join(folder, "film.mp4");
  await plainVideo(film, 3);
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "GOOGLE_API_KEY", "GEMINI_API_KEY"])
    vi.stubEnv(name, "");
});

const question = { text: "Which cup?", options: ["red", "green"] };

test("every strategy calls models only in checked roles, and emits its evidence and its answer once", async () => {
  const store = await openStore(join(folder, "roles"));
  // Other test files of this process may have added strategies of their own.
  const builtIn = await readdir(join(import.meta.dirname, "../../graphs"));
  for (const strategy of strategies.names().filter((name) => builtIn.includes(name))) {
    const settings = {
      ...{ strategy, seed: 1, runtime: { base_url: server.url } },
      ...(strategy === "extractive" || strategy === "random" ? {} : { model: "openai:scripted" }),
      ...(["rrd", "agent"].includes(strategy) ? { recognition: { ocr: "off" } } : {}),
      ...(strategy === "agent" ? { search: { embeddings: "openai:embedder" } } : {}),
    };
    const { events, evidence } = await ask(film, question, { store, settings });
    const emitted = events.flatMap((event) => (event.type === "evidence" ? [event.item.id] : []));
    expect(emitted.toSorted(), strategy).toEqual(evidence.items.map(({ id }) => id).toSorted());
    expect(events.filter(({ type }) => type === "answer")).toHaveLength(1);
    const called = events.flatMap((event) => (event.type === "call" ? [event.call.role] : []));
    const roles = rolesOf(readSettings(settings));
    expect(roles, strategy).toEqual(expect.arrayContaining(called));
    if (roles.length > 0) expect(called.length, strategy).toBeGreaterThan(0);
  }
  await store.close();
});

const OWN = { runtime: { base_url: "http://127.0.0.1:1/v1" } };
const HERE = "openai:here";
const AWAY = "google-genai:gemini-2.5-flash";

test.each<[string, object]>([
  ["the model", { strategy: "blind", model: AWAY }],
  ["the recogniser", { strategy: "rrd", model: HERE, recognition: { model: AWAY } }],
  ["the reasoner", { strategy: "rrd", model: HERE, reasoning: { model: AWAY } }],
  ["the verifier", { strategy: "agent", model: HERE, search: { verifier: AWAY } }],
  ["the embedder", { strategy: "agent", model: HERE, search: { embeddings: AWAY } }],
])("%s without its key is reported before any work on the video", async (_role, settings) => {
  const data = join(await tempFolder(), "store");
  const runtime = { ...OWN.runtime, data };
  const asked = ask("/nowhere/film.mp4", question, { settings: { ...settings, runtime } });
  await expect(asked).rejects.toMatchObject({
    kind: "missing-key",
    message: expect.stringContaining("GOOGLE_API_KEY"),
  });
  expect(existsSync(data)).toBe(false);
});

test("a verifier that is not called needs no key", () => {
  const search = { verifier: AWAY, verify: false, embeddings: "off" };
  expect(() =>
    checkModels(readSettings({ strategy: "agent", model: HERE, search, ...OWN })),
  ).not.toThrow();
});

test("an unknown model and an unsupported setting are reported too", async () => {
  const wrong = [
    [{ strategy: "rrd", model: HERE, recognition: { model: "gpt-4o" } }, "unknown-model"],
    [{ strategy: "blind", model: null }, "unknown-model"],
    [{ strategy: "blind", model: AWAY, generation: { extra_body: { a: 1 } } }, "wrong-setting"],
    [{ strategy: "blind", model: HERE, runtime: { headers: "X=$NOT_SET_HERE" } }, "missing-key"],
  ] as const;
  vi.stubEnv("GOOGLE_API_KEY", "not-sent");
  for (const [settings, kind] of wrong)
    await expect(ask("/nowhere/film.mp4", question, { settings })).rejects.toMatchObject({ kind });
});

test("a recogniser that is not called needs no key", async () => {
  const rrd = { strategy: "rrd", model: HERE, recognition: { model: AWAY }, ...OWN };
  expect(() => checkModels(readSettings(rrd), rolesOverEvidence(readSettings(rrd)))).not.toThrow();
  const asked = { benchmark: "vcrbench", data: await vcrData([[2, 1]]), ...rrd };
  await expect(startRun(asked, join(folder, "x"))).rejects.toMatchObject({ kind: "missing-key" });
  // Released data have no step names.
  await expect(
    startRun({ ...asked, descriptions: "gold" }, join(folder, "x")),
  ).rejects.toMatchObject({
    kind: "wrong-usage",
    message: expect.stringContaining("--descriptions gold"),
  });
});

test("eval names missing data before a missing key or an unknown model, and prints no note on the benchmark", async () => {
  for (const model of [AWAY, "gpt-4o"]) {
    const args = ["eval", "mmr-v", "--data", "nowhere", "--strategy", "direct", "--model", model];
    expect(await runCommand(folder, args)).toEqual({
      ...{ code: 1, out: "" },
      err: "Cannot open the MMR-V data at nowhere.\n",
    });
  }
  const data = await mmrData(1, 1);
  const given = await runCommand(folder, [
    ...["eval", "mmr-v", "--data", data, "--strategy", "direct", "--model", AWAY],
  ]);
  expect(given.err).toContain("GOOGLE_API_KEY");
  const random = ["eval", "mmr-v", "--data", data, "--strategy", "random"];
  const ran = await runCommand(folder, [...random, "--out", "random"]);
  expect(ran.err).toMatch(/public training mixes[^\n]*\nRun folder: random/);
});

test("every command reports a missing key before it creates or opens anything", async () => {
  const root = await tempFolder();
  const data = join(root, "store");
  const runtime = { data };
  const out = (name: string) => join(root, name);
  const mmr = { benchmark: "mmr-v", data: await mmrData(1, 1), runtime };
  const vcr = { data: await vcrData([[2, 1]]), runtime };
  const made = out("made");
  vi.stubEnv("GOOGLE_API_KEY", "not-a-key");
  const served = { data: join(root, "other-store"), base_url: server.url };
  const rrd = { strategy: "rrd", model: AWAY, recognition: { ocr: "off" }, runtime: served };
  await startRun({ ...mmr, ...rrd }, made);
  vi.stubEnv("GOOGLE_API_KEY", "");
  const judged = await makeRun(join(root, "judged"), {
    benchmark: "mmr-v",
    settings: { strategy: "direct", model: HERE },
    samples: [],
    replies: {},
  });
  const sweep = readSweep({
    base: { ...mmr, strategy: "direct" },
    arms: [
      { name: "first", settings: { strategy: "random" } },
      { name: "second", settings: { model: AWAY } },
    ],
  });
  const commands: [string, () => unknown][] = [
    ["eval", () => startRun({ ...mmr, strategy: "direct", model: AWAY }, out("eval"))],
    ["eval --resume", () => resumeRun(made)],
    ["sweep", () => startSweep(sweep, out("sweep"))],
    [
      "attribute",
      () =>
        attributeStages(
          { benchmark: "vcrbench", ...vcr, strategy: "rrd", model: "openai:x" },
          { other: AWAY },
        ),
    ],
    [
      "judge",
      async () =>
        judgeResults(
          await readResults(judged, {}),
          { kind: "cot", judge_model: AWAY, settings: { runtime } },
          { folder: out("judgements") },
        ),
    ],
    ["eval --evidence-test", () => testEvidence(made)],
    ["index", () => indexSettings({ model: AWAY, runtime })],
  ];
  for (const [name, command] of commands) {
    const error: unknown = await (async () => command())().catch((thrown: unknown) => thrown);
    expect(isFailure(error) ? error.kind : error, name).toBe("missing-key");
  }
  for (const name of ["eval", "sweep", "judgements"]) expect(existsSync(out(name))).toBe(false);
  expect(existsSync(data)).toBe(false);
});

test("a missing folder of --ocr-data is reported before any work on the video, where the text is read", async () => {
  const data = join(await tempFolder(), "store");
  const recognition = { ocr_data: "/nowhere/tessdata" };
  const settings = { strategy: "rrd", model: HERE, recognition, runtime: { ...OWN.runtime, data } };
  await expect(ask("/nowhere/film.mp4", question, { settings })).rejects.toMatchObject({
    kind: "wrong-setting",
    message: expect.stringContaining('Invalid --ocr-data "/nowhere/tessdata"'),
  });
  expect(existsSync(data)).toBe(false);
  expect(() => checkModels(readSettings(settings), undefined, "elsewhere")).not.toThrow();
});

test("serve reports a missing key before it listens", async () => {
  const served = await runCli(folder, ["serve", "--port", "0", "--model", AWAY]);
  expect(served.code).not.toBe(0);
  expect(served.err).toContain("GOOGLE_API_KEY");
  expect(served.out).toBe("");
});
