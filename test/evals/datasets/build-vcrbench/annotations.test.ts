import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { readAnnotations } from "../../../../evals/datasets/build-vcrbench/annotations.ts";
import {
  arrangements,
  clipsOf,
  groundTruth,
} from "../../../../evals/datasets/build-vcrbench/arrangement.ts";
import { readGrouping, withGrouping } from "../../../../evals/datasets/build-vcrbench/grouping.ts";
import { tempFolder } from "../../../support/temp.ts";

let folder: string;
beforeAll(async () => {
  folder = await tempFolder();
  await mkdir(join(folder, "annotations"));
  await mkdir(join(folder, "videos"));
  await writeFile(join(folder, "videos", "-5KXg_oOtd.webm"), "");
  await writeFile(
    join(folder, "tasks_primary.txt"),
    "23521\nMake Jello Shots\nhttps://www.wikihow.com/Make-Jello-Shots\n3\npour water,stir mixture,pour into cups\n\n113766\nGrill Steak\nhttps://x\n2\nseason steak,flip steak\n\n",
  );
  await writeFile(join(folder, "annotations", "23521_-5KXg_oOtd.csv"), "2,10.5,14\n1,3,8.25\n");
  await writeFile(join(folder, "annotations", "113766_gone.csv"), "1,0,2\r\n2,2,5\r\n");
});

test("CrossTask's published files give goals, names and times; a missing video is recognised", async () => {
  expect(await readAnnotations(join(folder, "annotations"))).toEqual([
    {
      file: null,
      name: "gone",
      goal: "Grill Steak",
      steps: [
        { name: "season steak", start_s: 0, end_s: 2 },
        { name: "flip steak", start_s: 2, end_s: 5 },
      ],
    },
    {
      file: join(folder, "videos", "-5KXg_oOtd.webm"),
      name: "-5KXg_oOtd",
      goal: "Make Jello Shots",
      steps: [
        { name: "stir mixture", start_s: 10.5, end_s: 14 },
        { name: "pour water", start_s: 3, end_s: 8.25 },
      ],
    },
  ]);
});

test.each([
  ["1_x.csv", "1,0,2\n", 'Unknown task "1"'],
  ["113766_bad.csv", "3,0,2\n", "row 1 of 113766_bad.csv"],
  ["113766_turned.csv", "1,0,2\n2,5,4\n", "row 2 of 113766_turned.csv"],
])("%s is refused by name and row", async (name, content, words) => {
  const other = await tempFolder();
  await mkdir(join(other, "bad"));
  await writeFile(join(other, "bad", name), content);
  await expect(
    readAnnotations(join(other, "bad"), {
      tasks: join(folder, "tasks_primary.txt"),
      videos: join(folder, "videos"),
    }),
  ).rejects.toMatchObject({ kind: "data-malformed", message: expect.stringContaining(words) });
});

test("an own list is read as JSON and as YAML, and errors in it are named", async () => {
  const list = [
    {
      video: "videos/-5KXg_oOtd.webm",
      goal: "Make tea",
      steps: [
        { start: 0, end: 2, name: "boil water" },
        { start: 2, end: 5, name: "add the leaves" },
      ],
    },
  ];
  await writeFile(join(folder, "list.json"), JSON.stringify({ videos: list }));
  await writeFile(
    join(folder, "list.yaml"),
    "- video: videos/-5KXg_oOtd.webm\n  goal: Make tea\n  steps:\n    - { start: 0, end: 2, name: boil water }\n    - { start: 2, end: 5, name: add the leaves }\n",
  );
  const read = await readAnnotations(join(folder, "list.json"));
  expect(read).toEqual(await readAnnotations(join(folder, "list.yaml")));
  expect(read[0]).toMatchObject({ file: join(folder, "videos", "-5KXg_oOtd.webm") });
  const turned = structuredClone(list);
  Object.assign(turned[0]?.steps[1] ?? {}, { end: 1 });
  await writeFile(join(folder, "turned.json"), JSON.stringify(turned));
  await expect(readAnnotations(join(folder, "turned.json"))).rejects.toMatchObject({
    kind: "data-malformed",
    message: expect.stringContaining("0.steps.1"),
  });
});

