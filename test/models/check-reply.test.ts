import { expect, test } from "vitest";
import { checkReply } from "../../src/models/check-reply.ts";
import { completedTokens } from "../../src/models/tokens.ts";

const reply = { text: "B", finish: "stop", toolCalls: [], tokens: { input: 4, output: 1 } };

test.each<[unknown, string]>([
  [undefined, "returned nothing: return { text, finish, toolCalls, tokens }."],
  [null, "returned null: return"],
  ["B", 'returned "B": return'],
  [{ ...reply, text: null }, "returned a wrong `text`: use a string. A provider has to return {"],
  [{ ...reply, finish: "weird" }, "returned a wrong `finish`: use one of stop, length"],
  [{ ...reply, toolCalls: undefined }, "returned a wrong `toolCalls`: use a list"],
  [{ ...reply, toolCalls: [{ name: "zoom" }] }, "returned a wrong `toolCalls.0.id`"],
])("the reply %j of a provider is refused by its name", (wrong, message) => {
  expect(() => checkReply(wrong as never, "acme")).toThrowError(
    expect.objectContaining({
      kind: "code-failed",
      message: expect.stringContaining(`The provider acme ${message}`),
    }),
  );
});

test("other members are passed on", () => {
  expect(() => checkReply({ ...reply, own: {}, tokens: null } as never, "acme")).not.toThrow();
});

test.each([
  [
    { input: 1.5, output: Number.NaN },
    { input: 7, output: 1 },
  ],
  [
    { input: -3, output: Number.POSITIVE_INFINITY },
    { input: 7, output: 1 },
  ],
  [
    { input: "5" as never, output: 3 },
    { input: 7, output: 3 },
  ],
])("of the counts %j only whole numbers are taken", (counts, tokens) => {
  expect(completedTokens(counts, reply as never, () => 7)).toEqual({ tokens, estimated: true });
});
