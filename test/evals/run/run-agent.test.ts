import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { planRun } from "../../../evals/run/plan-run.ts";
import { startRun } from "../../../evals/run/run.ts";
import type { RunLine } from "../../../evals/run/run-line.ts";
import { openRunLog } from "../../../src/storage/run-log.ts";
import { closeOcr } from "../../../tools/text/ocr.ts";
import { call, isSecondLook } from "../../support/agent-film.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { procedureModel } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { letterIn, mathData, mmrData, settingsFor, vcrData } from "./run-fixtures.ts";

let server: ModelServer;
let root: string;
let runs = 0;

beforeAll(async () => {
  server = await startModelServer(() => "");
  root = await tempFolder();
});
afterAll(async () => {
  await server.close();
  await closeOcr();
});
beforeEach(() => server.reset());

/** Views frames once, describes them, and answers with the letter in the question. */
const knowing: Script = (request) => {
  if (isSecondLook(request)) return "Verdict: supported";
  if (request.toolResults.length === 0)
    return call("view_frames", { from_s: 0, to_s: 1, count: 2 });
  const answer = letterIn(request.texts.map((words) => words.split("\nOptions")[0] ?? ""));
  return call("answer", { answer, evidence: ["E1"], seen: "A grey half over a test picture." });
};

const settings = (more: object = {}) =>
  settingsFor(server.url, join(root, `store-${runs}`), {
    strategy: "agent",
    recognition: { max_side: 64, ocr: "off" },
    ...more,
  });

async function linesOf(benchmark: string, data: string, more: object = {}): Promise<RunLine[]> {
  const folder = join(root, `run-${++runs}`);
  await startRun({ benchmark, data, ...settings(more) }, folder);
  return (await openRunLog(folder).read()).samples as RunLine[];
}

test("the answer of an agent is written in the format of MMR-V, and scored", async () => {
  server.answer(knowing);
  const lines = await linesOf("mmr-v", await mmrData(1, 2));
  expect(lines.sort((a, b) => (a.reply ?? "").localeCompare(b.reply ?? ""))).toMatchObject([
    { status: "answered", reply: "[[A]]", reply_by: "code", scores: { official: { value: 1 } } },
    { status: "answered", reply: "[[B]]", reply_by: "code", scores: { official: { value: 1 } } },
  ]);
  expect(lines.map(({ diagnostics }) => diagnostics.support)).toEqual(["supported", "supported"]);
  expect(lines.every(({ cites, usage }) => cites.length === 1 && usage.calls === 3)).toBe(true);
});

test("samples on one video share nothing unless recall is on", async () => {
  server.answer(knowing);
  const data = await mmrData(1, 2);
  const recalled = async (more: object) => {
    const lines = await linesOf("mmr-v", data, { max_samples: 1, ...more });
    return lines.map(({ diagnostics }) => diagnostics.recalled).sort();
  };
  expect(await recalled({})).toEqual([0, 0]);
  expect(await recalled({ search: { recall: true } })).toEqual([0, 1]);
});

test("VideoMathQA reads the letter of an agent", async () => {
  server.answer(knowing);
  const [line] = await linesOf("videomathqa", await mathData(1));
  expect(line).toMatchObject({ status: "answered", answer: "A", scores: { sound: { value: 1 } } });
});

test("an agent falls back to rrd for the clips of VCRBench", async () => {
  server.answer(procedureModel([2, 3, 1]));
  const [line] = await linesOf("vcrbench", await vcrData([[2, 3, 1]]), {
    recognition: { max_side: 64 },
  });
  expect(line).toMatchObject({ status: "answered", answer: [3, 1, 2] });
  expect(line?.diagnostics).toMatchObject({ handed_over: "rrd" });
});

test("a plan states the most calls of an agent", async () => {
  const data = await mmrData(1, 2);
  const plan = await planRun({ benchmark: "mmr-v", data, ...settings() });
  expect(plan).toMatchObject({ samples: 2, calls: 16, frames: 80, exact: false });
});
