import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type StrategyDefinition, strategies } from "../../graphs/define-strategy.ts";
import { invokeStrategy } from "../../graphs/invoke-strategy.ts";
import { listSettings } from "../../src/core/settings.ts";
import { plainVideo } from "../evals/run/run-fixtures.ts";
import { tempFolder } from "../support/temp.ts";

test("a user's strategy answers, composes others, and adds its own settings", async () => {
  const folder = await tempFolder();
  const film = join(folder, "film.mp4");
  await plainVideo(film, 2);
  const script = join(import.meta.dirname, "own-strategy.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, film, join(folder, "s")]);
  const told = JSON.parse(stdout);

  expect(told.answer).toMatchObject({ status: "answered", diagnostics: { asked: true } });
  expect(told.texts).toEqual(["5 draws, model"]);
  expect(told.answer.cites).toHaveLength(1);
  expect(told.events.filter((event: string) => event.endsWith(" answer"))).toEqual(["cite answer"]);
  expect(told.events.filter((event: string) => event.endsWith(" evidence"))).toEqual([
    "most-drawn evidence",
  ]);
  expect(told.passed).toEqual({ answer: told.answer.answer, answers: 1 });
  expect(told.open).toMatch(
    /^The strategy most-drawn answers no questions without options, only those that choose from options: pass --model, .*; without a model only extractive can\.$/,
  );

  expect(told.leaf).toMatchObject({ flag: "draws", strategies: ["most-drawn"], added: true });
  expect(told.sameHashes).toBe(true);
  const [foreign, unread, unknown] = told.refusals;
  expect(foreign).toMatch(/`rrd` does not read `--draws`.*use one of the strategies most-drawn\./);
  expect(unread).toMatch(/`most-drawn` does not read `--cot`/);
  expect(unknown).toMatch(
    /Invalid --strategy "nobody" .*: use one of direct,.*, most-drawn, passing-on\./,
  );
});

test("every definition names existing settings and loads its graph", async () => {
  const known = new Set(listSettings().flatMap(({ path }) => [path, path.split(".")[0] ?? ""]));
  for (const { name, reads, graph, overEvidence } of strategies.all()) {
    for (const path of reads) expect(known.has(path), `${name} ${path}`).toBe(true);
    expect(typeof (await graph()).invoke).toBe("function");
    expect(typeof (await overEvidence?.())?.invoke).toMatch(/function|undefined/);
  }
});

/** The same one when the test is tried again. Other files of the worker may have added more. */
const withoutAnswer: StrategyDefinition = {
  ...strategies.get("random"),
  name: "without-answer",
  graph: async () => ({ invoke: async () => ({}) as never }),
};

test("the final state of a strategy that was added is checked", async () => {
  strategies.add(withoutAnswer);
  expect(strategies.isBuiltIn("random")).toBe(true);
  expect(strategies.isBuiltIn("without-answer")).toBe(false);
  const asked = invokeStrategy("without-answer", {} as never, {} as never);
  await expect(asked).rejects.toMatchObject({
    kind: "code-failed",
    message: expect.stringContaining("The strategy without-answer returned a wrong `answer`"),
  });
});
