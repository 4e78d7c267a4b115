import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeResults } from "../../evals/judges/judge-run.ts";
import { readResults } from "../../evals/score/read-results.ts";
import { hasty, mathSample, scoreCard } from "../evals/judges/judged-runs.ts";
import { makeRun } from "../evals/run/made-runs.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempFolder } from "../support/temp.ts";

interface Line {
  resourceSpans: {
    scopeSpans: {
      spans: {
        name: string;
        spanId: string;
        parentSpanId?: string;
        attributes: { key: string; value: { intValue?: string | number } }[];
      }[];
    }[];
  }[];
}

test("each judged reply is a trace whose calls sum to its usage, without words of the reply", async () => {
  const folder = await tempFolder();
  const server = await startModelServer(() => scoreCard(7));
  const run = await makeRun(join(folder, "run"), {
    benchmark: "videomathqa",
    settings: { strategy: "direct", model: "openai:answerer" },
    samples: [mathSample("one"), mathSample("two")],
    replies: { one: "The secret heron is B.", two: "The secret heron is C." },
  });
  const trace_file = join(folder, "trace.jsonl");
  const runtime = { base_url: server.url, data: join(folder, "store"), trace_file };
  const asked = {
    kind: "steps",
    judge_model: "openai:scripted",
    judge_runs: 1,
    settings: { runtime },
  };
  const { lines } = await judgeResults(await readResults(run), asked, {
    ...{ folder: run, createModels: hasty },
  });
  await server.close();
  const text = await readFile(trace_file, "utf8");
  expect(text).not.toContain("heron");
  const spans = text
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => (JSON.parse(line) as Line).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  const roots = spans.filter(({ name }) => name === "invoke_agent judge steps");
  expect(roots).toHaveLength(2);
  const calls = spans.filter(({ name }) => name === "chat scripted");
  expect(calls.length).toBeGreaterThanOrEqual(2);
  for (const { parentSpanId } of calls)
    expect(roots.map(({ spanId }) => spanId)).toContain(parentSpanId);
  const tokens = calls.flatMap(({ attributes }) =>
    attributes
      .filter(({ key }) => key === "gen_ai.usage.input_tokens")
      .map(({ value }) => Number(value.intValue)),
  );
  const used = lines.map(({ usage }) => usage.input);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  expect(sum(tokens)).toBe(sum(used));
});
