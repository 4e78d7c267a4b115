import { afterAll, expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { askReal, realQuestions } from "../support/real-questions.ts";
import { describeShared } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

describeShared("all questions on real videos, with everything read", () => {
  afterAll(closeOcr);

  test("extractive answers the two questions whose answer is spoken, and none wrongly", async () => {
    const store = await openStore(await tempFolder());
    const said: Record<string, unknown> = {};
    for (const { id } of await realQuestions()) {
      const { answered, letter } = await askReal(id, null, store);
      if (answered) said[id] = letter;
    }
    await store.close();
    expect(said).toEqual({ "nasa-1": "C", "cipher-3": "B" });
  }, 600_000);
});
