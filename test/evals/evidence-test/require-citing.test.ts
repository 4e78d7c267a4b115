import { expect, test } from "vitest";
import { planRun } from "../../../evals/run/plan-run.ts";
import { tempFolder } from "../../support/temp.ts";

test.each(["blind", "direct", "self-consistency", "key-frame"])(
  "a test of citations is refused before anything is read, if %s answers",
  async (strategy) => {
    const input = { benchmark: "mmr-v", data: await tempFolder(), strategy, model: "openai:m" };
    await expect(planRun(input, { evidenceTest: true })).rejects.toMatchObject({
      kind: "wrong-usage",
      message: expect.stringContaining(`and this is ${strategy}.`),
    });
  },
);
