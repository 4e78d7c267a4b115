import { expect, test } from "vitest";
import { apiDocs } from "../../src/pages/api-docs.ts";

test("every operation is shown by its tag, and texts are escaped", () => {
  const page = apiDocs({
    info: { title: "<b>title</b>", version: "1", description: "<script>alert(1)</script>" },
    paths: {
      "/a/{id}": {
        get: {
          tags: ["things"],
          summary: "Read <i>one</i>",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { 200: { description: "It" } },
        },
        post: {
          tags: ["things"],
          requestBody: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          responses: {},
        },
      },
      "/b": { delete: { responses: { 204: { description: "Gone" } } } },
    },
  });
  expect(page).toContain("GET /a/{id}");
  expect(page).toContain("Thing (application/json)");
  expect(page).toContain('<h3 id="other">other</h3>');
  expect(page).toContain("204: Gone");
  expect(page).not.toMatch(/<script|<i>one|<b>title/);
});
