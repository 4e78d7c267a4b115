import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { plainVideo, vcrData } from "../../evals/run/run-fixtures.ts";
import { runCommand } from "../../support/command-line.ts";
import {
  type ModelServer,
  type SeenRequest,
  startModelServer,
} from "../../support/model-server.ts";
import { procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";

const PLACES = [3, 1, 2];
const stepName = (place: number) => `bring the bowl to stage ${place}`;
const orders = procedureModel(PLACES);

let server: ModelServer;
let folder: string;
let shuffled: string;
beforeAll(async () => {
  folder = await tempFolder();
  server = await startModelServer(model);
  shuffled = await vcrData([PLACES, PLACES.slice(0, 2)], stepName);
  await plainVideo(join(folder, "red.mp4"), 0);
  await writeFile(
    join(folder, "questions.jsonl"),
    JSON.stringify({
      id: "q1",
      video: "red.mp4",
      question: "Is it?",
      options: ["no", "yes"],
      answer: "B",
    }),
  );
  await mkdir(join(folder, "sidecars"));
  const captions = [{ start_s: 0, end_s: 1, text: "a bowl" }];
  await writeFile(join(folder, "sidecars", "red.json"), JSON.stringify({ captions }));
  await writeFile(join(folder, "prices.yaml"), '"openai:m": { input: 10, output: 0 }\n');
});
afterAll(() => server.close());
beforeEach(() => server.reset());

/** Chooses no step in the tests of clips. */
async function model(request: SeenRequest) {
  const words = request.texts.join("\n");
  const isTest = /Which of these steps does it show|does the description speak of/.test(words);
  const text = isTest ? "None." : words.includes("Is it?") ? "Answer: B" : await orders(request);
  return typeof text === "string" ? { text, usage: { input: 4000, output: 0 } } : text;
}

const attribute = (data: string, ...args: string[]) =>
  runCommand(folder, [
    ...["attribute", data, "--model", "openai:m", "--base-url", server.url],
    ...["--prices", "prices.yaml", "--max-connections", "1", "--ocr", "off", ...args],
  ]);

test("an order that a budget stopped is named, and the command fails", async () => {
  const given = ["--data", shuffled, "--call-limit", "3", "--data-dir", "store-1"];
  const words = await attribute("vcrbench", ...given);
  expect(words.code).toBe(1);
  expect(words.err).toContain("1: stopped by the budget of calls.");
  expect(words.out).toContain("1 sample was stopped by a budget (calls) and is in no figure");
  expect(words.out).toContain("2 of 2 replies choose no step, and count as wrong.");
  const json = await attribute("vcrbench", ...given, "--json");
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({
    samples: 1,
    stopped: [{ sample: "1", by: "calls" }],
  });
});

test("a total cost limit ends the command, in words and in JSON", async () => {
  const given = ["--data", shuffled, "--total-cost-limit", "0.12", "--data-dir", "store-2"];
  const json = await attribute("vcrbench", ...given, "--json");
  expect(json.code).toBe(1);
  expect(json.err).toContain("stopped at --total-cost-limit 0.12");
  expect(JSON.parse(json.out)).toMatchObject({ error: { kind: "limit-met", limit: 0.12 } });
  // A call in flight costs more than was reserved for it.
  expect(server.chats().length).toBeLessThanOrEqual(4);
  const kept = await attribute("vcrbench", ...given, "--out", "kept");
  expect(kept.code).toBe(1);
  expect(kept.err).toContain("`attribute --resume kept --total-cost-limit ...`");
});

test("gold attribution without any answer says which budget stopped it", async () => {
  const given = ["--gold", "sidecars", "--call-limit", "1", "--data-dir", "store-3"];
  const json = await attribute("questions.jsonl", ...given, "--out", "gold", "--json");
  expect(json.code).toBe(1);
  expect(json.err).toContain("A budget stopped 1 (calls), such as q1 in 1-recognised");
  expect(JSON.parse(json.out)).toMatchObject({ error: { failed: 0, stopped: { calls: 1 } } });
});
