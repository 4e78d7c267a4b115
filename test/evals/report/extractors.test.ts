import { join } from "node:path";
import { expect, test } from "vitest";
import { makeReport } from "../../../evals/report/report.ts";
import { readResults } from "../../../evals/score/read-results.ts";
import { tempFolder } from "../../support/temp.ts";
import { mmrSample } from "../judges/judged-runs.ts";
import { makeRun } from "../run/made-runs.ts";

const PROTOCOL = { source: "the paper", deviations: [] };

async function runOf(name: string, model: string, protocol: typeof PROTOCOL | null) {
  const folder = await makeRun(join(await tempFolder(), name), {
    benchmark: "mmr-v",
    settings: { strategy: "direct", model: `openai:${model}` },
    samples: [mmrSample("one")],
    replies: { one: "The answer is B, not a dream" },
    header: { protocol },
  });
  return readResults(folder);
}

test("a report says which extractors read the runs, and why if all have one reason", async () => {
  const gemma = await runOf("gemma", "gemma-3-12b-it", PROTOCOL);
  const mini = await runOf("mini", "o4-mini", PROTOCOL);
  const own = await runOf("own", "o4-mini", null);
  const said = (runs: Parameters<typeof makeReport>[0]) => makeReport(runs).parts[0]?.about;
  expect(said([gemma, mini])).toContainEqual(
    expect.stringMatching(
      /by the extractors "official-standalone" \(gemma\) and "official" \(mini\), each that of the published protocol for its model\.$/,
    ),
  );
  expect(said([gemma, own])).toContainEqual(
    expect.stringMatching(/"official-standalone" \(gemma\) and "sound" \(own\)\.$/),
  );
  expect(said([mini])).toContainEqual(expect.stringMatching(/by the extractor "official"\.$/));
});
