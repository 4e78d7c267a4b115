import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API_GUIDE } from "../../../src/pages/api-guide.ts";
import { makeShuffled } from "../../support/shuffled.ts";
import { tempFolder } from "../../support/temp.ts";
import { type Rig, startRig } from "./rig.ts";

const KEY = "a-long-enough-token";
let rig: Rig;
let folder: string;

beforeAll(async () => {
  folder = await tempFolder();
  await makeShuffled(join(folder, "lesson.mp4"), 2);
  rig = await startRig({ settings: { strategy: "random" }, auth: { by: "token", token: KEY } });
});
afterAll(() => rig.stop());

test("the commands of the API's page run", async () => {
  const parts = API_GUIDE.map(({ title, commands }) => `echo "# ${title}"\n${commands}`);
  const { stdout } = await promisify(execFile)("sh", ["-ec", parts.join("\n")], {
    cwd: folder,
    env: { ...process.env, KEY, SERVICE: rig.url },
  });
  const [first, ...sections] = stdout.trim().split(/^# .*\n/m);
  expect(first).toBe("");
  const lines = sections.map((section) => section.trim().split("\n"));
  expect(lines[0]?.[0]).toMatch(/^\d+\.\d+\.\d+$/);
  expect(lines[1]).toEqual(["event: end", 'data: {"state":"answered"}', "", "answered"]);
  expect(lines[2]).toHaveLength(2);
  expect(lines[2]?.[0]).toBe(lines[2]?.[1]);
  expect(lines[3]).toEqual(['{"total":1,"next":null}']);
  expect(lines[4]).toEqual(["approved", "changed"]);
  expect(lines[5]?.[0]).toBe('Invalid query string: "limit" must be at least 1.');
  const page = await (await rig.send("GET", "/docs")).text();
  for (const { title } of API_GUIDE) expect(page).toContain(`<h2>${title}</h2>`);
});
