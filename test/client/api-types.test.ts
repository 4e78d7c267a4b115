import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import "../../src/app/registry.ts";
import { clientHash, openApiDocument } from "../../src/app/service/openapi.ts";
import { callerSettings } from "../../src/app/service/request-settings.ts";

test("the types of the client are those of the API; otherwise run `npm run api:client`", async () => {
  const file = new URL("../../src/client/api-types.ts", import.meta.url);
  const head = (await readFile(file, "utf8")).slice(0, 300);
  expect(head).toContain(clientHash());
});

test("every operation and schema is described and has an example, and settings come from the definitions", () => {
  const { paths, components, tags } = openApiDocument();
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const operation of operations) {
    expect(operation).toMatchObject({
      summary: expect.any(String),
      description: expect.any(String),
    });
    const bodies = Object.values(operation.responses as object);
    for (const { content = {} } of bodies)
      for (const [type, media] of Object.entries(content as Record<string, object>))
        if (type.endsWith("json"))
          expect([operation.operationId, Object.keys(media)]).toEqual([
            operation.operationId,
            expect.arrayContaining(["schema", "example"]),
          ]);
  }
  for (const [id, schema] of Object.entries(components.schemas))
    expect([id, schema]).toEqual([
      id,
      expect.objectContaining({ description: expect.any(String), examples: [expect.anything()] }),
    ]);
  for (const { name, description } of tags) expect(description).not.toBe(name);
  expect(Object.keys(components.schemas.Settings?.properties ?? {})).toEqual(
    callerSettings().map(({ path }) => path),
  );
});

test("every member and every parameter is described", () => {
  const { paths, components } = openApiDocument(false);
  const missing: string[] = [];
  const walk = (path: string, schema: Record<string, unknown>) => {
    const members = Object.entries((schema.properties ?? {}) as Record<string, typeof schema>);
    for (const [name, member] of members) {
      const isPlain = member.$ref === undefined && member.const === undefined;
      if (isPlain && member.description === undefined) missing.push(`${path}.${name}`);
      walk(`${path}.${name}`, member);
    }
    for (const inner of [schema.items, ...((schema.anyOf ?? []) as object[])])
      if (inner !== undefined) walk(path, inner as typeof schema);
  };
  for (const [id, schema] of Object.entries(components.schemas)) walk(id, schema);
  for (const [path, methods] of Object.entries(paths))
    for (const { parameters } of Object.values(methods))
      for (const { name, description } of parameters as { name: string; description?: string }[])
        if (description === undefined) missing.push(`${path}: ${name}`);
  expect(missing).toEqual([]);
});
