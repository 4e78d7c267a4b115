import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportLogs } from "../../../../evals/export/inspect/export-logs.ts";
import { textOf } from "../../../../evals/export/inspect/messages.ts";
import { startRun } from "../../../../evals/run/run.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { scoreResults } from "../../../../evals/score/score-run.ts";
import { sha256 } from "../../../../src/core/hash.ts";
import { isSecondLook } from "../../../support/agent-film.ts";
import { readEvalLog } from "../../../support/eval-log.ts";
import {
  type ModelServer,
  type Reply,
  type Script,
  startModelServer,
} from "../../../support/model-server.ts";
import { tempFolder } from "../../../support/temp.ts";
import { letterIn, mmrData, settingsFor } from "../../run/run-fixtures.ts";

let server: ModelServer;
let root: string;
let runs = 0;

beforeAll(async () => {
  server = await startModelServer(looking);
  root = await tempFolder();
});
afterAll(() => server.close());

/** With an id that is the same in every run. */
const call = (id: string, name: string, given: unknown): Reply => ({
  toolCalls: [{ id, name, arguments: given }],
});

/** Views frames once, and answers with the letter in the question; wrong for question 1. */
const looking: Script = (request) => {
  if (isSecondLook(request)) return "Verdict: supported";
  if (request.toolResults.length === 0)
    return call("look", "view_frames", { from_s: 0, to_s: 1, count: 2 });
  const words = request.texts.map((text) => text.split("\nOptions")[0] ?? "");
  const answer = words.join().includes("Which of 1?") ? "C" : letterIn(words);
  return call("end", "answer", {
    answer,
    evidence: ["E1"],
    seen: "A grey half over a test picture.",
  });
};

const data = once(() => mmrData(1, 3));
/** With requests that are kept. */
const keptRun = once(() => runAgent({ keep_requests: true }));

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

async function runAgent(more: object) {
  const folder = join(root, `run-${++runs}`);
  const settings = settingsFor(server.url, join(root, `store-${runs}`), {
    strategy: "agent",
    recognition: { max_side: 64, ocr: "off" },
    ...more,
  });
  await startRun({ benchmark: "mmr-v", data: await data(), ...settings }, folder);
  return folder;
}

async function exported(folder: string, name = "log") {
  const file = join(root, `${name}.eval`);
  const results = await readResults(folder);
  await exportLogs([{ path: folder, results }], file, { isSweep: false, onFile: () => undefined });
  return { file, results, log: await readEvalLog(file) };
}

test("a log has the messages, pictures, tool calls and scores of an agent's run", async () => {
  const folder = await keptRun();
  const { file, results, log } = await exported(folder);
  const score = scoreResults(results);

  expect(log.unique).toBe(true);
  expect(log.header).toMatchObject({
    status: "success",
    eval: { task: "mmr-v", model: "openai/scripted", solver: "agent", dataset: { samples: 3 } },
    results: { total_samples: 3, completed_samples: 3 },
  });
  const [own] = log.header.results.scores;
  expect(own).toMatchObject({ name: score.extractor, scored_samples: 3, unscored_samples: 0 });
  expect(own?.metrics.accuracy?.value).toBeCloseTo(score.all.accuracy ?? Number.NaN, 12);
  expect(log.accuracies[score.extractor]?.accuracy).toBeCloseTo(2 / 3, 12);
  expect(own?.metrics.stderr?.value).toBe(score.all.ofAll?.se ?? undefined);

  for (const { sample: asked, line } of results.said) {
    const sample = log.samples.find(({ id }) => id === asked.id);
    expect(sample).toMatchObject({
      input: asked.question,
      target: asked.answer,
      metadata: { messages: "kept", cites: line?.cites, video: asked.video },
      output: { completion: line?.reply },
      total_time: line?.seconds,
    });
    expect(sample?.scores[score.extractor]?.value).toBe(
      line?.scores[score.extractor]?.value ?? undefined,
    );
    expect(sample?.scores[score.extractor]?.explanation).toMatch(/Cited:\n- frame, [\d.]+ to/);
    const models = sample?.events.filter(({ event }) => event === "model") ?? [];
    expect(models).toHaveLength(line?.usage.calls ?? -1);
    const usage = Object.values(sample?.model_usage ?? {});
    expect(usage.map(({ input_tokens }) => input_tokens)).toEqual([line?.usage.input]);
    expect(usage.map(({ output_tokens }) => output_tokens)).toEqual([line?.usage.output]);
  }

  const [sample] = log.samples;
  const tools = sample?.events.flatMap((event) => (event.event === "tool" ? [event] : [])) ?? [];
  expect(tools.map(({ function: name }) => name)).toEqual(["overview", "view_frames"]);
  expect(tools[1]?.arguments).toEqual({ from_s: 0, to_s: 1, count: 2 });
  const references = JSON.stringify([sample?.messages, sample?.events_data]).match(
    /attachment:\/\/[0-9a-f]{32}/g,
  );
  const names = [...new Set(references)].map((one) => one.slice("attachment://".length)).sort();
  expect(Object.keys(sample?.attachments ?? {}).sort()).toEqual(names);
  const sentAbout = server.requests.filter(({ texts }) =>
    texts.join().includes(sample?.input ?? ""),
  );
  const pictures = sentAbout.flatMap(({ images }) => images.map((bytes) => sha256(bytes)));
  expect([...new Set(pictures)].map((hash) => hash.slice(0, 32)).sort()).toEqual(names);
  for (const [name, uri] of Object.entries(sample?.attachments ?? {})) {
    const bytes = Buffer.from(uri.slice("data:image/jpeg;base64,".length), "base64");
    expect(sha256(bytes).slice(0, 32)).toBe(name);
  }

  // What the references of the second call resolve to is what reached the server in it.
  const calls = sample?.events.flatMap((event) => (event.event === "model" ? [event] : [])) ?? [];
  const pool = sample?.events_data?.messages ?? [];
  const input = (calls[1]?.input_refs ?? []).flatMap(([from, to]) => pool.slice(from, to));
  expect(input.map(({ role }) => role)).toContain("tool");
  expect(JSON.stringify(input).match(/attachment:/g)).toHaveLength(
    sentAbout[1]?.images.length ?? -1,
  );
  const sent = sentAbout[1]?.texts.join("\n");
  for (const message of input)
    for (const line of textOf(message).split("\n")) expect(sent).toContain(line);

  const again = await exported(folder, "again");
  expect(await readFile(again.file)).toEqual(await readFile(file));
});

test("requests that are kept change neither the calls nor the numbers of a run", async () => {
  const kept = await exported(await keptRun());
  const without = await exported(await runAgent({}), "without");
  const keys = ({ results }: typeof kept) =>
    results.said.flatMap(({ line }) => line?.calls.map(({ key }) => key) ?? []);
  const totals = ({ results }: typeof kept) => results.said.map(({ line }) => line?.usage);
  expect(keys(kept)).toEqual(keys(without));
  expect(totals(kept)).toEqual(totals(without));

  const [sample] = without.log.samples;
  expect(sample).toMatchObject({
    messages: [],
    attachments: {},
    metadata: { messages: expect.stringContaining("--keep-requests") },
  });
  expect(sample?.output.completion).toBe(without.results.said[0]?.reply);
  expect(sample?.events.filter(({ event }) => event === "model")).toHaveLength(
    without.results.said[0]?.line?.usage.calls ?? -1,
  );
  expect(without.log.accuracies).toEqual(kept.log.accuracies);
});
