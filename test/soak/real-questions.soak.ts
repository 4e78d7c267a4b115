import { afterAll, expect, test } from "vitest";
import { openStore } from "../../src/storage/open.ts";
import { closeOcr } from "../../tools/text/ocr.ts";
import { askReal, realQuestions } from "../support/real-questions.ts";
import { describeShared } from "../support/shared.ts";
import { tempFolder } from "../support/temp.ts";

describeShared("all questions on real videos, with everything read", () => {
  afterAll(closeOcr);

  test("extractive answers the questions whose answer is spoken, and at most one wrongly", async () => {
    const store = await openStore(await tempFolder());
    const said: Record<string, unknown> = {};
    const wrong: string[] = [];
    for (const { id } of await realQuestions()) {
      const { answered, letter, expected } = await askReal(id, null, store);
      if (answered) said[id] = letter;
      if (answered && letter !== expected) wrong.push(id);
    }
    await store.close();
    expect(said).toMatchObject({ "nasa-1": "C", "cipher-3": "B" });
    expect(wrong.length, wrong.join()).toBeLessThanOrEqual(1);
  }, 600_000);
});
