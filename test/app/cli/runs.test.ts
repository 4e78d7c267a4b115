import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requireSharedRuns } from "../../../evals/workers/require-shared-runs.ts";
import type { Store } from "../../../src/core/contracts.ts";
import type { SharedTask } from "../../../src/core/shared-runs.ts";
import { openStore } from "../../../src/storage/open.ts";
import { runCommand } from "../../support/command-line.ts";
import { postgresPrograms, startPostgres } from "../../support/postgres-server.ts";
import { tempFolder } from "../../support/temp.ts";

const task = (sample: string): SharedTask => ({
  ...{ stage: "reason", sample, epoch: 1, video: "", attempt: 0, json: "{}" },
});

test("without a database the runs are refused, and no data folder is made", async () => {
  const folder = await tempFolder();
  expect(await runCommand(folder, ["runs", "list"])).toEqual({
    ...{ code: 2, out: "" },
    err: expect.stringContaining("pass --store postgres://"),
  });
  expect(await readdir(folder)).toEqual([]);
});

describe.runIf(postgresPrograms() !== null)("the commands of shared runs", () => {
  let root: string;
  let address: string;
  let store: Store;
  const runs = (...args: string[]) =>
    runCommand(root, ["runs", ...args, "--data-dir", "data", "--store", address]);
  const json = async (...args: string[]) => JSON.parse((await runs(...args, "--json")).out);

  beforeAll(async () => {
    root = await tempFolder();
    address = (await startPostgres()).address("runs");
    store = await openStore(`${root}/data`, address);
    const shared = requireSharedRuns(store);
    const created_at = new Date().toISOString();
    for (const run of ["alpha", "alpine"]) {
      const header = { run, format: 1, status: "running" as const, created_at };
      await shared.open({ run, key: run, header, most_tries: 3 });
      await shared.enqueue(run, [task("a"), task("b")]);
      await shared.results(run).append({ sample: "a", epoch: 1, attempt: 0 });
    }
    const failed = { sample: "b", epoch: 1, attempt: 0, error: { kind: "x", message: "y" } };
    await shared.results("alpine").append(failed);
    await shared.join({
      ...{ version: "9.9.9", stages: ["reason"], concurrency: 4, atWork: () => ({}) },
      timing: { beat_s: 3, life_s: 30 },
    });
  });
  afterAll(() => store?.close());

  test("show and workers say what the store knows", async () => {
    expect(await json("show", "alpha")).toMatchObject({ run: "alpha", tasks: 2, done: 1 });
    expect(await json("workers")).toMatchObject([{ version: "9.9.9", concurrency: 4 }]);
    expect((await runs("show", "alpha")).out).toContain("alpha");
    expect((await runs("workers")).out).toContain("9.9.9");
    const { out } = await runs("list");
    for (const run of ["alpha", "alpine"]) expect(out).toContain(run);
  });

  test("watch ends with the run, and exits with 1 if samples failed", async () => {
    const { code, out, err } = await runs("watch", "alpine", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ run: "alpine", done: 1, failed: 1 });
    expect(err).not.toBe("");
  });

  test("an open run is not removed; a cancelled one keeps its results until then", async () => {
    const open = await runs("remove", "alpha");
    expect(open).toMatchObject({ code: 2, out: "" });
    expect(open.err).toContain("runs cancel alpha");
    expect(await json("cancel", "alpha")).toMatchObject({ state: "cancelled", done: 1 });
    expect(await json("remove", "alpha")).toEqual({ removed: "alpha" });
    expect((await json("list")).map(({ run }: { run: string }) => run)).toEqual(["alpine"]);
  });

  test.each([
    [["show", "beta"], 'Unknown run "beta"'],
    [["show", ""], "Several runs|Unknown run"],
  ])("%j is refused in one sentence", async (args, says) => {
    const { code, err } = await runs(...args);
    expect(code).not.toBe(0);
    expect(err.trimEnd()).toMatch(new RegExp(`^.*(?:${says}).*$`));
  });
});
