import { HumanMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "../../src/core/hash.ts";
import { hideContent } from "../../src/tracing/hide-content.ts";

const SECRET = "the zebra crosses";

test("no text of any structure remains, wherever it is", () => {
  const leaf = fc.oneof(
    fc.string().map((text) => `${SECRET} ${text}`),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.string().map((text) => new TextEncoder().encode(`${SECRET}${text}`)),
    fc.string().map((text) => new HumanMessage(`${SECRET}${text}`)),
    fc.string().map((text) => new Map([[`${SECRET}${text}`, SECRET]])),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("type", "text", "content", "ls_x", SECRET), tie("tree")),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const shown = JSON.stringify(hideContent({ value }));
      expect(shown).not.toContain("zebra");
      expect(shown).not.toContain(Buffer.from(SECRET).toString("base64").slice(0, 12));
    }),
  );
});

test("numbers, hashes and names of kinds stay; a text becomes its hash and length", () => {
  const hash = hashOf("frame");
  const message = {
    type: "human",
    content: "Which colour?",
    tokens: 12,
    hash,
    model: "openai:gpt-4o",
  };
  expect(hideContent(message)).toEqual({
    ...message,
    content: expect.stringMatching(/^\[sha256 [0-9a-f]{64}, 13 characters\]$/),
  });
  expect(hideContent({ bytes: new Uint8Array(3) })).toEqual({
    bytes: expect.stringMatching(/^\[sha256 [0-9a-f]{64}, 3 bytes\]$/),
  });
});
