import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../../src/storage/open.ts";
import { lookingModel } from "../../support/looking-model.ts";
import { askFilm, MOST_CALLS, MOST_FRAMES } from "../../support/looking-runs.ts";
import { startModelServer } from "../../support/model-server.ts";
import { tempFolder } from "../../support/temp.ts";

/* As in `test/soak/agent-search.soak.ts`, with one seed and films of 150 s. */

test("a model that searches finds cues without a cut around them, in speech, in small letters and far apart", {
  timeout: 300_000,
}, async () => {
  const folder = await tempFolder();
  const store = await openStore(join(folder, "store"));
  const server = await startModelServer(lookingModel);
  const outcomes = await askFilm(
    "unit",
    false,
    { folder, store, server },
    {
      ways: ["react", "agent"],
      duration_s: 150,
    },
  );
  expect(outcomes).toHaveLength(8);
  for (const { way, question, right, cited, calls, frames } of outcomes) {
    expect({ way, case: question.case, right, cited }).toEqual({
      way,
      case: question.case,
      right: true,
      cited: true,
    });
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
    expect(frames).toBeLessThanOrEqual(MOST_FRAMES);
  }
  await server.close();
  await store.close();
});
