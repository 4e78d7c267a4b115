import { expect, test } from "vitest";
import { countOutdated, replyKey } from "../../../evals/judges/reply-key.ts";

const reply = (id: string, question_hash?: string) => ({
  ...{ sample: { id }, epoch: 1, text: "A cup." },
  ...(question_hash === undefined ? {} : { question_hash }),
});

test("replies that are judged only under another question or by an older version are counted", () => {
  const [old, other, same, none] = ["a b", "q2", "q3", "q4"];
  const stored = [
    reply(old),
    reply(other, "0".repeat(12)),
    reply(same, "f".repeat(12)),
    reply(same),
  ];
  const asked = [old, other, same, none].map((id) => reply(id, "f".repeat(12)));
  expect(countOutdated(asked, stored.map(replyKey))).toBe(2);
  // Replies of a run have no hash: their judgements cannot be outdated.
  expect(countOutdated([reply(same)], [replyKey(reply(same, "f".repeat(12)))])).toBe(0);
});
