import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { exportLogs } from "../../../../evals/export/inspect/export-logs.ts";
import { logId, sampleEntry } from "../../../../evals/export/inspect/sample-id.ts";
import { readResults } from "../../../../evals/score/read-results.ts";
import { readEvalLog } from "../../../support/eval-log.ts";
import { tempFolder } from "../../../support/temp.ts";
import { makeRun, order, ordering } from "../../run/made-runs.ts";

const anyId = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 }),
  fc
    .array(
      fc.constantFrom(
        "..",
        ".",
        "",
        "a",
        "/",
        "\\",
        "C:",
        "é",
        "\u0000",
        "\ud800",
        "日本",
        "x".repeat(300),
      ),
    )
    .map((parts) => parts.join("/")),
);

test("any id of a sample gives an entry that can be unpacked, and ids stay distinct", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId, { minLength: 2, maxLength: 8 }), (ids) => {
      const names = ids.map((id) => sampleEntry(id, 1));
      expect(new Set(names).size).toBe(ids.length);
      for (const name of names) {
        expect(name).not.toMatch(/\\|\p{Cc}|\p{Cs}|\/\/|(^|\/)\.{1,2}(\/|$)/u);
        for (const part of name.split("/")) expect(Buffer.byteLength(part)).toBeLessThan(256);
      }
    }),
  );
});

test("an id that is safe is kept, so that Inspect shows it", () => {
  for (const id of ["17", "video_1.mp4:q3", "cooking/soup 2", "日本語", "a_epoch_1"])
    expect(logId(id)).toBe(id);
});

test("a log with awkward ids reads back in another program, one entry for each sample", async () => {
  const ids = fc.sample(anyId, { numRuns: 40, seed: 7 });
  const all = [...new Set([...ids, "../../etc/passwd", "a\\b", "", "é", "x".repeat(500)])]
    .filter((id) => id !== "" && id.isWellFormed())
    .map((id) => ordering(id, [2, 1, 3]));
  const replies = Object.fromEntries(
    all.map(({ id }, place) => [id, place % 3 === 0 ? order(2, 1, 3) : order(1, 2, 3)]),
  );
  const root = await tempFolder();
  const folder = await makeRun(join(root, "run"), { settings: {}, samples: all, replies });
  const file = join(root, "log.eval");
  const results = await readResults(folder);
  await exportLogs([{ path: folder, results }], file, { isSweep: false, onFile: () => undefined });
  const log = await readEvalLog(file);
  expect(log.unique).toBe(true);
  expect(log.samples).toHaveLength(all.length);
  const original = log.samples.map(({ id, metadata }) => metadata.sample_id ?? id);
  expect(original.sort()).toEqual(all.map(({ id }) => id).sort());
  expect(Object.keys(log.header.eval.dataset.sample_ids)).toHaveLength(all.length);
});