test("a step annotated several times in a row is one clip of several parts; a step that returns later is refused", () => {
  const step = (name: string, start_s: number, end_s: number) => ({ name, start_s, end_s });
  expect(
    clipsOf({ steps: [step("b", 6, 9), step("a", 1, 3), step("b", 8, 12), step("a", 4, 5)] }),
  ).toEqual({
    cut: 1,
    clips: [
      {
        name: "a",
        parts: [
          { from_s: 1, to_s: 3 },
          { from_s: 4, to_s: 5 },
        ],
      },
      {
        name: "b",
        parts: [
          { from_s: 6, to_s: 8 },
          { from_s: 8, to_s: 12 },
        ],
      },
    ],
  });
  expect(clipsOf({ steps: [step("a", 0, 2), step("b", 2, 4), step("a", 5, 6)] })).toHaveProperty(
    "unusable",
  );
  expect(clipsOf({ steps: [step("a", 0, 2), step("a", 2, 4)] })).toHaveProperty("unusable");
});

test("arrangements are different permutations, never the right one; the ground truth restores the order", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 7 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer(),
      (n, count, seed) => {
        const right = Array.from({ length: n }, (_, place) => place);
        const factorial = right.reduce((product, place) => product * (place + 1), 1);
        const found = arrangements(n, count, null, seed);
        expect(found).toEqual(arrangements(n, count, null, seed));
        expect(found).toHaveLength(Math.min(count, factorial - 1));
        expect(new Set([...found, right].map(String)).size).toBe(found.length + 1);
        for (const shown of found)
          expect(groundTruth(shown).map((clip) => shown[clip])).toEqual(right);
      },
    ),
  );
});

test("arrangements of steps that may swap are never right orders", () => {
  const [pairs, free] = [
    [
      [0, 2],
      [1, 2],
    ] as [number, number][],
    [] as [number, number][],
  ];
  const found = arrangements(3, 10, pairs, 0);
  expect(found).toHaveLength(4);
  for (const shown of found) expect(shown.indexOf(2)).toBeLessThan(2);
  expect(arrangements(3, 10, free, 0)).toEqual([]);
});

test("steps that may swap are read from the list and from a grouping file by goal", async () => {
  const steps = [
    { start: 0, end: 2, name: "salt" },
    { start: 2, end: 5, name: "oil" },
  ];
  const own = { video: "a.mp4", goal: "Fry", steps, any_order: [["salt", "oil"]] };
  await writeFile(
    join(folder, "own.json"),
    JSON.stringify([own, { ...own, any_order: undefined }]),
  );
  const annotated = await readAnnotations(join(folder, "own.json"));
  const rules = { any_order: [["salt", "oil"]], before: [] };
  expect(annotated.map(({ swaps }) => swaps)).toEqual([rules, undefined]);
  await writeFile(
    join(folder, "swaps.yaml"),
    "- { goal: Fry, any_order: [[salt, pepper]], before: [[salt, oil]] }\n- { goal: Bake, any_order: [[a, b]] }\n",
  );
  const grouped = withGrouping(annotated, await readGrouping(join(folder, "swaps.yaml")));
  expect(grouped.videos.map(({ swaps }) => swaps)).toEqual([
    rules,
    { any_order: [["salt", "pepper"]], before: [["salt", "oil"]] },
  ]);
  expect(grouped.notes.map(({ examples }) => examples)).toEqual([["pepper"], ["Bake"]]);
  const wrong = [
    ["typo.json", [{ ...own, any_order: [["salt", "oyl"]] }], "0.any_order", readAnnotations],
    ["single.yaml", [{ goal: "Fry", any_order: [["salt"]] }], "0.any_order.0", readGrouping],
    ["twice.yaml", [{ goal: "Fry" }, { goal: "Fry" }], '"Fry" is there twice', readGrouping],
  ] as const;
  for (const [name, content, words, read] of wrong) {
    await writeFile(join(folder, name), JSON.stringify(content));
    await expect(read(join(folder, name))).rejects.toMatchObject({
      kind: "data-malformed",
      message: expect.stringContaining(words),
    });
  }
});
