import { expect, test } from "vitest";
import { hostIn } from "../../../src/app/cli/serve.ts";

test("--allow-url takes hosts as URLs have them, and refuses what no URL would match", () => {
  expect(
    ["films.example", "Films.Example:8443", "films.example:443", "[::1]:80"].map(hostIn),
  ).toEqual(["films.example", "films.example:8443", "films.example:443", "[::1]:80"]);
  for (const given of ["http://films.example/", "films.example/a", "*.example", "a b", "", "me@a"])
    expect(() => hostIn(given), given).toThrow(
      `Invalid --allow-url ${JSON.stringify(given)}: use a host, for example films.example.com`,
    );
});
